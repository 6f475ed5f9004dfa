/**
 * CPU profiles of this process in the format of pprof, which `go tool pprof` and other viewers read.
 *
 * Follows the answers of Go's net/http/pprof. The format is github.com/google/pprof/proto/profile.proto.
 */
import { type Profiler, Session } from "node:inspector/promises";
import { gzipSync } from "node:zlib";
import { WireWriter } from "@portcullis/engine/internal/builtin/protobuf/writer";

/** Microseconds between two samples. */
const INTERVAL = 1_000;
const NANOS_PER_MICRO = 1_000;

let isRunning = false;

/** Undefined if another profile is being recorded. */
export async function recordProfile(seconds: number): Promise<Uint8Array | undefined> {
  if (isRunning) return undefined;
  isRunning = true;
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: INTERVAL });
    await session.post("Profiler.start");
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const { profile } = await session.post("Profiler.stop");
    return gzipSync(toPprof(profile));
  } finally {
    session.disconnect();
    isRunning = false;
  }
}

/** Numbers of the fields. */
const PROFILE = {
  sampleType: 1,
  sample: 2,
  location: 4,
  function: 5,
  text: 6,
  time: 9,
  duration: 10,
  periodType: 11,
  period: 12,
};
const VALUE_TYPE = { type: 1, unit: 2 };
const SAMPLE = { location: 1, value: 2 };
const LOCATION = { id: 1, line: 4 };
const LINE = { function: 1, line: 2 };
const FUNCTION = { id: 1, name: 2, systemName: 3, file: 4 };

/** Each node of the profile is a location: it stands for one function at one place of the tree of calls. */
export function toPprof({ nodes, samples = [], timeDeltas = [], startTime, endTime }: Profiler.Profile): Uint8Array {
  const writer = new WireWriter();
  const texts = new Texts();
  const valueType = (field: number, type: string, unit: string): void =>
    writer.writeMessage(field, (message) => {
      message.writeInteger(VALUE_TYPE.type, texts.at(type));
      message.writeInteger(VALUE_TYPE.unit, texts.at(unit));
    });
  valueType(PROFILE.sampleType, "samples", "count");
  valueType(PROFILE.sampleType, "cpu", "nanoseconds");
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  for (const [id, { count, micros }] of totals(samples, timeDeltas)) {
    writer.writeMessage(PROFILE.sample, (message) => {
      for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
        message.writeInteger(SAMPLE.location, BigInt(at));
      }
      message.writeInteger(SAMPLE.value, BigInt(count));
      message.writeInteger(SAMPLE.value, BigInt(Math.round(micros * NANOS_PER_MICRO)));
    });
  }
  for (const { id, callFrame } of nodes) {
    writer.writeMessage(PROFILE.location, (message) => {
      message.writeInteger(LOCATION.id, BigInt(id));
      message.writeMessage(LOCATION.line, (line) => {
        line.writeInteger(LINE.function, BigInt(id));
        line.writeInteger(LINE.line, BigInt(callFrame.lineNumber + 1));
      });
    });
    writer.writeMessage(PROFILE.function, (message) => {
      const name = texts.at(callFrame.functionName || "(anonymous)");
      message.writeInteger(FUNCTION.id, BigInt(id));
      message.writeInteger(FUNCTION.name, name);
      message.writeInteger(FUNCTION.systemName, name);
      message.writeInteger(FUNCTION.file, texts.at(callFrame.url));
    });
  }
  valueType(PROFILE.periodType, "cpu", "nanoseconds");
  writer.writeInteger(PROFILE.period, BigInt(INTERVAL * NANOS_PER_MICRO));
  writer.writeInteger(PROFILE.time, BigInt(Date.now()) * 1_000_000n);
  writer.writeInteger(PROFILE.duration, BigInt(Math.round((endTime - startTime) * NANOS_PER_MICRO)));
  for (const text of texts.all) writer.writeText(PROFILE.text, text);
  return writer.finish();
}

/** By node: how often it was seen, and for how long. */
function totals(samples: readonly number[], deltas: readonly number[]) {
  const all = new Map<number, { count: number; micros: number }>();
  samples.forEach((id, index) => {
    const total = all.get(id) ?? { count: 0, micros: 0 };
    total.count++;
    total.micros += Math.max(0, deltas[index] ?? 0);
    all.set(id, total);
  });
  return all;
}

/** Texts by number; the first is empty. */
class Texts {
  readonly all = [""];
  readonly #numbers = new Map([["", 0n]]);

  at(text: string): bigint {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = BigInt(this.all.length);
    this.all.push(text);
    this.#numbers.set(text, number);
    return number;
  }
}

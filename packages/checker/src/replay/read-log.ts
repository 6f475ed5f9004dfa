/**
 * Logs as a sequence of events and requests. Several files are read side by side, so that rotated logs, and logs of several
 * API servers, come in the order of time.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject } from "@portcullis/engine/internal/value/json";
import { objectsOf } from "@portcullis/engine/internal/value/read";
import { fromReview, isReview, type KnownRequest } from "./known-request.ts";
import { type AuditEvent, checkedEvent, eventFrom, isEvent, readEvent } from "./log/audit-event.ts";
import { type Line, readLines } from "./log/lines.ts";
import { type Remains, remainsOf } from "./log/remains.ts";

export type Entry =
  | { readonly type: "event"; readonly event: AuditEvent }
  | { readonly type: "damaged"; readonly line: DamagedLine }
  | { readonly type: "request"; readonly request: KnownRequest };

/** A line that is not a whole event. */
export interface DamagedLine {
  readonly file: string;
  readonly line: number;
  readonly remains: Remains;
  /** Between these times, in microseconds, its request ended. */
  readonly at: number;
  readonly until: number;
}

export interface LogProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export type OnProblem = (problem: LogProblem) => void;

/** Events that cannot be writes are not even decoded: they are most of a log. */
const READS: ReadonlySet<string> = new Set(["list", "watch", "get", "head", "options"]);
const LONGEST_READ = 7;
const MISSED = /"code":404[,}]/;
const CONNECTION = /"subresource":"(?:exec|attach|portforward|proxy)"/;
const HEAD = 1500;
const VERB = Buffer.from('"verb":"');
const QUOTE = 34;

/** Entries in pieces, so that not every line has to be waited for. */
export async function* readLogs(files: readonly string[], onProblem: OnProblem): AsyncGenerator<readonly Entry[]> {
  const beginnings: number[] = [];
  const sources = files.map((file) => new Source(file, onProblem, beginnings));
  let active: Source[] = [];
  for (const source of sources) if (await source.fill()) active.push(source);
  beginnings.push(...active.map(({ at }) => at));
  while (active.length > 0) {
    const next = active.reduce((left, right) => (right.at < left.at ? right : left));
    const others = active.filter((each) => each !== next);
    yield next.takeUntil(Math.min(...others.map(({ at }) => at)));
    if (!(await next.fill())) active = others;
  }
}

function timeOfEntry(entry: Entry): number {
  switch (entry.type) {
    case "request":
      return entry.request.event.at;
    case "damaged":
      return entry.line.at;
    case "event":
      return entry.event.at;
  }
}

class Source {
  readonly #pieces: AsyncGenerator<readonly Entry[]>;
  #waiting: readonly Entry[] = [];
  #at = 0;

  /** `beginnings` are the first times of all files. */
  constructor(file: string, onProblem: OnProblem, beginnings: readonly number[]) {
    this.#pieces = entriesOf(file, onProblem, beginnings);
  }

  /** The time of the next entry. One without a time follows the one before. */
  get at(): number {
    const [next] = this.#waiting;
    return (next === undefined ? 0 : timeOfEntry(next)) || this.#at;
  }

  /** False at the end of the file. */
  async fill(): Promise<boolean> {
    while (this.#waiting.length === 0) {
      const { value, done } = await this.#pieces.next();
      if (done === true) return false;
      this.#waiting = value;
    }
    return true;
  }

  /** The entries up to a time, at least one. */
  takeUntil(time: number): readonly Entry[] {
    const all = this.#waiting;
    let count = 0;
    do {
      const entry = all[count];
      this.#at = (entry === undefined ? 0 : timeOfEntry(entry)) || this.#at;
      count += 1;
    } while (count < all.length && this.#timeAt(count) <= time);
    this.#waiting = all.slice(count);
    return count === all.length ? all : all.slice(0, count);
  }

  #timeAt(index: number): number {
    const entry = this.#waiting[index];
    return (entry === undefined ? 0 : timeOfEntry(entry)) || this.#at;
  }
}

async function* entriesOf(
  file: string,
  onProblem: OnProblem,
  beginnings: readonly number[],
): AsyncGenerator<readonly Entry[]> {
  let last = 0;
  const onStream = (message: string): void => onProblem({ file, line: last, message });
  const damaged = new DamagedLines();
  for await (const lines of readLines(file, onStream)) {
    last = lines.at(-1)?.number ?? last;
    yield damaged.timed(lines.flatMap((line) => readEntries(line, onProblem)));
  }
  yield damaged.rest(beginnings);
}

/** How far lines may be from their place in the order of time, in microseconds. */
const SLACK = 2_000_000;

/** Damaged lines have no time: it is between those of the entries around them. */
class DamagedLines {
  #waiting: DamagedLine[] = [];
  #last = 0;

  timed(entries: readonly Entry[]): readonly Entry[] {
    if (this.#waiting.length === 0 && !entries.some(({ type }) => type === "damaged")) {
      for (const entry of entries) this.#last = timeOfEntry(entry) || this.#last;
      return entries;
    }
    return entries.flatMap((entry) => {
      if (entry.type === "damaged") {
        this.#waiting.push(entry.line);
        return [];
      }
      const time = timeOfEntry(entry);
      if (time === 0) return [entry];
      const before = this.#release(time);
      this.#last = time;
      return [...before, entry];
    });
  }

  /** At the end of a file, the next file that begins later shows when they were written at the latest. */
  rest(beginnings: readonly number[]): readonly Entry[] {
    return this.#release(Math.min(...beginnings.filter((time) => time > this.#last)));
  }

  #release(until: number): Entry[] {
    const at = Math.max((this.#last || until) - SLACK, 0);
    const lines = this.#waiting.map((line) => ({ ...line, at, until: until + SLACK }));
    this.#waiting = [];
    return lines.map((line) => ({ type: "damaged", line }));
  }
}

const EVENT_BEGINNING = Buffer.from('{"kind":"Event","apiVersion":"audit.k8s.io/');

function readEntries(line: Line, onProblem: OnProblem): readonly Entry[] {
  const { bytes } = line;
  const second = bytes.indexOf(EVENT_BEGINNING, 1);
  if (second > 0 && decodeJson(bytes.toString()).error !== undefined) return readParts(line, second, onProblem);
  if (isUnneededRead(bytes)) return [];
  const event = line.isCut ? undefined : readEvent(bytes);
  if (event !== undefined) return [{ type: "event", event: isDubious(event) ? checkedEvent(event, bytes) : event }];
  return readOther(line, onProblem);
}

/** A server that was killed while it wrote continues on the same line. */
function readParts(line: Line, second: number, onProblem: OnProblem): readonly Entry[] {
  const { bytes } = line;
  const parts = [bytes.subarray(0, second), bytes.subarray(second)];
  return parts.flatMap((part) => readEntries({ ...line, bytes: part }, onProblem));
}

/** Of reads, only some show an object as it is stored, or that there is none. */
function isUnneededRead(bytes: Buffer): boolean {
  const verb = readVerb(bytes);
  if (verb === undefined) return false;
  const head = bytes.toString("latin1", 0, HEAD);
  if (CONNECTION.test(head)) return false;
  const isObservation = MISSED.test(head) || head.includes('"level":"RequestResponse"');
  return verb !== "get" || !isObservation || head.includes("resourceVersion=");
}

/**
 * The verb of a read; undefined for other events. The first verb is that of the event; objects may have others, such as a
 * SelfSubjectAccessReview.
 */
function readVerb(bytes: Buffer): string | undefined {
  const key = bytes.indexOf(VERB);
  if (key < 0 || key >= HEAD) return undefined;
  const start = key + VERB.length;
  const end = bytes.indexOf(QUOTE, start);
  if (end < 0 || end - start > LONGEST_READ) return undefined;
  const verb = bytes.toString("latin1", start, end);
  return READS.has(verb) ? verb : undefined;
}

/** Lines that are cut at a wrong place are few, and cost a second look: only where the objects may be longer than they seem. */
function isDubious({ request, response }: AuditEvent): boolean {
  return request?.mentions('"responseObject":') === true || response?.mentions('"responseObject":') === true;
}

function readOther(line: Line, onProblem: OnProblem): readonly Entry[] {
  const { file, number, bytes, isCut } = line;
  const decoded = isCut ? { error: "the line is too long" } : decodeJson(bytes.toString());
  if (decoded.error !== undefined) {
    onProblem({ file, line: number, message: decoded.error });
    const remains = remainsOf(bytes);
    return remains === undefined ? [] : [{ type: "damaged", line: { file, line: number, remains, at: 0, until: 0 } }];
  }
  const { value } = decoded;
  if (isObject(value) && isReview(value)) {
    const request = fromReview(value);
    return request === undefined ? [] : [{ type: "request", request }];
  }
  if (isObject(value) && value["kind"] === "EventList") {
    return objectsOf(value["items"])
      .filter(isEvent)
      .map((item) => ({ type: "event", event: eventFrom(item) }));
  }
  onProblem({ file, line: number, message: "neither an audit event nor an AdmissionReview" });
  return [];
}

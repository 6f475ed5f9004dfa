/** Logs, reviews and objects put to policies, and compared with what happened or with other policies. */
import { statSync } from "node:fs";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { loadDocuments } from "../policy/load.ts";
import type { Decision } from "./decide.ts";
import { fromObject } from "./known-request.ts";
import { type Entry, type OnProblem, readLogs } from "./read-log.ts";
import { Replay, type Replayed, type ReplayOptions } from "./replay.ts";

export interface ReplayRun {
  /** Logs, and files with exported objects. */
  readonly inputs: readonly string[];
  readonly options: ReplayOptions;
  /** The policies to compare with; what happened, if undefined. */
  readonly against: ReplayOptions | undefined;
  readonly onProblem: OnProblem;
  /** Gets every write in turn, and the decision that it is compared with. */
  readonly onWrite: (replayed: Replayed, before: Decision | undefined) => void;
}

export interface ReplayEnd {
  readonly replay: Replay;
  /** Policies that the log changed. */
  readonly policyChanges: number;
}

/** Refusals are results here, and are made in great numbers: nobody reads where in the code they come from. */
export async function runReplay(run: ReplayRun): Promise<ReplayEnd> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await replayAll(run);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function replayAll(run: ReplayRun): Promise<ReplayEnd> {
  const { inputs, options, against, onProblem, onWrite } = run;
  const replay = new Replay(options);
  const other = against && new Replay(against);
  const logs = inputs.filter((input) => !isManifest(input));
  for (const object of loadDocuments(inputs.filter(isManifest)).map((document) => document.object)) {
    const made = askAbout(object, replay);
    if (made !== undefined) onWrite(made, other && askAbout(object, other)?.decision);
  }
  for await (const entries of readLogs(logs, onProblem)) {
    for (const entry of entries) {
      // Both read the same events with the same window, so they decide the same write at the same time.
      const pending = push(entry, replay);
      const made = pending instanceof Promise ? await pending : pending;
      const before = other && (await push(entry, other));
      if (made !== undefined) onWrite(made, before?.decision);
    }
  }
  const rest = other?.finish();
  for await (const made of replay.finish()) {
    const next = await rest?.next();
    onWrite(made, next?.done === false ? next.value.decision : undefined);
  }
  return { replay, policyChanges: replay.cluster.policyChanges };
}

function push(entry: Entry, replay: Replay): Replayed | Promise<Replayed> | undefined {
  switch (entry.type) {
    case "event":
      return replay.push(entry.event);
    case "damaged":
      return replay.pushDamaged(entry.line);
    case "request":
      return replay.pushRequest(entry.request);
  }
}

function askAbout(object: JsonObject, replay: Replay): Replayed | undefined {
  const resource = replay.cluster.resourceOf(object);
  return resource === undefined ? undefined : replay.pushRequest(fromObject(object, resource));
}

/** A folder, YAML, or JSON by its name; logs are named in other ways, or come from standard input. */
function isManifest(input: string): boolean {
  if (input === "-") return false;
  return /\.(ya?ml|json)$/i.test(input) || statSync(input, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * A run on two threads that divide the work by kind, so that neither has to load and warm up the code of the other.
 *
 * The reading thread reads all texts and reports where objects are that the review of others reads, and where
 * custom resources are. Then this thread checks the custom resources, and the other one objects of built-in kinds. It
 * leaves those that are not plainly valid to this thread: a few of them would not pay for the code that finds errors. The
 * thread that finishes first takes over what is left, if it is enough.
 */
import { on } from "node:events";
import type { Worker } from "node:worker_threads";
import type { CheckPlan, ChunkResult } from "@portcullis/checker/internal/check/chunk";
import { Texts } from "@portcullis/checker/internal/check/texts";
import { tuneForBusyProcessors } from "../frame/short-run.ts";
import { claimed, claims } from "./protocol.ts";
import {
  type FromReader,
  LeftFiles,
  newSharedNumbers,
  type SharedNumbers,
  type SortedFiles,
  type ToReader,
} from "./shared-work.ts";
import { digestOf } from "./text-digest.ts";

export interface TwoThreadOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Fewer files would be checked before this thread is warm. */
const WORTH_HELPING = 2000;

export async function runOnTwoThreads(
  reader: Worker,
  plan: CheckPlan,
  options: TwoThreadOptions,
): Promise<ChunkResult[]> {
  tuneForBusyProcessors();
  const messages: AsyncIterable<FromReader[]> = on(reader, "message", { close: ["exit"] });
  const shared = newSharedNumbers(plan.files.length);
  reader.postMessage({ plan, shared } satisfies ToReader);
  // Loaded while the other thread starts and reads.
  const { Chunk } = await import("@portcullis/checker/internal/check/chunk");
  const texts = new Texts(plan.files, plan.values);
  const left = new LeftFiles(shared);
  let chunk: InstanceType<typeof Chunk> | undefined;
  for await (const [message] of messages) {
    if (message === undefined) continue;
    if ("contextFiles" in message) {
      chunk = new Chunk(plan, texts, { ...message, digestOf });
      for (const index of ownFiles(message, shared, options)) await chunk.check(index);
    }
    if (chunk === undefined) continue;
    for (const index of left.take()) await chunk.check(index);
    if ("result" in message) return [chunk.result(), message.result];
  }
  throw new Error("a thread ended early");
}

function* ownFiles(sorted: SortedFiles, shared: SharedNumbers, { onProgress }: TwoThreadOptions): Generator<number> {
  const parts = [
    { files: sorted.custom, counter: shared.custom, least: 1 },
    { files: sorted.builtIn, counter: shared.builtIn, least: WORTH_HELPING },
  ];
  const doneIn = ({ files, counter }: (typeof parts)[number]): number => claimed(counter, files.length);
  const total = sorted.custom.length + sorted.builtIn.length;
  let last = 0;
  for (const part of parts) {
    if (part.files.length - doneIn(part) < part.least) continue;
    for (const at of claims(part.counter, part.files.length)) {
      const done = parts.reduce((sum, each) => sum + doneIn(each), 0);
      if (done !== last) onProgress?.(done, total);
      last = done;
      yield part.files[at] ?? -1;
    }
  }
}

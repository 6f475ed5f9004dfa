/**
 * A run on two threads with different work: one reads all files, this one checks objects of built-in kinds and CRDs as
 * they arrive. When all files are read, the other thread starts on the rest, mostly custom resources. The thread that
 * finishes first takes over what the other has not started.
 *
 * Two threads with the same work would both have to load and warm up everything, which takes longer than checking
 * thousands of files; with two processors that gains nothing.
 */
import { on } from "node:events";
import type { Worker } from "node:worker_threads";
import type { CheckPlan, Chunk, ChunkOptions, ChunkResult } from "@portcullis/checker/internal/check/chunk";
import { Texts } from "@portcullis/checker/internal/check/texts";
import { tuneForBusyProcessors } from "../frame/short-run.ts";
import {
  BATCH,
  checkBatch,
  claimed,
  claims,
  type FromReader,
  newCounter,
  type Rest,
  sharedNumbers,
  type ToReader,
  takes,
} from "./protocol.ts";

export interface TwoThreadOptions {
  readonly stdin: () => string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The results of both. None where an input counts for the review of others, which may have been checked by then. */
export async function runOnTwoThreads(
  reader: Worker,
  plan: CheckPlan,
  options: TwoThreadOptions,
): Promise<ChunkResult[]> {
  tuneForBusyProcessors();
  const messages: AsyncIterable<FromReader[]> = on(reader, "message", { close: ["exit"] });
  const given = plan.files.flatMap(({ file }, index) => (file === "-" ? [[index, options.stdin()] as const] : []));
  const [taken, counter] = [sharedNumbers(Math.ceil(plan.files.length / BATCH) + 1), newCounter()];
  const request: ToReader = { plan, given, taken, counter };
  reader.postMessage(request);
  const texts = new Texts(plan.files);
  for (const [index, text] of given) texts.keep(index, text);
  // Loaded while the other thread starts. CRDs do not matter for batches: none replaces a built-in kind.
  const { Chunk } = await import("@portcullis/checker/internal/check/chunk");
  const chunk = new Chunk(plan, texts, { contextFiles: [] });
  const results: ChunkResult[] = [];
  for await (const [message] of messages) {
    if (message === undefined) continue;
    if ("isRefused" in message) return [];
    if ("result" in message) return [chunk.result(), ...results, message.result];
    if ("files" in message)
      results.push(...(await helpWith(message, counter, (options) => new Chunk(plan, texts, options))));
    else if (takes(taken, message.number)) {
      options.onProgress?.(message.done, plan.files.length);
      await checkBatch(message, chunk);
    }
  }
  throw new Error("a thread ended early");
}

/** Fewer files would be checked before this thread has compiled the CRDs and warmed up. */
const WORTH_HELPING = 3000;

async function helpWith(
  { files, contextFiles }: Rest,
  counter: Int32Array,
  newChunk: (options: ChunkOptions) => Chunk,
): Promise<readonly ChunkResult[]> {
  if (files.length - claimed(counter, files.length) < WORTH_HELPING) return [];
  const chunk = newChunk({ contextFiles });
  for (const at of claims(counter, files.length, 0)) await chunk.check(files[at] ?? -1);
  return [chunk.result()];
}

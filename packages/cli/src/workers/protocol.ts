/**
 * The messages between threads, and how they divide the work.
 *
 * With many threads, each takes the next few files from a counter in shared memory. The main thread reads all of them
 * first, to know the CRDs; that is done before a new thread is warm. With two threads, one reads; see two-threads.ts.
 */

import type { CheckPlan, Chunk, ChunkResult } from "@portcullis/checker/internal/check/chunk";
import type { JsonObject } from "@portcullis/engine/internal/value/json";

export interface FromWorker {
  readonly result: ChunkResult;
}

export interface ToWorker {
  readonly plan: CheckPlan;
  readonly counter: Int32Array;
  /** The files with CRDs. */
  readonly contextFiles: readonly number[];
}

export interface ToReader {
  readonly plan: CheckPlan;
  /** For each batch, whether a thread has taken it. */
  readonly taken: Int32Array;
  /** Counts off the files that are left. */
  readonly counter: Int32Array;
}

export type FromReader = Batch | Rest | Refused | FromWorker;

/** The files cannot be checked while they are read. */
export interface Refused {
  readonly isRefused: true;
}

/** Files that can be checked before all CRDs are known. */
export interface Batch {
  readonly number: number;
  /** Files that contain only objects of built-in kinds. */
  readonly indices: readonly number[];
  /** The objects of each of them, as JSON. */
  readonly json: string;
  /** Files that contain only CRDs. */
  readonly definitions: readonly number[];
  /** How many files have been read. */
  readonly done: number;
}

/** The files that are in no batch. Sent after all files are read. */
export interface Rest {
  readonly files: readonly number[];
  /** All files that may contain CRDs. */
  readonly contextFiles: readonly number[];
}

/** Files of a batch. */
export const BATCH = 64;

export async function checkBatch({ indices, json, definitions }: Batch, chunk: Chunk): Promise<void> {
  for (const index of definitions) await chunk.check(index);
  const files: readonly (readonly JsonObject[])[] = JSON.parse(json);
  for (const [at, index] of indices.entries()) await chunk.checkObjects(index, files[at] ?? []);
}

/** Claims the item of this number: only one thread gets it. */
export function takes(taken: Int32Array, number: number): boolean {
  return Atomics.compareExchange(taken, number, 0, 1) === 0;
}

const CLAIM = 16;

export function newCounter(): Int32Array {
  return sharedNumbers(1);
}

export function sharedNumbers(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * count));
}

/** Indices that no other thread gets, until none are left. */
export function* claims(counter: Int32Array, count: number): Generator<number> {
  for (;;) {
    const start = Atomics.add(counter, 0, CLAIM);
    if (start >= count) return;
    const end = Math.min(start + CLAIM, count);
    for (let index = start; index < end; index++) yield index;
  }
}

export function claimed(counter: Int32Array, count: number): number {
  return Math.min(Atomics.load(counter, 0), count);
}

/**
 * The messages between threads, and how they divide the work.
 *
 * With many threads, each takes the next few files from a counter in shared memory. The main thread reads all of them
 * first, to know the CRDs; that is done before a new thread is warm. With two threads, the work is divided by kind; see
 * two-threads.ts.
 */

import type { CheckPlan, ChunkResult } from "@portcullis/checker/internal/check/chunk";

export interface FromWorker {
  readonly result: ChunkResult;
}

export interface ToWorker {
  readonly plan: CheckPlan;
  readonly counter: Int32Array;
  /** The files with CRDs. */
  readonly contextFiles: readonly number[];
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

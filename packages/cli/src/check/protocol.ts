/**
 * What threads tell each other.
 *
 * Where there are many, each takes the next few files to check from a counter in shared memory. The first reads all of
 * them before, to know the definitions; that is over before a new thread is warm.
 */
import type { CheckPlan, ShareResult } from "./share.ts";

export interface FromWorker {
  readonly result: ShareResult;
}

export interface ToWorker {
  readonly plan: CheckPlan;
  readonly counter: Int32Array;
  /** The first file that is shared. */
  readonly first: number;
  /** Where the definitions are. */
  readonly definitionFiles: readonly number[];
}

/** Where there are two, one reads; see tandem.ts. */
export interface ToReader {
  readonly plan: CheckPlan;
  /** The text of standard input, by the index of its file. */
  readonly given: readonly (readonly [number, string])[];
}

export type FromReader = ReadObjects | FromWorker;

/** Files that hold objects of built-in kinds and nothing else. */
export interface ReadObjects {
  readonly indices: readonly number[];
  /** The objects of each of them, as JSON. */
  readonly json: string;
  /** How many files have been read. */
  readonly done: number;
}

const CLAIM = 16;

export function newCounter(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Indices nobody else gets, from `first` on, until there are none left. */
export function* claims(counter: Int32Array, count: number, first: number): Generator<number> {
  for (;;) {
    const start = first + Atomics.add(counter, 0, CLAIM);
    if (start >= count) return;
    const end = Math.min(start + CLAIM, count);
    for (let index = start; index < end; index++) yield index;
  }
}

export function claimed(counter: Int32Array, count: number): number {
  return Math.min(Atomics.load(counter, 0), count);
}

/** How threads share the files of one run: by a counter in shared memory that each takes the next few from. */
import type { ShareResult } from "./share.ts";

export type FromWorker =
  | { readonly kind: "loaded"; readonly definitionFiles: readonly number[] }
  | { readonly kind: "checked"; readonly result: ShareResult };

/** Where the definitions are, once everything is loaded. */
export interface ToWorker {
  readonly definitionFiles: readonly number[];
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

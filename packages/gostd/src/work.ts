/**
 * Work that takes long although its input is small: comparing nested values that share parts, searching lists in loops,
 * matching long patterns. It cannot pause, so it counts its steps, and a program that also serves others may end it.
 */

/** Called about every tenth of a millisecond. Ends the work by throwing. */
export type WorkCheck = () => void;

/** A step takes some tens of nanoseconds. */
const STEPS_BETWEEN_CHECKS = 4096;

let current: WorkCheck | undefined;
let steps = 0;

/**
 * Counts steps of the work that runs.
 * @example countWork(100)
 */
export function countWork(count: number): void {
  if (current === undefined) return;
  steps += count;
  if (steps < STEPS_BETWEEN_CHECKS) return;
  steps = 0;
  current();
}

/**
 * Runs a synchronous function, and calls `check` while it works.
 * @example checkWork(() => {}, () => 1 + 1) // 2
 */
export function checkWork<T>(check: WorkCheck, run: () => T): T {
  const outer = current;
  current = check;
  try {
    return run();
  } finally {
    current = outer;
  }
}

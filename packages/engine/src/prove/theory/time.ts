/**
 * Ends computations when the time for a question is up. The budget is not passed to each function: every part of a proof
 * can take long, down to the search for a text that matches a pattern.
 */

/** Unwinds everything: the time or the number of paths is used up. */
export class OutOfBudget extends Error {}

export interface Budget {
  /** Called once for each path; throws OutOfBudget. */
  spend(): void;
}

/** The cases and the time for a question. */
export interface QuestionBudget extends Budget {
  /** Called often; throws OutOfBudget when the time is up. */
  tick(): void;
  /** The same, with less time: 0.5 is the first half. */
  part(share: number): QuestionBudget;
}

let current: QuestionBudget | undefined;

/** Runs a computation that throws OutOfBudget when the time is up. */
export function limitedBy<T>(budget: QuestionBudget, run: () => T): T {
  const before = current;
  current = budget;
  try {
    return run();
  } finally {
    current = before;
  }
}

/** Throws OutOfBudget when the time of the running computation is up. */
export function tick(): void {
  current?.tick();
}

/** Work in steps, so that a server can let others run in between. What it means does not depend on who drives it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** All steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Which policies are asked again.
 *
 * Whenever something was changed all of admission runs a second time. Of the policies only those with `IfNeeded` take
 * part then, and only where something changed after they ran; a mutation counts as a change although it leaves the
 * object as it was. Follows apiserver pkg/admission/plugin/policy/mutating/reinvocationcontext.go.
 */
import { deepEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";

/** What one run over the policies leaves for the next. Never changed once made. */
export interface ReinvocationState {
  /** The object as the last run left it. */
  readonly lastOutput: JsonObject | undefined;
  /** Those that ran and may run again. */
  readonly invoked: ReadonlySet<string>;
  /** Those that are to run again. */
  readonly due: ReadonlySet<string>;
}

export const FIRST_RUN: ReinvocationState = { lastOutput: undefined, invoked: new Set(), due: new Set() };

export class Reinvocation {
  readonly isReinvoke: boolean;
  #invoked: ReadonlySet<string>;
  #due: ReadonlySet<string>;
  /** Whether admission has to run again. */
  isWanted = false;

  constructor(state: ReinvocationState, isReinvoke: boolean, object: JsonObject | undefined) {
    this.isReinvoke = isReinvoke;
    this.#invoked = state.invoked;
    this.#due = state.due;
    if (isReinvoke && !deepEqual(state.lastOutput ?? null, object ?? null)) this.#requireInvoked();
  }

  /** Whether a policy sits this run out. */
  isSkipped(key: string): boolean {
    return this.isReinvoke && !this.#due.has(key);
  }

  changed(): void {
    this.#requireInvoked();
    this.isWanted = true;
  }

  mayRunAgain(key: string): void {
    this.#invoked = new Set([...this.#invoked, key]);
  }

  leave(lastOutput: JsonObject | undefined): ReinvocationState {
    return { lastOutput, invoked: this.#invoked, due: this.#due };
  }

  #requireInvoked(): void {
    if (this.#invoked.size === 0) return;
    this.#due = new Set([...this.#due, ...this.#invoked]);
    this.#invoked = new Set();
  }
}

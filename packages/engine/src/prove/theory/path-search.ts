/**
 * All execution paths ("ways") through a computation that makes choices. The computation runs again for each path:
 * earlier choices are repeated, and the last one with another option takes it.
 */
import { type Budget, tick } from "./time.ts";

/** Unwinds a contradictory path. Never leaves this folder. */
class Infeasible extends Error {
  constructor() {
    super("infeasible");
  }
}

/** A shared instance: creating an error takes longer than most paths. */
export const INFEASIBLE = new Infeasible();

/** Unwinds a path with something that the proof does not model. */
export class Unmodeled extends Error {}

interface Choice {
  taken: number;
  readonly options: number;
}

export class Choices {
  readonly #made: Choice[];
  #at = 0;

  constructor(made: Choice[]) {
    this.#made = made;
  }

  /** An option from 0 up to `options`. */
  choose(options: number): number {
    tick();
    if (options <= 0) throw INFEASIBLE;
    if (options === 1) return 0;
    const known = this.#made[this.#at++];
    if (known !== undefined) return known.taken;
    this.#made.push({ taken: 0, options });
    return 0;
  }
}

export type Way<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "unmodeled"; readonly reason: string };

/** Every path that is not contradictory. */
export function* allWays<T>(run: (choices: Choices) => T, budget: Budget): Generator<Way<T>, void, void> {
  const made: Choice[] = [];
  do {
    budget.spend();
    const way = runOnce(run, new Choices(made));
    if (way !== undefined) yield way;
  } while (advance(made));
}

function runOnce<T>(run: (choices: Choices) => T, choices: Choices): Way<T> | undefined {
  try {
    return { kind: "done", value: run(choices) };
  } catch (thrown) {
    if (thrown instanceof Infeasible) return undefined;
    if (thrown instanceof Unmodeled) return { kind: "unmodeled", reason: thrown.message };
    throw thrown;
  }
}

function advance(made: Choice[]): boolean {
  for (let last = made.at(-1); last !== undefined; last = made.at(-1)) {
    last.taken++;
    if (last.taken < last.options) return true;
    made.pop();
  }
  return false;
}

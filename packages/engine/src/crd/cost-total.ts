/** What all rules of one schema cost together, and which of them cost most. */
import { type FieldError, forbidden } from "../field/error.ts";
import type { FieldPath } from "../field/path.ts";
import { STATIC_ESTIMATED_CRD_COST_LIMIT } from "../kubecel/limits.ts";
import * as messages from "./messages.ts";

const MAX_COST = 2n ** 64n - 1n;
const MOST_EXPENSIVE = 4;
/** A rule below one part in a hundred of the limit is not worth naming. */
const WORTH_NAMING = STATIC_ESTIMATED_CRD_COST_LIMIT / 100n;

export class TotalCost {
  #total = 0n;
  #mostExpensive: { readonly path: FieldPath; readonly cost: bigint }[] = [];

  get total(): bigint {
    return this.#total;
  }

  observe(path: FieldPath, cost: bigint): void {
    this.#total = addSaturated(this.#total, cost);
    if (cost < WORTH_NAMING) return;
    const sorted = [...this.#mostExpensive, { path, cost }].sort((a, b) => Number(b.cost - a.cost));
    this.#mostExpensive = sorted.slice(0, MOST_EXPENSIVE);
  }

  /** The limit for the whole schema holds even where it does not change. */
  errors(path: FieldPath): FieldError[] {
    if (this.#total <= STATIC_ESTIMATED_CRD_COST_LIMIT) return [];
    const contributions = this.#mostExpensive.map((each) =>
      forbidden(each.path, messages.contributedToTotal(), "cost"),
    );
    const detail = messages.costExceeded(messages.TOTAL_COST, this.#total, STATIC_ESTIMATED_CRD_COST_LIMIT);
    return [...contributions, forbidden(path, detail, "cost")];
  }
}

function addSaturated(a: bigint, b: bigint): bigint {
  return saturated(a + b);
}

export function multiplySaturated(a: bigint, b: bigint): bigint {
  return saturated(a * b);
}

// Math.min takes no bigint.
function saturated(cost: bigint): bigint {
  if (cost > MAX_COST) return MAX_COST;
  return cost;
}

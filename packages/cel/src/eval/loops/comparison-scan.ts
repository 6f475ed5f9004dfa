/**
 * Conditions of loops that only compare the element, or a field of it, with a value that stays the same:
 * `items.exists(i, i.name == self.name)`. They are decided on the data of each element, without binding the variable
 * and running the condition. Results and costs are the same; where the data is not two ints or two strings, the
 * condition is run.
 */
import { isBare } from "../../values/json.ts";
import type { Frame } from "../frame.ts";
import type { Comparison, Plan } from "../plan.ts";
import { lesserTextTraversal } from "../price.ts";
import type { Entries, LoopVariables } from "./entries.ts";

/** A condition that can be scanned for. */
interface ScanPlan extends Comparison {
  /** The field of the element; undefined if the element itself is compared. */
  readonly name: string | undefined;
}

/** Decides the condition of one loop; undefined if that has to run it. */
export type StartScan = (frame: Frame, entries: Entries) => Scan | undefined;

/** Undefined if the condition needs more than a comparison with what stays the same. */
export function planScan({ comparison }: Plan, variables: LoopVariables): StartScan | undefined {
  if (comparison === undefined || variables.second >= 0) return undefined;
  const plan = scanPlan(comparison, variables) ?? scanPlan(swapped(comparison), variables);
  if (plan === undefined) return undefined;
  const { run } = plan.right;
  return (frame, entries) => {
    const { data } = entries;
    if (data === undefined || data.length === 0) return undefined;
    const { cost } = frame;
    const right = run(frame);
    // Each test charges it.
    const rightCost = frame.cost - cost;
    frame.cost = cost;
    if (typeof right !== "number" && (typeof right !== "string" || !plan.isEquality)) return undefined;
    return new Scan(plan, data, entries, right, rightCost);
  };
}

/** The left operand must be the element or a field of it, the right one must stay the same. */
function scanPlan(comparison: Comparison, { first, found }: LoopVariables): ScanPlan | undefined {
  const { left, right } = comparison;
  if (left.slot !== first) return undefined;
  const { constant, slot } = right;
  const staysSame = constant !== undefined || (slot !== undefined && slot !== first && !found.includes(slot));
  return staysSame ? { ...comparison, name: left.read?.name } : undefined;
}

function swapped({ left, right, outcomes: { less, equal, greater }, ...rest }: Comparison): Comparison {
  return { ...rest, left: right, right: left, outcomes: { less: greater, equal, greater: less } };
}

class Scan {
  readonly #data: readonly unknown[];
  readonly #name: string;
  /** Whether `#data` holds what is compared, rather than the objects it is a field of. */
  readonly #isDirect: boolean;
  readonly #right: string | number;
  readonly #cost: number;
  readonly #isPriced: boolean;
  readonly #less: boolean;
  readonly #equal: boolean;
  readonly #greater: boolean;

  constructor(plan: ScanPlan, data: readonly unknown[], entries: Entries, right: string | number, rightCost: number) {
    const { name, isPriced, outcomes } = plan;
    const column = name === undefined ? data : entries.column(name);
    this.#data = column ?? data;
    this.#name = name ?? "";
    this.#isDirect = column !== undefined;
    this.#right = right;
    this.#cost = rightCost;
    this.#isPriced = isPriced;
    this.#less = outcomes.less;
    this.#equal = outcomes.equal;
    this.#greater = outcomes.greater;
  }

  /** The value of the condition for an element, charged; undefined, and nothing charged, if it must be run. */
  test(frame: Frame, index: number): boolean | undefined {
    let left = this.#data[index];
    if (!this.#isDirect) left = isBare(left) ? left[this.#name] : undefined;
    const right = this.#right;
    if (typeof left === "string" && typeof right === "string") {
      const price = this.#isPriced ? lesserTextTraversal(left, right) : 0;
      frame.cost += this.#cost + price;
      return (left === right) === this.#equal;
    }
    if (typeof left !== "number" || typeof right !== "number" || (left | 0) !== left) return undefined;
    frame.cost += this.#isPriced ? this.#cost + 1 : this.#cost;
    return left < right ? this.#less : left === right ? this.#equal : this.#greater;
  }
}

/**
 * Conditions that only compare the element, or a field of it, with a value that stays the same:
 * `items.exists(i, i.name == self.name)`. The data must be two ints or two strings.
 */
import type { Column, ColumnIndex } from "../../values/column.ts";
import { fieldOf } from "../../values/json.ts";
import type { Frame } from "../frame.ts";
import type { Comparison, Outcomes, Plan } from "../plan.ts";
import { lesserTextTraversal, traversalOf } from "../price.ts";
import type { LoopVariables } from "./entries.ts";
import type { Scan, StartScan } from "./scan.ts";

/** A condition that can be scanned for. */
interface ScanPlan extends Comparison {
  /** The field of the element; undefined if the element itself is compared. */
  readonly name: string | undefined;
}

/** Undefined if the condition needs more than a comparison with what stays the same. */
export function planComparisonScan({ comparison }: Plan, variables: LoopVariables): StartScan | undefined {
  if (comparison === undefined) return undefined;
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
    return new ComparisonScan(plan, data, entries.column(plan.name), right, rightCost);
  };
}

type Known = string | number;

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

class ComparisonScan implements Scan {
  /** What is compared if `#name` is empty, otherwise the objects it is a field of. */
  readonly #data: readonly unknown[];
  readonly #name: string;
  readonly #right: string | number;
  readonly #cost: number;
  readonly #isPriced: boolean;
  readonly #outcomes: Outcomes;
  /** Set if equal elements are found by an index. */
  readonly #equals: Equals | undefined;

  constructor(plan: ScanPlan, data: readonly unknown[], column: Column | undefined, right: Known, cost: number) {
    const { name, isPriced, outcomes, isEquality } = plan;
    const index = isEquality ? column?.index(traversalOf) : undefined;
    this.#data = column?.values ?? data;
    this.#name = column === undefined && name !== undefined ? name : "";
    this.#right = right;
    this.#cost = cost;
    this.#isPriced = isPriced;
    this.#outcomes = outcomes;
    this.#equals = index?.type === typeof right ? new Equals(index, right, isPriced) : undefined;
  }

  next(frame: Frame, from: number, wanted: boolean, fixed: number): number {
    const each = fixed + this.#cost;
    const { equal } = this.#outcomes;
    if (this.#equals !== undefined && equal === wanted) return this.#equals.next(frame, from, each);
    const right = this.#right;
    if (typeof right === "string") return this.#nextText(frame, from, wanted, each, right);
    return this.#nextInt(frame, from, wanted, each, right);
  }

  #nextText(frame: Frame, from: number, wanted: boolean, each: number, right: string): number {
    const data = this.#data;
    const name = this.#name;
    const isPriced = this.#isPriced;
    const sought = this.#outcomes.equal === wanted;
    let cost = 0;
    let position = from;
    for (; position < data.length; position++) {
      const left = name === "" ? data[position] : fieldOf(data[position], name);
      if (typeof left !== "string") break;
      cost += isPriced ? each + lesserTextTraversal(left, right) : each;
      if ((left === right) === sought) {
        frame.cost += cost;
        return position;
      }
    }
    frame.cost += cost;
    return position === data.length ? position : ~position;
  }

  #nextInt(frame: Frame, from: number, wanted: boolean, each: number, right: number): number {
    const data = this.#data;
    const name = this.#name;
    const { less, equal, greater } = this.#outcomes;
    const price = this.#isPriced ? each + 1 : each;
    let position = from;
    for (; position < data.length; position++) {
      const left = name === "" ? data[position] : fieldOf(data[position], name);
      if (typeof left !== "number" || (left | 0) !== left) break;
      if ((left < right ? less : left === right ? equal : greater) === wanted) {
        frame.cost += (position + 1 - from) * price;
        return position;
      }
    }
    frame.cost += (position - from) * price;
    return position === data.length ? position : ~position;
  }
}

/** The elements that equal a value, from first to last. */
class Equals {
  readonly #index: ColumnIndex;
  /** At index i: what the comparison costs for the first i elements. */
  readonly #costs: readonly number[];
  #position: number;

  constructor(index: ColumnIndex, value: Known, isPriced: boolean) {
    this.#index = index;
    this.#costs = index.sums(isPriced ? traversalOf(value) : 0);
    this.#position = index.first(value);
  }

  next(frame: Frame, from: number, each: number): number {
    const costs = this.#costs;
    let position = this.#position;
    while (position < from) position = this.#index.following(position);
    this.#position = position;
    const end = Math.min(position + 1, costs.length - 1);
    frame.cost += (end - from) * each + (costs[end] ?? 0) - (costs[from] ?? 0);
    return position;
  }
}

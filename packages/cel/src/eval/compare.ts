/**
 * `==`, `!=` and the four orderings. Two numbers, the common case, are settled before anything else is asked.
 */
import type { Type } from "../types/type.ts";
import { compareValues } from "../values/compare.ts";
import { equalValues } from "../values/equal.ts";
import { CelError, type Value } from "../values/value.ts";
import type { Frame, Run } from "./frame.ts";
import { canCompare, mismatch } from "./mismatch.ts";
import type { Plan, Planning } from "./plan.ts";
import { equalityPrice, lesserTraversal, type Price, traversalOf } from "./price.ts";

type Slow = (frame: Frame, left: Value, right: Value) => Value;

interface Ordering {
  readonly accepts: (order: number) => boolean;
  readonly run: (left: Run, right: Run, slow: Slow) => Run;
  readonly runConstant: (left: Run, right: number, slow: Slow) => Run;
}

// biome-ignore format: a table
const ORDERINGS: Readonly<Record<string, Ordering>> = {
  "_<_": {
    accepts: (order) => order < 0,
    run: (left, right, slow) => (frame) => { const l = left(frame); const r = right(frame); return typeof l === "number" && typeof r === "number" ? l < r : slow(frame, l, r); },
    runConstant: (left, r, slow) => (frame) => { const l = left(frame); return typeof l === "number" ? l < r : slow(frame, l, r); },
  },
  "_<=_": {
    accepts: (order) => order <= 0,
    run: (left, right, slow) => (frame) => { const l = left(frame); const r = right(frame); return typeof l === "number" && typeof r === "number" ? l <= r : slow(frame, l, r); },
    runConstant: (left, r, slow) => (frame) => { const l = left(frame); return typeof l === "number" ? l <= r : slow(frame, l, r); },
  },
  "_>_": {
    accepts: (order) => order > 0,
    run: (left, right, slow) => (frame) => { const l = left(frame); const r = right(frame); return typeof l === "number" && typeof r === "number" ? l > r : slow(frame, l, r); },
    runConstant: (left, r, slow) => (frame) => { const l = left(frame); return typeof l === "number" ? l > r : slow(frame, l, r); },
  },
  "_>=_": {
    accepts: (order) => order >= 0,
    run: (left, right, slow) => (frame) => { const l = left(frame); const r = right(frame); return typeof l === "number" && typeof r === "number" ? l >= r : slow(frame, l, r); },
    runConstant: (left, r, slow) => (frame) => { const l = left(frame); return typeof l === "number" ? l >= r : slow(frame, l, r); },
  },
};

export function planOrdering(
  planning: Planning,
  functionName: string,
  price: Price,
  left: Plan,
  right: Plan,
): Plan | undefined {
  const ordering = ORDERINGS[functionName];
  if (ordering === undefined) return undefined;
  const order = orderOf(functionName, ordering.accepts);
  if (price.ofTwo !== undefined) return planPricedOrdering(planning, order, left, right);
  const slow: Slow = (_frame, l, r) => order(l, r);
  const constant = right.constant;
  const run =
    typeof constant === "number"
      ? ordering.runConstant(left.run, constant, slow)
      : ordering.run(left.run, right.run, slow);
  return planning.node(run, price.fixed, [left, right]);
}

/** Strings and bytes, whose price depends on how long they are. */
function planPricedOrdering(
  planning: Planning,
  order: (left: Value, right: Value) => Value,
  left: Plan,
  right: Plan,
): Plan {
  const { run: runLeft } = left;
  const { run: runRight } = right;
  const run: Run = (frame) => {
    const l = runLeft(frame);
    const r = runRight(frame);
    frame.cost += lesserTraversal(l, r);
    return order(l, r);
  };
  return planning.node(run, 0, [left, right]);
}

function orderOf(functionName: string, accepts: (order: number) => boolean): (left: Value, right: Value) => Value {
  return (left, right) => {
    if (left instanceof CelError) return left;
    if (right instanceof CelError || !canCompare(left)) return mismatch(functionName, [left, right]);
    const order = compareValues(left, right);
    return order instanceof CelError ? order : accepts(order);
  };
}

/** `!=` is true where the comparison itself fails. */
export function planEquality(
  planning: Planning,
  functionName: "_==_" | "_!=_",
  left: Plan,
  right: Plan,
  types: readonly Type[],
): Plan {
  const negate = functionName === "_!=_";
  const price = equalityPrice(functionName, planning.environment.costModel);
  const settle = (l: Value, r: Value): Value => {
    if (l instanceof CelError) return l;
    if (r instanceof CelError) return r;
    const equal = equalValues(l, r);
    return negate ? equal !== true : equal;
  };
  const slow: Slow = (frame, l, r) => {
    const result = settle(l, r);
    frame.cost += price(l, r, result);
    return result;
  };
  const text = typeof right.constant === "string" ? right.constant : undefined;
  if (types.every(isScalar)) return planScalarEquality(planning, negate, left, right, settle);
  if (text !== undefined && text.length > 0 && text.length <= 10)
    return planTextEquality(planning, negate, left, text, slow);
  return planning.node(generalEquality(negate, left.run, right.run, slow), 0, [left, right]);
}

const SCALARS: ReadonlySet<string> = new Set([
  "int",
  "uint",
  "double",
  "bool",
  "timestamp",
  "duration",
  "null",
  "type",
]);

function isScalar(type: Type): boolean {
  return SCALARS.has(type.kind);
}

/** Scalars have size 1, so the price is 1. */
function planScalarEquality(
  planning: Planning,
  negate: boolean,
  left: Plan,
  right: Plan,
  settle: (left: Value, right: Value) => Value,
): Plan {
  const { run: runLeft } = left;
  const { run: runRight } = right;
  const run: Run = (frame) => {
    const l = runLeft(frame);
    const r = runRight(frame);
    if (typeof l === "number" && typeof r === "number") return (l === r) !== negate;
    return settle(l, r);
  };
  return planning.node(run, 1, [left, right]);
}

/** Against a short literal the price is 1, or 0 where the other text is empty. */
function planTextEquality(planning: Planning, negate: boolean, left: Plan, text: string, slow: Slow): Plan {
  const { run: runLeft } = left;
  const run: Run = (frame) => {
    const l = runLeft(frame);
    if (typeof l !== "string") return slow(frame, l, text);
    if (l.length > 0) frame.cost += 1;
    return (l === text) !== negate;
  };
  return planning.node(run, 0, [left]);
}

function generalEquality(negate: boolean, runLeft: Run, runRight: Run, slow: Slow): Run {
  return (frame) => {
    const l = runLeft(frame);
    const r = runRight(frame);
    if (typeof l === "string" && typeof r === "string") {
      const equal = l === r;
      frame.cost += equal ? traversalOf(l) : lesserTraversal(l, r);
      return equal !== negate;
    }
    if (typeof l === "number" && typeof r === "number") {
      frame.cost += 1;
      return (l === r) !== negate;
    }
    return slow(frame, l, r);
  };
}

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
import { equalityPrice, lesserTextTraversal, lesserTraversal, type Price, traversalOf } from "./price.ts";
import { readField } from "./read.ts";

type Slow = (frame: Frame, left: Value, right: Value) => Value;

/** Which outcomes of a comparison the operator accepts. */
interface Ordering {
  readonly less: boolean;
  readonly equal: boolean;
  readonly greater: boolean;
}

const ORDERINGS: Readonly<Record<string, Ordering>> = {
  "_<_": { less: true, equal: false, greater: false },
  "_<=_": { less: true, equal: true, greater: false },
  "_>_": { less: false, equal: false, greater: true },
  "_>=_": { less: false, equal: true, greater: true },
};

function accepts({ less, equal, greater }: Ordering, left: number, right: number): boolean {
  if (left < right) return less;
  return left === right ? equal : greater;
}

export function planOrdering(
  planning: Planning,
  functionName: string,
  price: Price,
  left: Plan,
  right: Plan,
): Plan | undefined {
  const ordering = ORDERINGS[functionName];
  if (ordering === undefined) return undefined;
  const order = orderOf(functionName, ordering);
  if (price.ofTwo !== undefined) return planPricedOrdering(planning, order, left, right);
  return planning.node(orderingRun(ordering, order, left, right), price.fixed, [left, right]);
}

type Order = (left: Value, right: Value) => Value;

function orderingRun(ordering: Ordering, order: Order, left: Plan, right: Plan): Run {
  const { run: runLeft, read } = left;
  const { run: runRight, constant: r } = right;
  if (typeof r !== "number") {
    return (frame) => {
      const l = runLeft(frame);
      const r = runRight(frame);
      return typeof l === "number" && typeof r === "number" ? accepts(ordering, l, r) : order(l, r);
    };
  }
  if (read === undefined) {
    return (frame) => {
      const l = runLeft(frame);
      return typeof l === "number" ? accepts(ordering, l, r) : order(l, r);
    };
  }
  return (frame) => {
    const l = readField(frame, read);
    return typeof l === "number" ? accepts(ordering, l, r) : order(l, r);
  };
}

/** Strings and bytes, whose price depends on how long they are. */
function planPricedOrdering(planning: Planning, order: Order, left: Plan, right: Plan): Plan {
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

function orderOf(functionName: string, ordering: Ordering): Order {
  return (left, right) => {
    if (left instanceof CelError) return left;
    if (right instanceof CelError || !canCompare(left)) return mismatch(functionName, [left, right]);
    const order = compareValues(left, right);
    return order instanceof CelError ? order : accepts(ordering, order, 0);
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
    if (typeof l === "number" && typeof r === "number") return negate ? l !== r : l === r;
    return settle(l, r);
  };
  return planning.node(run, 1, [left, right]);
}

/** Against a short literal the price is 1, or 0 where the other text is empty. */
function planTextEquality(planning: Planning, negate: boolean, left: Plan, text: string, slow: Slow): Plan {
  const { run: runLeft, read } = left;
  const settle = (frame: Frame, l: Value): Value => {
    if (typeof l !== "string") return slow(frame, l, text);
    if (l.length > 0) frame.cost += 1;
    return negate ? l !== text : l === text;
  };
  const run: Run =
    read === undefined ? (frame) => settle(frame, runLeft(frame)) : (frame) => settle(frame, readField(frame, read));
  return planning.node(run, 0, [left]);
}

function generalEquality(negate: boolean, runLeft: Run, runRight: Run, slow: Slow): Run {
  return (frame) => {
    const l = runLeft(frame);
    const r = runRight(frame);
    if (typeof l === "string" && typeof r === "string") {
      const equal = l === r;
      frame.cost += equal ? traversalOf(l) : lesserTextTraversal(l, r);
      return negate ? !equal : equal;
    }
    if (typeof l === "number" && typeof r === "number") {
      frame.cost += 1;
      return negate ? l !== r : l === r;
    }
    return slow(frame, l, r);
  };
}

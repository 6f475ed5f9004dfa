/**
 * `==`, `!=` and the four orderings. Two numbers, the common case, are compared first.
 */
import type { Type } from "../../types/type.ts";
import { compareValues } from "../../values/compare.ts";
import { equalValues } from "../../values/equal.ts";
import { CelError, type Value } from "../../values/value.ts";
import type { Frame, Run } from "../frame.ts";
import { canCompare, mismatch } from "../mismatch.ts";
import { type FieldRead, type Outcomes, type Plan, type Planning, readOf } from "../plan.ts";
import { equalityPrice, lesserTextTraversal, lesserTraversal, type Price, traversalOf } from "../price.ts";
import { planJoinedEquality } from "./joined-equality.ts";

type Slow = (frame: Frame, left: Value, right: Value) => Value;

const ORDERINGS: Readonly<Record<string, Outcomes>> = {
  "_<_": { less: true, equal: false, greater: false },
  "_<=_": { less: true, equal: true, greater: false },
  "_>_": { less: false, equal: false, greater: true },
  "_>=_": { less: false, equal: true, greater: true },
};

function accepts({ less, equal, greater }: Outcomes, left: number, right: number): boolean {
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
  const plan = planning.node(orderingRun(ordering, order, left, right), price.fixed, [left, right]);
  return { ...plan, comparison: { left, right, outcomes: ordering, isEquality: false, isPriced: false } };
}

type Order = (left: Value, right: Value) => Value;

// The case of two ints is written out in each closure: JavaScript engines are slow to inline a function into one.
function orderingRun(ordering: Outcomes, order: Order, left: Plan, right: Plan): Run {
  if (left.read !== undefined && typeof right.constant === "number")
    return fieldToConstant(ordering, order, left.read, right.constant);
  if (left.read !== undefined && right.read !== undefined) return fieldToField(ordering, order, left.read, right.read);
  const { run: runLeft } = left;
  const { run: runRight, constant } = right;
  const { less, equal, greater } = ordering;
  if (left.sizeOf !== undefined && typeof constant === "number")
    return sizeToConstant(ordering, order, left.sizeOf, constant);
  if (typeof constant === "number") {
    return (frame) => {
      const l = runLeft(frame);
      if (typeof l === "number") return l < constant ? less : l === constant ? equal : greater;
      return order(l, constant);
    };
  }
  return (frame) => {
    const l = runLeft(frame);
    const r = runRight(frame);
    if (typeof l === "number" && typeof r === "number") return l < r ? less : l === r ? equal : greater;
    return order(l, r);
  };
}

/** A text has at most as many code points as UTF-16 units and at least half as many, which is often enough to know. */
function sizeToConstant(
  { less, equal, greater }: Outcomes,
  order: Order,
  { operand, size }: NonNullable<Plan["sizeOf"]>,
  r: number,
): Run {
  const { slot, name, otherwise } = readOf(operand);
  return (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const value = found === undefined ? otherwise(frame) : found;
    if (typeof value === "string") {
      const { length } = value;
      if (length < r) return less;
      if (length > 2 * r) return greater;
    }
    const l = size(value);
    if (typeof l === "number") return l < r ? less : l === r ? equal : greater;
    return order(l, r);
  };
}

function fieldToConstant({ less, equal, greater }: Outcomes, order: Order, read: FieldRead, r: number): Run {
  const { slot, name, otherwise } = read;
  return (frame) => {
    const found = frame.field(slot, name);
    const l = found === undefined ? otherwise(frame) : found;
    if (typeof l === "number") return l < r ? less : l === r ? equal : greater;
    return order(l, r);
  };
}

function fieldToField({ less, equal, greater }: Outcomes, order: Order, left: FieldRead, right: FieldRead): Run {
  const { slot, name, otherwise } = left;
  const { slot: rightSlot, name: rightName, otherwise: rightOtherwise } = right;
  return (frame) => {
    const found = frame.field(slot, name);
    const l = found === undefined ? otherwise(frame) : found;
    const rightFound = frame.field(rightSlot, rightName);
    const r = rightFound === undefined ? rightOtherwise(frame) : rightFound;
    if (typeof l === "number" && typeof r === "number") return l < r ? less : l === r ? equal : greater;
    return order(l, r);
  };
}

/** Strings and bytes, whose cost depends on their length. */
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

function orderOf(functionName: string, ordering: Outcomes): Order {
  return (left, right) => {
    if (left instanceof CelError) return left;
    if (right instanceof CelError || !canCompare(left)) return mismatch(functionName, [left, right]);
    const order = compareValues(left, right);
    return order instanceof CelError ? order : accepts(ordering, order, 0);
  };
}

/** `!=` is true if the comparison itself fails. */
export function planEquality(
  planning: Planning,
  functionName: "_==_" | "_!=_",
  left: Plan,
  right: Plan,
  types: readonly Type[],
): Plan {
  const negate = functionName === "_!=_";
  const price = equalityPrice(functionName, planning.environment.costModel);
  const equality = (l: Value, r: Value): Value => {
    if (l instanceof CelError) return l;
    if (r instanceof CelError) return r;
    const equal = equalValues(l, r);
    return negate ? equal !== true : equal;
  };
  const slow: Slow = (frame, l, r) => {
    if (typeof l === "string" && typeof r === "string") {
      const equal = l === r;
      // Of two equal texts the right one is more likely to be read from data, with a known length.
      frame.cost += equal ? traversalOf(r) : lesserTextTraversal(l, r);
      return negate ? !equal : equal;
    }
    const result = equality(l, r);
    frame.cost += price(l, r, result);
    return result;
  };
  const isPriced = !types.every(isScalar);
  const plan = isPriced
    ? planPricedEquality(planning, negate, left, right, slow)
    : planScalarEquality(planning, negate, left, right, equality);
  const outcomes = negate ? UNEQUAL : EQUAL;
  return { ...plan, comparison: { left, right, outcomes, isEquality: true, isPriced } };
}

const EQUAL: Outcomes = { less: false, equal: true, greater: false };
const UNEQUAL: Outcomes = { less: true, equal: false, greater: true };

function planPricedEquality(planning: Planning, negate: boolean, left: Plan, right: Plan, slow: Slow): Plan {
  const { constant } = right;
  if (typeof constant === "string" && constant.length <= 10)
    return planTextEquality(planning, negate, left, constant, slow);
  if (typeof constant === "number") return planIntEquality(planning, negate, left, constant, slow);
  const general = generalEquality(negate, left.run, right.run, slow);
  return planJoinedEquality(planning, negate, [left, right], general) ?? planning.node(general, 0, [left, right]);
}

function planIntEquality(planning: Planning, negate: boolean, left: Plan, int: number, slow: Slow): Plan {
  const { run: runLeft } = left;
  const run: Run = (frame) => {
    const l = runLeft(frame);
    if (typeof l !== "number") return slow(frame, l, int);
    frame.cost += 1;
    return negate ? l !== int : l === int;
  };
  return planning.node(run, 0, [left]);
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

/** Scalars have size 1, so the cost is 1. */
function planScalarEquality(
  planning: Planning,
  negate: boolean,
  left: Plan,
  right: Plan,
  equality: (left: Value, right: Value) => Value,
): Plan {
  const { run: runLeft } = left;
  const { run: runRight } = right;
  const run: Run = (frame) => {
    const l = runLeft(frame);
    const r = runRight(frame);
    if (typeof l === "number" && typeof r === "number") return negate ? l !== r : l === r;
    return equality(l, r);
  };
  return planning.node(run, 1, [left, right]);
}

/** A comparison with a short literal costs 1, or 0 if either text is empty. */
function planTextEquality(planning: Planning, negate: boolean, left: Plan, text: string, slow: Slow): Plan {
  const { run: runLeft, read } = left;
  const price = text === "" ? 0 : 1;
  if (read === undefined) {
    const run: Run = (frame) => {
      const l = runLeft(frame);
      if (typeof l !== "string") return slow(frame, l, text);
      if (l !== "") frame.cost += price;
      return negate ? l !== text : l === text;
    };
    return planning.node(run, 0, [left]);
  }
  const { slot, name, otherwise } = read;
  const run: Run = (frame) => {
    const found = frame.field(slot, name);
    const l = found === undefined ? otherwise(frame) : found;
    if (typeof l !== "string") return slow(frame, l, text);
    if (l !== "") frame.cost += price;
    return negate ? l !== text : l === text;
  };
  return planning.node(run, 0, [left]);
}

/** The shorter of two texts decides the cost, which is 1 up to ten code points. */
function generalEquality(negate: boolean, runLeft: Run, runRight: Run, slow: Slow): Run {
  return (frame) => {
    const l = runLeft(frame);
    const r = runRight(frame);
    if (typeof l === "string" && typeof r === "string" && (l.length <= 10 || r.length <= 10)) {
      if (l !== "" && r !== "") frame.cost += 1;
      return negate ? l !== r : l === r;
    }
    if (typeof l === "number" && typeof r === "number") {
      frame.cost += 1;
      return negate ? l !== r : l === r;
    }
    return slow(frame, l, r);
  };
}

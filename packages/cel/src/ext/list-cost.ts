/**
 * The costs of list functions: estimates and actual costs.
 *
 * Estimates are uint64 arithmetic with upstream's overflows: a slice whose bounds are in the wrong order wraps
 * to a huge size. Follows cel-go ext/lists.go and ext/sets.go.
 */
import type { CallEstimate, CostNode, OverloadCost, SizeEstimate, SizeHints } from "../types/cost.ts";
import {
  addRanges,
  fixedRange,
  MAX_UINT64,
  multiplyByCostFactor,
  multiplyRanges,
  ONE_RANGE,
  UNKNOWN_SIZE,
  wrapUint64,
} from "../types/range.ts";
import type { Type } from "../types/type.ts";
import { goTypeName } from "../values/go-type.ts";
import { Panic } from "../values/panic.ts";
import { Bytes, ListValue, type Value } from "../values/value.ts";
import { notAnInt } from "./messages.ts";

const CALL_COST = 1;
const LIST_CREATE_COST = 10;
const STRING_TRAVERSAL_FACTOR = 0.1;
const SELF_COMPARE_FACTOR = 2;
const TWO_TO_64 = 2 ** 64;

export const sliceCost: OverloadCost = {
  estimate: (hints, target, [start, end]) => {
    if (target === undefined || start === undefined || end === undefined) return undefined;
    const size = sizeOf(hints, target);
    return allocating(1, fixedRange(wrapUint64(literalOr(end, size.max) - literalOr(start, 0n))));
  },
  actual: (_args, result) => allocatingCost(1, actualSize(result)),
};

export const rangeCost: OverloadCost = {
  estimate: (_hints, target, [count]) => {
    if (target !== undefined || count === undefined) return undefined;
    return allocating(1, fixedRange(literalOr(count, MAX_UINT64)));
  },
  actual: (_args, result) => allocatingCost(1, actualSize(result)),
};

export const reverseCost: OverloadCost = {
  estimate: (hints, target) => (target === undefined ? undefined : allocating(1, sizeOf(hints, target))),
  actual: (_args, result) => allocatingCost(1, actualSize(result)),
};

export const flattenCost: OverloadCost = {
  estimate: (hints, target, [depth]) => {
    if (target === undefined) return undefined;
    const factor = depth === undefined ? 1 : Number(literalOr(depth, MAX_UINT64));
    return allocating(factor, sizeOf(hints, target));
  },
  actual: ([list, depth]) => allocatingCost(factorOf(depth), actualSize(list)),
};

/** Before 0.29 a negative depth made the cost lower than that of the call. */
export const oldFlattenCost: OverloadCost = {
  ...flattenCost,
  actual: ([list, depth]) => allocatingCost(depth === undefined ? 1 : depthOf(depth), actualSize(list)),
};

function factorOf(depth: Value | undefined): number {
  if (depth === undefined) return 1;
  const factor = depthOf(depth);
  return factor < 0 ? 1 : factor;
}

function depthOf(depth: Value): number {
  if (typeof depth === "number" || typeof depth === "bigint") return Number(depth);
  throw new Panic(notAnInt(goTypeName(depth)));
}

export const distinctCost: OverloadCost = {
  estimate: (hints, target) => {
    return target === undefined ? undefined : selfCompare(SELF_COMPARE_FACTOR, sizeOf(hints, target));
  },
  actual: ([list]) => selfCompareCost(list),
};

/** The elements are their own keys. */
export function sortCost(element: Type): OverloadCost {
  return {
    estimate: (hints, target, args) => {
      if (target === undefined || args.length !== 0) return undefined;
      return selfCompare(sortFactor(element), sizeOf(hints, target));
    },
    actual: ([list]) => selfCompareCost(list),
  };
}

/** The keys come as a second list. */
export function sortByCost(key: Type): OverloadCost {
  return {
    estimate: (hints, target, [keys]) => {
      if (target === undefined || keys === undefined) return undefined;
      return selfCompare(sortFactor(key), sizeOf(hints, keys));
    },
    actual: ([, keys]) => selfCompareCost(keys),
  };
}

/** Compares every element of one list with every element of the other, the given number of times. */
export function crossCompareCost(times: number): OverloadCost {
  return {
    estimate: (hints, _target, [left, right]) => {
      if (left === undefined || right === undefined) return undefined;
      const pairs = multiplyRanges(sizeOf(hints, left), sizeOf(hints, right));
      return { cost: addRanges(multiplyByCostFactor(pairs, times), ONE_RANGE) };
    },
    actual: ([left, right]) => CALL_COST + actualSize(left) * actualSize(right) * times,
  };
}

function sizeOf(hints: SizeHints, node: CostNode): SizeEstimate {
  return node.computedSize ?? hints.estimateSize(node) ?? UNKNOWN_SIZE;
}

function literalOr(node: CostNode, otherwise: bigint): bigint {
  if (node.expr.kind !== "literal") return otherwise;
  const { value } = node.expr;
  if (typeof value !== "number" && typeof value !== "bigint") return otherwise;
  return value < 0 ? 0n : BigInt(value);
}

function sortFactor(element: Type): number {
  const isText = element.kind === "string" || element.kind === "bytes";
  return isText ? SELF_COMPARE_FACTOR + STRING_TRAVERSAL_FACTOR : SELF_COMPARE_FACTOR;
}

function selfCompare(factor: number, size: SizeEstimate): CallEstimate {
  return allocating(factor, multiplyRanges(size, size));
}

// The result counts as large as what was traversed.
function allocating(factor: number, size: SizeEstimate): CallEstimate {
  const traversal = addRanges(multiplyByCostFactor(size, factor), ONE_RANGE);
  return { cost: addRanges(traversal, fixedRange(LIST_CREATE_COST)), resultSize: size };
}

function selfCompareCost(list: Value | undefined): number {
  const size = actualSize(list);
  const first = list instanceof ListValue && size > 0 ? list.at(0) : undefined;
  const isText = typeof first === "string" || first instanceof Bytes;
  return allocatingCost(isText ? SELF_COMPARE_FACTOR + STRING_TRAVERSAL_FACTOR : SELF_COMPARE_FACTOR, size * size);
}

/** A uint64 upstream: a negative depth wraps around. */
function allocatingCost(factor: number, size: number): number {
  const cost = Math.trunc(size * factor) + CALL_COST + LIST_CREATE_COST;
  return cost < 0 ? cost + TWO_TO_64 : cost;
}

/** Anything without a size, an error among them, counts as one. */
function actualSize(value: Value | undefined): number {
  return value instanceof ListValue ? value.size : 1;
}

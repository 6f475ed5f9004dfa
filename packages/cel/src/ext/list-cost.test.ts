import { expect, test } from "vitest";
import type { Expr } from "../ast/expr.ts";
import type { CostNode, Range } from "../types/cost.ts";
import { MAX_UINT64 } from "../types/range.ts";
import { DYN, INT, STRING } from "../types/type.ts";
import { ArrayList } from "../values/list.ts";
import { CelError } from "../values/value.ts";
import {
  crossCompareCost,
  distinctCost,
  flattenCost,
  oldFlattenCost,
  rangeCost,
  reverseCost,
  sliceCost,
  sortByCost,
  sortCost,
} from "./list-cost.ts";

const none = { estimateSize: () => undefined };
const list = (min: bigint, max: bigint): CostNode => node({ kind: "ident", id: 1, name: "x" }, { min, max });
const literal = (value: number): CostNode => node({ kind: "literal", id: 1, value }, undefined);
const unknown = node({ kind: "ident", id: 1, name: "x" }, undefined);

function node(expr: Expr, computedSize: Range | undefined): CostNode {
  return { path: [], type: DYN, expr, computedSize };
}

test.each([
  {
    name: "a slice with literal bounds",
    cost: sliceCost,
    target: list(0n, 100n),
    args: [literal(2), literal(5)],
    min: 14n,
    max: 14n,
  },
  {
    name: "a slice up to the end",
    cost: sliceCost,
    target: list(0n, 100n),
    args: [literal(2), unknown],
    min: 109n,
    max: 109n,
  },
  {
    name: "a slice with reversed bounds wraps around",
    cost: sliceCost,
    target: list(0n, 9n),
    args: [literal(5), literal(2)],
    min: MAX_UINT64,
    max: MAX_UINT64,
  },
  { name: "a range", cost: rangeCost, target: undefined, args: [literal(5)], min: 16n, max: 16n },
  { name: "a negative range", cost: rangeCost, target: undefined, args: [literal(-5)], min: 11n, max: 11n },
  { name: "an unknown range", cost: rangeCost, target: undefined, args: [unknown], min: MAX_UINT64, max: MAX_UINT64 },
  { name: "reverse", cost: reverseCost, target: list(1n, 9n), args: [], min: 12n, max: 20n },
  { name: "flatten", cost: flattenCost, target: list(1n, 9n), args: [], min: 12n, max: 20n },
  { name: "flatten to a depth", cost: flattenCost, target: list(1n, 9n), args: [literal(3)], min: 14n, max: 38n },
  { name: "distinct", cost: distinctCost, target: list(1n, 9n), args: [], min: 13n, max: 173n },
  { name: "sort of ints", cost: sortCost(INT), target: list(1n, 9n), args: [], min: 13n, max: 173n },
  { name: "sort of strings", cost: sortCost(STRING), target: list(1n, 9n), args: [], min: 14n, max: 182n },
  { name: "sort by keys", cost: sortByCost(INT), target: unknown, args: [list(1n, 9n)], min: 13n, max: 173n },
  {
    name: "one set against another",
    cost: crossCompareCost(1),
    target: undefined,
    args: [list(1n, 3n), list(2n, 4n)],
    min: 3n,
    max: 13n,
  },
  {
    name: "two sets against each other",
    cost: crossCompareCost(2),
    target: undefined,
    args: [list(1n, 3n), unknown],
    min: 1n,
    max: MAX_UINT64,
  },
])("$name is estimated at $min to $max", ({ cost, target, args, min, max }) => {
  expect(cost.estimate?.(none, target, args)?.cost).toEqual({ min, max });
});

const ints = new ArrayList([3, 1, 2]);
const strings = new ArrayList(["b", "a"]);

test.each([
  { name: "a slice of three", cost: sliceCost, args: [], result: ints, actual: 14 },
  { name: "a slice that failed", cost: sliceCost, args: [], result: new CelError("x"), actual: 12 },
  { name: "flatten", cost: flattenCost, args: [ints], result: ints, actual: 14 },
  { name: "flatten to a depth", cost: flattenCost, args: [ints, 2], result: ints, actual: 17 },
  { name: "flatten to a slightly negative depth", cost: oldFlattenCost, args: [ints, -1], result: null, actual: 8 },
  {
    name: "flatten to a very negative depth",
    cost: oldFlattenCost,
    args: [ints, -1000],
    result: null,
    actual: 2 ** 64 - 2989,
  },
  { name: "distinct", cost: distinctCost, args: [ints], result: ints, actual: 29 },
  { name: "sort of strings", cost: sortCost(STRING), args: [strings], result: strings, actual: 19 },
  { name: "sort by string keys", cost: sortByCost(STRING), args: [ints, strings], result: ints, actual: 19 },
  { name: "sets compared both ways", cost: crossCompareCost(2), args: [ints, strings], result: true, actual: 13 },
])("$name costs $actual", ({ cost, args, result, actual }) => {
  expect(typeof cost.actual === "function" ? cost.actual(args, result) : cost.actual).toBe(actual);
});

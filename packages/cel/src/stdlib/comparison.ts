/** `< <= > >=` for every pair of types that has an order, `==` and `!=`. */
import { type FunctionDecl, fn, global, type Overload } from "../types/decl.ts";
import { BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, type Type, typeParam, UINT } from "../types/type.ts";
import { compareValues } from "../values/compare.ts";
import { equalValues } from "../values/equal.ts";
import type { Int } from "../values/int.ts";
import type { Value } from "../values/value.ts";
import { typed } from "./typed.ts";

interface Relation {
  readonly name: string;
  /** The beginning of its overload ids. */
  readonly prefix: string;
  readonly doc: string;
  readonly example: string;
  readonly ofInts: (left: Int, right: Int) => boolean;
  readonly ofOrder: (order: number) => boolean;
}

// biome-ignore format: a table
const RELATIONS: readonly Relation[] = [
  { name: "_<_",  prefix: "less",           doc: "returns true if the left operand is less than the right", example: "1 < 2",            ofInts: (a, b) => a < b,  ofOrder: (o) => o < 0 },
  { name: "_<=_", prefix: "less_equals",    doc: "returns true if the left operand is less than or equal to the right", example: "2 <= 2", ofInts: (a, b) => a <= b, ofOrder: (o) => o <= 0 },
  { name: "_>_",  prefix: "greater",        doc: "returns true if the left operand is greater than the right", example: "2 > 1",             ofInts: (a, b) => a > b,  ofOrder: (o) => o > 0 },
  { name: "_>=_", prefix: "greater_equals", doc: "returns true if the left operand is greater than or equal to the right", example: "2 >= 2",  ofInts: (a, b) => a >= b, ofOrder: (o) => o >= 0 },
];

/** In upstream's order, which decides the order of candidates for dyn operands. */
const ORDERED_TYPES: readonly (readonly [suffix: string, left: Type, right: Type])[] = [
  ["bool", BOOL, BOOL],
  ["int64", INT, INT],
  ["int64_double", INT, DOUBLE],
  ["int64_uint64", INT, UINT],
  ["uint64", UINT, UINT],
  ["uint64_double", UINT, DOUBLE],
  ["uint64_int64", UINT, INT],
  ["double", DOUBLE, DOUBLE],
  ["double_int64", DOUBLE, INT],
  ["double_uint64", DOUBLE, UINT],
  ["string", STRING, STRING],
  ["bytes", BYTES, BYTES],
  ["timestamp", TIMESTAMP, TIMESTAMP],
  ["duration", DURATION, DURATION],
];

export const relationFunctions: readonly FunctionDecl[] = RELATIONS.map((relation) =>
  fn(
    relation.name,
    ORDERED_TYPES.map(([suffix, left, right]) => relationOverload(relation, suffix, left, right)),
    relation.doc,
    relation.example,
  ),
);

const A = typeParam("A");

export const equalityFunctions: readonly FunctionDecl[] = [
  fn(
    "_==_",
    [global("equals", [A, A], BOOL, typed(equalValues))],
    "returns true if the operands are equal; numbers of different types can be equal",
    "[1, 2] == [1, 2]",
  ),
  fn(
    "_!=_",
    [global("not_equals", [A, A], BOOL, typed(notEqual))],
    "returns true if the operands are not equal",
    "1 != 2",
  ),
];

function relationOverload({ prefix, ofInts, ofOrder }: Relation, suffix: string, left: Type, right: Type): Overload {
  const id = `${prefix}_${suffix}`;
  return global(id, [left, right], BOOL, suffix === "int64" ? typed(ofInts) : typed(ordered(ofOrder)));
}

function ordered(ofOrder: (order: number) => boolean): (left: Value, right: Value) => Value {
  return (left, right) => {
    const order = compareValues(left, right);
    return typeof order === "number" ? ofOrder(order) : order;
  };
}

function notEqual(left: Value, right: Value): Value {
  const equal = equalValues(left, right);
  return typeof equal === "boolean" ? !equal : equal;
}

/**
 * Lists: `isSorted`, `sum`, `max`, `min`, `indexOf`, `lastIndexOf`.
 *
 * A comparison that fails (a NaN, two types without an order) counts as "not greater" and is not reported.
 * An element that cannot be compared at all is an error. Follows apiserver pkg/cel/library/lists.go.
 */

import {
  BOOL,
  BYTES,
  Bytes,
  CelError,
  checkedInt,
  compareValues,
  DOUBLE,
  Double,
  DURATION,
  Duration,
  DYN,
  INT,
  intOverflow,
  isEqualTo,
  ListValue,
  listOf,
  MAX_UINT64,
  normalInt,
  noSuchOverload,
  STRING,
  TIMESTAMP,
  Timestamp,
  type Type,
  typeParam,
  UINT,
  Uint,
  uintOverflow,
  type Value,
} from "@portcullis/cel/internal";
import { countWork } from "@portcullis/gostd/work";
import { calledOnEmptyList } from "../messages.ts";
import { SEARCHES_RECEIVER, TRAVERSES_RECEIVER } from "./cost.ts";
import { defineLibrary, type FunctionDefinition, type PricedLibrary } from "./define.ts";
import { unfit } from "./operands.ts";

interface ElementType {
  readonly name: string;
  readonly type: Type;
}

const COMPARABLE: readonly ElementType[] = [
  { name: "int", type: INT },
  { name: "uint", type: UINT },
  { name: "double", type: DOUBLE },
  { name: "bool", type: BOOL },
  { name: "duration", type: DURATION },
  { name: "timestamp", type: TIMESTAMP },
  { name: "string", type: STRING },
  { name: "bytes", type: BYTES },
];

interface SummableType extends ElementType {
  readonly zero: Value;
}

const SUMMABLE: readonly SummableType[] = [
  { name: "int", type: INT, zero: 0 },
  { name: "uint", type: UINT, zero: new Uint(0) },
  { name: "double", type: DOUBLE, zero: new Double(0) },
  { name: "duration", type: DURATION, zero: new Duration(0n) },
];

const A = typeParam("A");

const INCLUDES: FunctionDefinition = {
  name: "includes",
  id: "list_includes_dyn_dyn",
  on: DYN,
  params: [DYN],
  result: BOOL,
  call: includes,
  cost: SEARCHES_RECEIVER,
  doc: "returns true if the list contains the element, or if a value that is not a list equals it",
  example: "[1, 2, 3].includes(2) && 'a'.includes('a')",
};

/** Version 1 has `includes`. */
export const listsLibrary = (version: 0 | 1): PricedLibrary =>
  defineLibrary({
    name: "kubernetes.lists",
    functions: [
      ...(version === 0 ? [] : [INCLUDES]),
      ...COMPARABLE.map(({ name, type }) => ({
        name: "isSorted",
        id: `list_${name}_is_sorted_bool`,
        on: listOf(type),
        params: [],
        result: BOOL,
        call: isSorted,
        cost: TRAVERSES_RECEIVER,
        doc: "returns true if the elements are in ascending order",
        example: "[1, 2, 2].isSorted()",
      })),
      ...SUMMABLE.map(({ name, type, zero }) => ({
        name: "sum",
        id: `list_${name}_sum_${name}`,
        on: listOf(type),
        params: [],
        result: type,
        call: (list: Value) => sum(list, zero),
        cost: TRAVERSES_RECEIVER,
        doc: "returns the sum of the elements; zero for an empty list",
        example: "[1, 2, 3].sum() == 6",
      })),
      ...COMPARABLE.map((element) => ({
        ...extreme("max", -1, element),
        doc: "returns the greatest element; an error for an empty list",
        example: "[1, 3, 2].max() == 3",
      })),
      ...COMPARABLE.map((element) => ({
        ...extreme("min", 1, element),
        doc: "returns the least element; an error for an empty list",
        example: "[2, 1, 3].min() == 1",
      })),
      {
        name: "indexOf",
        id: "list_a_index_of_int",
        on: listOf(A),
        params: [A],
        result: INT,
        call: indexOf,
        cost: TRAVERSES_RECEIVER,
        doc: "returns the index of the first element that equals the argument; -1 if there is none",
        example: "[1, 2, 1].indexOf(1) == 0",
      },
      {
        name: "lastIndexOf",
        id: "list_a_last_index_of_int",
        on: listOf(A),
        params: [A],
        result: INT,
        call: lastIndexOf,
        cost: TRAVERSES_RECEIVER,
        doc: "returns the index of the last element that equals the argument; -1 if there is none",
        example: "[1, 2, 1].lastIndexOf(1) == 2",
      },
    ],
  });

function extreme(name: string, replaceOn: number, { name: element, type }: ElementType) {
  return {
    name,
    id: `list_${element}_${name}_${element}`,
    on: listOf(type),
    params: [],
    result: type,
    call: (list: Value) => findExtreme(list, name, replaceOn),
    cost: TRAVERSES_RECEIVER,
  };
}

function isSorted(list: Value): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
  countWork(list.size);
  let previous: Value | undefined;
  for (let index = 0; index < list.size; index++) {
    const next = list.at(index);
    if (!isComparable(next)) return unfit(next);
    if (previous !== undefined && signOf(previous, next) === 1) return false;
    previous = next;
  }
  return true;
}

function sum(list: Value, zero: Value): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
  countWork(list.size);
  let total = zero;
  for (let index = 0; index < list.size; index++) {
    total = add(total, list.at(index));
    if (total instanceof CelError) return total;
  }
  return total;
}

/** The greatest or least element: the next one replaces the current one if comparing them gives `replaceOn`. */
function findExtreme(list: Value, name: string, replaceOn: number): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
  countWork(list.size);
  let kept: Value | undefined;
  for (let index = 0; index < list.size; index++) {
    const next = list.at(index);
    if (!isComparable(next)) return unfit(next);
    if (kept === undefined || signOf(kept, next) === replaceOn) kept = next;
  }
  return kept === undefined ? calledOnEmptyList(name) : kept;
}

function indexOf(list: Value, item: Value): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
  countWork(list.size);
  for (let index = 0; index < list.size; index++) {
    if (isEqualTo(list.at(index), item) === true) return index;
  }
  return -1;
}

function includes(target: Value = null, item: Value = null): Value {
  if (!(target instanceof ListValue)) return isEqualTo(target, item) === true;
  countWork(target.size);
  for (let index = 0; index < target.size; index++) if (isEqualTo(target.at(index), item) === true) return true;
  return false;
}

function lastIndexOf(list: Value, item: Value): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
  countWork(list.size);
  for (let index = list.size - 1; index >= 0; index--) {
    if (isEqualTo(list.at(index), item) === true) return index;
  }
  return -1;
}

function isComparable(value: Value): boolean {
  if (typeof value !== "object") return true;
  return (
    value instanceof Double ||
    value instanceof Uint ||
    value instanceof Duration ||
    value instanceof Timestamp ||
    value instanceof Bytes
  );
}

/** -1, 0 or 1; 2 if the values are not ordered. */
function signOf(left: Value, right: Value): number {
  const order = compareValues(left, right);
  return order instanceof CelError ? 2 : Math.sign(order);
}

function add(total: Value, next: Value): Value {
  if (isInt(total) && isInt(next)) return checkedInt(BigInt(total) + BigInt(next));
  if (total instanceof Double && next instanceof Double) return new Double(total.value + next.value);
  if (total instanceof Uint && next instanceof Uint) return addUints(total.value, next.value);
  if (total instanceof Duration && next instanceof Duration) return addDurations(total.nanos, next.nanos);
  return unfit(next);
}

function addUints(left: number | bigint, right: number | bigint): Value {
  const total = BigInt(left) + BigInt(right);
  return total > MAX_UINT64 ? uintOverflow() : new Uint(normalInt(total));
}

function addDurations(left: bigint, right: bigint): Value {
  const total = left + right;
  return BigInt.asIntN(64, total) === total ? new Duration(total) : intOverflow();
}

function isInt(value: Value): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

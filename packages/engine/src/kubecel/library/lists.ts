/**
 * Lists: `isSorted`, `sum`, `max`, `min`, `indexOf`, `lastIndexOf`.
 *
 * A comparison that fails (a NaN, two types without an order) counts as "not greater", so it never surfaces.
 * An element that cannot be compared at all does. Follows apiserver pkg/cel/library/lists.go.
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
  fn,
  INT,
  intOverflow,
  isEqualTo,
  type Library,
  ListValue,
  listOf,
  MAX_UINT64,
  method,
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
} from "@portcullis/cel";
import { calledOnEmptyList } from "../messages.ts";
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

export const listsLibrary: Library = {
  name: "kubernetes.lists",
  functions: [
    fn(
      "isSorted",
      COMPARABLE.map(({ name, type }) => method(`list_${name}_is_sorted_bool`, listOf(type), [], BOOL, isSorted)),
    ),
    fn(
      "sum",
      SUMMABLE.map(({ name, type, zero }) =>
        method(`list_${name}_sum_${name}`, listOf(type), [], type, (list) => sum(list, zero)),
      ),
    ),
    fn("max", extremes("max", -1)),
    fn("min", extremes("min", 1)),
    fn("indexOf", [method("list_a_index_of_int", listOf(A), [A], INT, indexOf)]),
    fn("lastIndexOf", [method("list_a_last_index_of_int", listOf(A), [A], INT, lastIndexOf)]),
  ],
};

function extremes(name: string, replaceOn: number) {
  return COMPARABLE.map(({ name: element, type }) =>
    method(`list_${element}_${name}_${element}`, listOf(type), [], type, (list) => extreme(list, name, replaceOn)),
  );
}

function isSorted(list: Value): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
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
  let total = zero;
  for (let index = 0; index < list.size; index++) {
    total = add(total, list.at(index));
    if (total instanceof CelError) return total;
  }
  return total;
}

/** The element to keep: the next one wins where comparing the one kept so far with it gives `replaceOn`. */
function extreme(list: Value, name: string, replaceOn: number): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
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
  for (let index = 0; index < list.size; index++) {
    if (isEqualTo(list.at(index), item) === true) return index;
  }
  return -1;
}

function lastIndexOf(list: Value, item: Value): Value {
  if (!(list instanceof ListValue)) return noSuchOverload();
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

/** -1, 0 or 1; 2 where the two have no order. */
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

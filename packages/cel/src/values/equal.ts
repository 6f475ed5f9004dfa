/**
 * Equality. Numbers of different types are equal when their values are; values of different types are
 * unequal rather than an error.
 *
 * Lists and maps absorb errors of their parts, and the left operand's own equality decides if it has one:
 * `a == b` and `b == a` can differ for Kubernetes' set lists, as upstream.
 */
import { countWork } from "@portcullis/gostd/work";
import { compareTimestamps } from "./compare.ts";
import type { Int } from "./int.ts";
import { runtimeTypeName } from "./type-of.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

/** The operator `==`. */
export function equalValues(left: Value, right: Value): boolean | CelError {
  // Null comes before a value's own equality, which might return an error for it.
  if (right === null && !(left instanceof CelError)) return left === null;
  return isEqualTo(left, right);
}

/** Equality as the left operand defines it; `in` and `distinct` use it directly. */
export function isEqualTo(left: Value, right: Value): boolean | CelError {
  if (typeof left === "string" || typeof left === "boolean") return left === right;
  if (typeof left === "number") return typeof right === "number" ? left === right : isIntEqualTo(left, right);
  if (typeof left === "bigint") return isIntEqualTo(left, right);
  return left === null ? right === null : isObjectEqualTo(left, right);
}

function isIntEqualTo(left: Int, right: Value): boolean {
  if (right instanceof Uint) return left === right.value;
  // Lossy beyond 2^53, as upstream's comparison is.
  if (right instanceof Double) return Number(left) === right.value;
  return left === right;
}

type ObjectValue = Exclude<Value, null | string | number | bigint | boolean>;

function isObjectEqualTo(left: ObjectValue, right: Value): boolean | CelError {
  if (left instanceof ListValue) {
    countWork(left.size + 1);
    return right instanceof ListValue ? areListsEqual(left, right) : left.equalToOther(right);
  }
  if (left instanceof MapValue) {
    countWork(left.size + 1);
    return right instanceof MapValue ? areMapsEqual(left, right) : left.equalToOther(right);
  }
  if (left instanceof Double) return isDoubleEqualTo(left.value, right);
  if (left instanceof Uint) return isUintEqualTo(left.value, right);
  if (left instanceof OptionalValue) return right instanceof OptionalValue && areOptionalsEqual(left, right);
  if (left instanceof OpaqueValue) return left.equalTo(right);
  if (left instanceof CelError) return left;
  return isScalarEqualTo(left, right);
}

function isScalarEqualTo(left: Bytes | Timestamp | Duration | TypeValue, right: Value): boolean {
  if (left instanceof Bytes) return right instanceof Bytes && areBytesEqual(left.data, right.data);
  if (left instanceof Timestamp) return right instanceof Timestamp && compareTimestamps(left, right) === 0;
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  return right instanceof TypeValue && runtimeTypeName(left.type) === runtimeTypeName(right.type);
}

function isDoubleEqualTo(left: number, right: Value): boolean {
  if (right instanceof Double) return left === right.value;
  if (typeof right === "number") return left === right;
  if (typeof right === "bigint") return left === Number(right);
  return right instanceof Uint && left === Number(right.value);
}

function isUintEqualTo(left: number | bigint, right: Value): boolean {
  if (right instanceof Uint) return left === right.value;
  if (right instanceof Double) return Number(left) === right.value;
  return left === right;
}

function areBytesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function areOptionalsEqual(left: OptionalValue, right: OptionalValue): boolean | CelError {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return isEqualTo(left.value, right.value);
}

function areListsEqual(left: ListValue, right: ListValue): boolean | CelError {
  const own = left.equalTo(right);
  if (own !== undefined) return own;
  const size = left.size;
  if (size !== right.size) return false;
  for (let index = 0; index < size; index++) {
    if (equalValues(left.at(index), right.at(index)) === false) return false;
  }
  return true;
}

function areMapsEqual(left: MapValue, right: MapValue): boolean | CelError {
  const own = left.equalTo(right);
  if (own !== undefined) return own;
  if (left.size !== right.size) return false;
  for (const key of left.keys()) {
    const mine = left.get(key);
    const other = right.get(key);
    if (mine === undefined || other === undefined) return false;
    if (equalValues(mine, other) === false) return false;
  }
  return true;
}

/**
 * Ordering. Numbers of different types compare by value; other values must have the same type.
 *
 * An int or uint against a double is compared as doubles, so beyond 2^53 neighbours count as equal,
 * as upstream does.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import type { Int } from "./int.ts";
import { noSuchOverload, notOrdered } from "./messages.ts";
import { Bytes, CelError, Double, Duration, Timestamp, Uint, type Value } from "./value.ts";

/** Negative, zero or positive; an error if the values are not ordered. */
export function compareValues(left: Value, right: Value): number | CelError {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string") return typeof right === "string" ? compareStrings(left, right) : mismatch(right);
  if (typeof left === "number" || typeof left === "bigint") return compareInt(left, right);
  if (left instanceof Double) return compareDouble(left.value, right);
  if (left instanceof Uint) return compareUint(left, right);
  return compareSameType(left, right);
}

function compareInt(left: Int, right: Value): number | CelError {
  if (typeof right === "number" || typeof right === "bigint") return order(left, right);
  if (right instanceof Uint) return order(left, right.value);
  if (right instanceof Double) return orderWithDouble(left, right.value);
  return mismatch(right);
}

function compareUint(left: Uint, right: Value): number | CelError {
  if (right instanceof Uint) return order(left.value, right.value);
  if (typeof right === "number" || typeof right === "bigint") return order(left.value, right);
  if (right instanceof Double) return orderWithDouble(left.value, right.value);
  return mismatch(right);
}

function compareDouble(left: number, right: Value): number | CelError {
  if (Number.isNaN(left)) return notOrdered();
  if (right instanceof Double) return Number.isNaN(right.value) ? notOrdered() : order(left, right.value);
  if (typeof right === "number" || typeof right === "bigint") return order(left, Number(right));
  if (right instanceof Uint) return order(left, Number(right.value));
  return mismatch(right);
}

function compareSameType(left: Value, right: Value): number | CelError {
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (left instanceof Timestamp && right instanceof Timestamp) return compareTimestamps(left, right);
  if (left instanceof Duration && right instanceof Duration) return order(left.nanos, right.nanos);
  if (left instanceof Bytes && right instanceof Bytes) return compareBytes(left.data, right.data);
  return mismatch(right);
}

export function compareTimestamps(left: Timestamp, right: Timestamp): number {
  return left.seconds === right.seconds ? left.nanos - right.nanos : left.seconds - right.seconds;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function orderWithDouble(left: Int, right: number): number | CelError {
  return Number.isNaN(right) ? notOrdered() : order(Number(left), right);
}

function order(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function mismatch(right: Value): CelError {
  return right instanceof CelError ? right : noSuchOverload();
}

/**
 * int64 arithmetic on ints as values hold them: a `number` while safe, a `bigint` beyond.
 *
 * INVARIANT: results are normalised the same way and never -0, so equal ints are `===`.
 */
import { divisionByZero, intOverflow, modulusByZero } from "./messages.ts";
import type { CelError } from "./value.ts";

export type Int = number | bigint;

export const MAX_INT64 = 9223372036854775807n;
export const MIN_INT64 = -9223372036854775808n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const TWO_TO_63 = 2 ** 63;

export function addInts(left: Int, right: Int): Int | CelError {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(left) + BigInt(right));
}

export function subtractInts(left: Int, right: Int): Int | CelError {
  if (typeof left === "number" && typeof right === "number") {
    const difference = left - right;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(left) - BigInt(right));
}

export function multiplyInts(left: Int, right: Int): Int | CelError {
  if (typeof left === "number" && typeof right === "number") {
    const product = left * right;
    // Adding zero turns -0 into 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(left) * BigInt(right));
}

/** Truncates towards zero. */
export function divideInts(left: Int, right: Int): Int | CelError {
  // biome-ignore lint/suspicious/noDoubleEquals: zero is never a bigint here, but a caller may hand one in
  if (right == 0) return divisionByZero();
  if (typeof left === "number" && typeof right === "number") return (left - (left % right)) / right + 0;
  return checkedInt(BigInt(left) / BigInt(right));
}

/** The sign is the dividend's. */
export function moduloInts(left: Int, right: Int): Int | CelError {
  // biome-ignore lint/suspicious/noDoubleEquals: zero is never a bigint here, but a caller may hand one in
  if (right == 0) return modulusByZero();
  if (typeof left === "number" && typeof right === "number") return (left % right) + 0;
  // Upstream rejects this one although its result, 0, would fit.
  if (left === MIN_INT64 && right === -1) return intOverflow();
  return checkedInt(BigInt(left) % BigInt(right));
}

export function negateInt(value: Int): Int | CelError {
  if (typeof value === "number") return 0 - value;
  return checkedInt(-value);
}

/** An int, or the overflow error where the value does not fit in 64 bits. */
export function checkedInt(value: bigint): Int | CelError {
  if (value > MAX_INT64 || value < MIN_INT64) return intOverflow();
  return normalInt(value);
}

/** The normal form of an integer. */
export function normalInt(value: bigint): Int {
  return value <= MAX_SAFE && value >= -MAX_SAFE ? Number(value) : value;
}

/** Truncates; the bounds themselves are errors, as upstream. */
export function doubleToInt(value: number): Int | CelError {
  if (!(value > -TWO_TO_63 && value < TWO_TO_63)) return intOverflow();
  const whole = Math.trunc(value) + 0;
  return Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

/** The int with exactly this value, if there is one. */
export function exactInt(value: number): Int | undefined {
  const int = doubleToInt(value);
  if (typeof int === "number" || typeof int === "bigint") return Number(int) === value ? int : undefined;
  return undefined;
}

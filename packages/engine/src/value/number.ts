/**
 * Comparison and text of user numbers.
 *
 * JavaScript compares a bigint with a number exactly, so int64 and float64 are ordered by value without rounding.
 */
import { formatV } from "@portcullis/gostd/strconv";
import { Float64, type JsonNumber } from "./json.ts";

/** -1, 0 or 1 by mathematical value: `1` and `1.0` compare equal. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  const left = a instanceof Float64 ? a.value : a;
  const right = b instanceof Float64 ? b.value : b;
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Whether the value has no fraction, whatever its type. */
export function isIntegral(value: JsonNumber): boolean {
  return typeof value === "bigint" || value instanceof Float64 || Number.isInteger(value);
}

export function isFloat(value: JsonNumber): boolean {
  return value instanceof Float64 || (typeof value === "number" && !Number.isInteger(value));
}

/** Rounds as Go's `float64(i)` does. */
export function asFloat(value: JsonNumber): number {
  return value instanceof Float64 ? value.value : Number(value);
}

/** The integral value, or undefined when there is a fraction. */
export function asBigInt(value: JsonNumber): bigint | undefined {
  if (typeof value === "bigint") return value;
  const float = value instanceof Float64 ? value.value : value;
  return Number.isInteger(float) ? BigInt(float) : undefined;
}

/** Go's `%v`. */
export function formatNumber(value: JsonNumber): string {
  if (value instanceof Float64) return formatV(value.value);
  if (typeof value === "bigint" || Number.isInteger(value)) return String(value);
  return formatV(value);
}

/** Upstream's idea of a float64 that is an integer. Follows go-openapi/swag convert.go. */

import { Float64, type JsonValue } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";

const EPSILON = 1e-9;

export function isNearlyInteger(value: JsonValue): boolean {
  if (value instanceof Float64) return isJsonInteger(value.value);
  return typeof value === "number" && isJsonInteger(value);
}

/** Within the safe range, and integral up to a relative error. */
export function isJsonInteger(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  if (Number.isInteger(value)) return true;
  if (since("1.37")) return isRounded(value);
  // Go converts a negative float to uint64 by wrapping around, so the tolerance works for positive values only.
  const whole = Math.trunc(value);
  if (value < 0 || whole === 0) return false;
  return Math.abs(value - whole) / (value + whole) < EPSILON;
}

function isRounded(value: number): boolean {
  const rounded = Math.round(value);
  return rounded !== 0 && Math.abs(value - rounded) < EPSILON * Math.abs(rounded);
}

/**
 * Deep equality of values.
 *
 * `deepEqual` is Go's reflect.DeepEqual on decoded JSON: int64 1 and float64 1 differ. `looseEqual` compares numbers by
 * value. Both handle any depth. `semanticEqual` compares objects of built-in kinds.
 */
import { Float64, isEmptyMap, type JsonNumber, type JsonObject, type JsonValue } from "./json.ts";
import { compareNumbers } from "./number.ts";

export function deepEqual(a: JsonValue, b: JsonValue): boolean {
  return equalBy(a, b, sameBoxed);
}

export function looseEqual(a: JsonValue, b: JsonValue): boolean {
  return equalBy(a, b, sameByValue);
}

/**
 * As `equality.Semantic.DeepEqual` of apimachinery compares Go types: an empty list or map is the same as none, which may
 * be absent, null or undefined. A struct without members is not.
 */
export function semanticEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return semanticAt(a, b, MAX_CALLS);
}

/** Types are never that deep; what is, is JSON of any form. */
function semanticAt(a: JsonValue | undefined, b: JsonValue | undefined, calls: number): boolean {
  if (a === b) return true;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (a === undefined || b === undefined) return false;
  if (calls === 0 || !isContainer(a) || !isContainer(b)) return deepEqual(a, b);
  if (!Array.isArray(a)) return !Array.isArray(b) && semanticFields(a, b, calls - 1);
  if (!Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!semanticAt(a[i], b[i], calls - 1)) return false;
  return true;
}

function semanticFields(a: JsonObject, b: JsonObject, calls: number): boolean {
  for (const key in a) if (!semanticAt(a[key], b[key], calls)) return false;
  for (const key in b) if (a[key] === undefined && !isNothing(b[key])) return false;
  return true;
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === "object" && value !== null && !(value instanceof Float64);
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) ? value.length === 0 : isEmptyMap(value));
}

type Box = (a: JsonNumber, b: JsonValue) => boolean;

/** How deep the call stack is used; what is deeper is compared with a stack of its own. */
const MAX_CALLS = 100;

/** Pairs too deep to be compared at once, left before right. */
type Pending = (JsonObject | JsonValue[])[];

function equalBy(a: JsonValue, b: JsonValue, boxed: Box): boolean {
  const pending: Pending = [];
  if (!equalAt(a, b, boxed, pending, MAX_CALLS)) return false;
  for (;;) {
    const [right, left] = [pending.pop(), pending.pop()];
    if (left === undefined || right === undefined) return true;
    if (!equalAt(left, right, boxed, pending, MAX_CALLS)) return false;
  }
}

function equalAt(a: JsonValue, b: JsonValue, boxed: Box, pending: Pending, calls: number): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return equalNumbers(a, b, boxed);
  if (a instanceof Float64 || b instanceof Float64) return equalNumbers(a, b, boxed);
  if (calls === 0) {
    pending.push(a, b);
    return true;
  }
  if (Array.isArray(a)) return Array.isArray(b) && equalItems(a, b, boxed, pending, calls - 1);
  return !Array.isArray(b) && equalFields(a, b, boxed, pending, calls - 1);
}

/** At least one of the two is not a container. */
function equalNumbers(a: JsonValue, b: JsonValue, boxed: Box): boolean {
  if (a instanceof Float64) return boxed(a, b);
  return b instanceof Float64 && isNumeric(a) && boxed(b, a);
}

function equalItems(a: JsonValue[], b: JsonValue[], boxed: Box, pending: Pending, calls: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!equalAt(a[i] as JsonValue, b[i] as JsonValue, boxed, pending, calls)) return false;
  }
  return true;
}

function equalFields(a: JsonObject, b: JsonObject, boxed: Box, pending: Pending, calls: number): boolean {
  let count = 0;
  for (const key in a) {
    const other = b[key];
    if (other === undefined || !equalAt(a[key] as JsonValue, other, boxed, pending, calls)) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

function sameBoxed(a: JsonNumber, b: JsonValue): boolean {
  return a instanceof Float64 && b instanceof Float64 && a.value === b.value;
}

function sameByValue(a: JsonNumber, b: JsonValue): boolean {
  return isNumeric(b) && compareNumbers(a, b) === 0;
}

function isNumeric(value: JsonValue): value is JsonNumber {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Float64;
}

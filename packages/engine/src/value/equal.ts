/**
 * Deep equality of values.
 *
 * `deepEqual` is Go's reflect.DeepEqual on decoded JSON: int64 1 and float64 1 differ. `looseEqual` compares numbers
 * by value. Both walk with a stack of their own, so depth is no danger.
 */
import { Float64, type JsonNumber, type JsonObject, type JsonValue } from "./json.ts";
import { compareNumbers } from "./number.ts";

export function deepEqual(a: JsonValue, b: JsonValue): boolean {
  return equalBy(a, b, sameBoxed);
}

export function looseEqual(a: JsonValue, b: JsonValue): boolean {
  return equalBy(a, b, sameByValue);
}

type Box = (a: JsonNumber, b: JsonValue) => boolean;

/** Pairs still to be compared, left before right. */
interface Pending {
  readonly lists: JsonValue[][];
  readonly objects: JsonObject[];
}

function equalBy(a: JsonValue, b: JsonValue, boxed: Box): boolean {
  const pending: Pending = { lists: [], objects: [] };
  if (!equalHere(a, b, boxed, pending)) return false;
  const { lists, objects } = pending;
  while (lists.length > 0 || objects.length > 0) {
    if (!equalItems(lists.pop(), lists.pop(), boxed, pending)) return false;
    if (!equalFields(objects.pop(), objects.pop(), boxed, pending)) return false;
  }
  return true;
}

// Decides scalars at once; two containers of one kind are queued.
function equalHere(a: JsonValue, b: JsonValue, boxed: Box, pending: Pending): boolean {
  if (a === b) return true;
  if (a instanceof Float64) return boxed(a, b);
  if (b instanceof Float64) return isNumeric(a) && boxed(b, a);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    pending.lists.push(a, b);
    return true;
  }
  if (Array.isArray(b)) return false;
  pending.objects.push(a, b);
  return true;
}

function equalItems(b: JsonValue[] | undefined, a: JsonValue[] | undefined, boxed: Box, pending: Pending): boolean {
  if (a === undefined || b === undefined) return true;
  for (let i = 0; i < a.length; i++) {
    if (!equalHere(a[i] ?? null, b[i] ?? null, boxed, pending)) return false;
  }
  return true;
}

function equalFields(b: JsonObject | undefined, a: JsonObject | undefined, boxed: Box, pending: Pending): boolean {
  if (a === undefined || b === undefined) return true;
  let count = 0;
  for (const key in a) {
    const other = b[key];
    if (other === undefined || !equalHere(a[key] ?? null, other, boxed, pending)) return false;
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

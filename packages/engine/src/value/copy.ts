/**
 * Copies and conversions between our values and plain JavaScript data.
 *
 * All of them walk with a stack of their own: a document may be 10,000 levels deep, which native recursion is not
 * certain to survive.
 */
import {
  Float64,
  integerValue,
  isEmptyMap,
  isObject,
  type JsonObject,
  type JsonValue,
  newEmptyMap,
  newObject,
} from "./json.ts";

/** Copies still to be filled: an original and its empty copy side by side, lists and objects apart. */
interface Pending {
  readonly lists: JsonValue[][];
  readonly objects: JsonObject[];
}

export function deepCopy<T extends JsonValue>(value: T): T;
export function deepCopy(value: JsonValue): JsonValue {
  const pending: Pending = { lists: [], objects: [] };
  const copy = emptyCopy(value, pending);
  const { lists, objects } = pending;
  while (lists.length > 0 || objects.length > 0) {
    fillList(lists.pop(), lists.pop(), pending);
    fillObject(objects.pop(), objects.pop(), pending);
  }
  return copy;
}

function emptyCopy(value: JsonValue, pending: Pending): JsonValue {
  if (typeof value !== "object" || value === null || value instanceof Float64) return value;
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    pending.lists.push(value, list);
    return list;
  }
  const object = isEmptyMap(value) ? newEmptyMap() : newObject();
  pending.objects.push(value, object);
  return object;
}

function fillList(copy: JsonValue[] | undefined, original: JsonValue[] | undefined, pending: Pending): void {
  if (copy === undefined || original === undefined) return;
  for (const item of original) copy.push(emptyCopy(item, pending));
}

function fillObject(copy: JsonObject | undefined, original: JsonObject | undefined, pending: Pending): void {
  if (copy === undefined || original === undefined) return;
  for (const key in original) {
    const field = original[key];
    if (field !== undefined) copy[key] = emptyCopy(field, pending);
  }
}

/**
 * Plain JavaScript data as a value: an integral number becomes an int64 where it fits one, `undefined` fields vanish,
 * and what JSON cannot hold (functions, NaN, cycles past `MAX_DEPTH`) is an `Error`, since only code can pass it.
 * @example fromPlain({ replicas: 2 })
 */
export function fromPlain(data: unknown): JsonValue {
  return convertPlain(data, 0);
}

const MAX_DEPTH = 1000;

function convertPlain(data: unknown, depth: number): JsonValue {
  switch (typeof data) {
    case "string":
    case "boolean":
      return data;
    case "number":
      return plainNumber(data);
    case "bigint":
      return integerValue(data);
    case "object":
      if (data === null || data instanceof Float64) return data;
      if (depth >= MAX_DEPTH) throw new Error("plain data is nested too deeply");
      return convertContainer(data, depth + 1);
    default:
      throw new Error(`a ${typeof data} is not JSON data`);
  }
}

function plainNumber(value: number): JsonValue {
  if (!Number.isFinite(value)) throw new Error(`${value} is not JSON data`);
  if (!Number.isInteger(value)) return value;
  return Number.isSafeInteger(value) ? value + 0 : integerValue(BigInt(value));
}

function convertContainer(data: object, depth: number): JsonValue {
  if (Array.isArray(data)) return data.map((item: unknown) => (item === undefined ? null : convertPlain(item, depth)));
  const object = newObject();
  for (const [key, field] of Object.entries(data)) {
    if (field !== undefined) object[key] = convertPlain(field, depth);
  }
  return object;
}

/** JSON in ordinary JavaScript values; integers beyond 2^53 are `bigint`. */
export type Plain = null | boolean | number | bigint | string | Plain[] | { [key: string]: Plain };

/**
 * Plain JavaScript data for callers outside: boxes are opened, integers past the safe range stay bigint.
 * @example toPlain(fromPlain({ replicas: 2 })) // { replicas: 2 }
 */
export function toPlain(value: JsonValue): Plain {
  if (value instanceof Float64) return value.value;
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isObject(value)) return value;
  const plain: { [key: string]: Plain } = Object.create(null);
  for (const [key, field] of Object.entries(value)) plain[key] = toPlain(field);
  return plain;
}

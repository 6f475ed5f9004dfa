/**
 * JSON values as Kubernetes sees them.
 *
 * Go's decoder distinguishes int64 from float64 and both are observable, so JavaScript's one number type is split: an
 * integer is a `number` while safe and a `bigint` beyond; a float64 with a fraction is a `number`; a float64 whose
 * value is integral (`1.0`, `1e3`, integers past int64) is a `Float64` box.
 *
 * INVARIANT: a `number` in a `JsonValue` is a safe integer or has a fraction; it is never NaN or infinite.
 * INVARIANT: a `bigint` lies in the int64 range but outside the safe range.
 */
import { compareStrings } from "@portcullis/gostd/utf8";

/**
 * A float64 that happens to be integral; without the box it would look like an int64.
 * @example new Float64(1).value // 1
 */
export class Float64 {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A JSON object as the engine holds it. It has no prototype, so that every key is data. */
export interface JsonObject {
  [key: string]: JsonValue;
}

export type JsonNumber = number | bigint | Float64;

/** A JSON value as the engine holds it: integers are `bigint` or `number`, other numbers `Float64`. */
export type JsonValue = null | boolean | JsonNumber | string | JsonValue[] | JsonObject;

export type JsonTypeName = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

// Nothing is inherited, so `__proto__` and `constructor` are ordinary keys. A constructor is used because V8 keeps
// its instances in fast mode, whereas Object.create(null) starts as a dictionary.
const NullPrototype = function NullPrototype() {} as unknown as { new (): JsonObject; prototype: JsonObject };
NullPrototype.prototype = Object.freeze(Object.create(null));

/** The only way to make an object that holds user data. */
export function newObject(): JsonObject {
  return new NullPrototype();
}

const MapOfGo = function MapOfGo() {} as unknown as { new (): JsonObject; prototype: JsonObject };
MapOfGo.prototype = Object.freeze(Object.create(null));

/** An empty map of a Go type. Comparisons take it for the same as none, which a struct without members is not. */
export function newEmptyMap(): JsonObject {
  return new MapOfGo();
}

export function isEmptyMap(value: JsonValue | undefined): boolean {
  return value instanceof MapOfGo && Object.keys(value).length === 0;
}

export function isArray(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Float64);
}

export function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Float64;
}

/** An int64 as opposed to a float64: `1` is one, `1.0` is not. */
export function isInteger(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}

export function hasKey(object: JsonObject, key: string): boolean {
  // A plain look is fast where the key is absent, which is what most are asked for.
  return object[key] !== undefined && Object.hasOwn(object, key);
}

/**
 * Keys in Go's order, which is that of UTF-8 bytes. JavaScript's own order differs only where surrogates meet the
 * characters above them, so the slow comparison is kept for those.
 */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) {
    // Most objects come in order, from a text that was written so.
    if ((keys[i - 1] as string) > (keys[i] as string)) {
      keys.sort();
      break;
    }
  }
  return keys.length > 1 && keys.some(hasHighUnits) ? keys.sort(compareStrings) : keys;
}

function hasHighUnits(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0xd800) return true;
  return false;
}

/** JSON's own names; a float64 is a "number" even when its value is integral. */
export function typeName(value: JsonValue): JsonTypeName {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "string":
      return "string";
    case "bigint":
      return "integer";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      if (Array.isArray(value)) return "array";
      return value instanceof Float64 ? "number" : "object";
  }
}

/** The value for an integer of any size: past int64 it turns into a float64, as Go's decoder has it. */
export function integerValue(value: bigint): JsonNumber {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  if (value >= INT64_MIN && value <= INT64_MAX) return value;
  return new Float64(Number(value));
}

/** The value for a float64, boxed when it is integral. */
export function floatValue(value: number): JsonNumber {
  return Number.isInteger(value) ? new Float64(value) : value;
}

/**
 * The data of upstream's views: decoded JSON, and after a concatenation also Go values that are not JSON.
 *
 * Lists read through a schema are compared and joined on this raw form, which causes most of their unusual
 * behaviour: a date read from a list is a `time.Time` that no schema accepts, and a list cannot be a key of a Go map.
 */
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  Panic,
  Timestamp,
  Uint,
  type Value,
} from "@portcullis/cel/internal";
import { deepEqual } from "../value/equal.ts";
import { Float64, floatValue, type JsonNumber, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { formatNumber } from "../value/number.ts";
import { unhashable } from "./messages.ts";

export type GoData = JsonValue | GoNative | GoData[];

/** A Go value outside JSON. */
class GoNative {
  readonly typeName: string;
  /** Distinguishes it from others of its type; undefined if Go cannot use it as a key. */
  readonly identity: string | undefined;
  constructor(typeName: string, identity: string | undefined) {
    this.typeName = typeName;
    this.identity = identity;
  }
}

/** A value that reads a piece of JSON through a schema. */
export interface SchemaView {
  readonly raw: GoData;
}

/** What Go's `%T` prints. */
export function goTypeName(data: GoData): string {
  switch (typeof data) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(data) ? "int64" : "float64";
    default:
      if (data === null) return "<nil>";
      if (data instanceof GoNative) return data.typeName;
      if (data instanceof Float64) return "float64";
      return Array.isArray(data) ? "[]interface {}" : "map[string]interface {}";
  }
}

/** A string that is equal for two values if and only if they are the same key of a Go map. */
export function goKey(data: GoData): string {
  if (typeof data === "string") return `s${data}`;
  if (data === null || typeof data === "boolean") return `c${data}`;
  if (data instanceof GoNative) {
    if (data.identity === undefined) throw new Panic(unhashable(data.typeName));
    return `${data.typeName} ${data.identity}`;
  }
  if (isGoInteger(data)) return `i${data}`;
  if (isGoNumber(data)) return `f${formatNumber(data)}`;
  throw new Panic(unhashable(goTypeName(data)));
}

/** What Go's `%v` prints. */
export function goText(data: GoData): string {
  if (typeof data === "string") return data;
  if (data === null) return "<nil>";
  if (typeof data === "boolean") return String(data);
  if (data instanceof GoNative) return data.identity ?? data.typeName;
  if (isGoNumber(data)) return formatNumber(data);
  if (Array.isArray(data)) return `[${data.map(goText).join(" ")}]`;
  return `map[${sortedKeys(data)
    .map((key) => `${key}:${goText(data[key] ?? null)}`)
    .join(" ")}]`;
}

/** Go's deep equality. */
export function goEqual(left: GoData, right: GoData): boolean {
  if (left instanceof GoNative || right instanceof GoNative) return false;
  if (!Array.isArray(left)) return !Array.isArray(right) && deepEqual(left, right);
  if (!Array.isArray(right) || left.length !== right.length) return false;
  return left.every((element, index) => goEqual(element, right[index] ?? null));
}

export function isGoInteger(data: GoData): data is number | bigint {
  return typeof data === "bigint" || (typeof data === "number" && Number.isInteger(data));
}

export function isGoNumber(data: GoData): data is JsonNumber {
  return typeof data === "number" || typeof data === "bigint" || data instanceof Float64;
}

export function isGoObject(data: GoData): data is JsonObject {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
  return !(data instanceof GoNative || data instanceof Float64);
}

/** The result of upstream's `Value()`: the raw data of a view, the Go form of anything else. */
export function goData(value: Value): GoData {
  if (typeof value !== "object") return value;
  if (value === null) return new GoNative("structpb.NullValue", "");
  if (value instanceof Double) return Number.isFinite(value.value) ? floatValue(value.value) : new Float64(value.value);
  if (isSchemaView(value)) return value.raw;
  return goNative(value);
}

function isSchemaView(value: object): value is SchemaView {
  return "raw" in value;
}

let errors = 0;

function goNative(value: Exclude<Value, null | Double>): GoNative {
  if (value instanceof Timestamp) return new GoNative("time.Time", `${value.seconds}.${value.nanos}`);
  if (value instanceof Duration) return new GoNative("time.Duration", String(value.nanos));
  if (value instanceof Bytes) return new GoNative("[]uint8", undefined);
  if (value instanceof Uint) return new GoNative("uint64", String(value.value));
  if (value instanceof ListValue) return new GoNative("[]ref.Val", undefined);
  if (value instanceof MapValue) return new GoNative("map[ref.Val]ref.Val", undefined);
  // Every error is its own pointer.
  if (value instanceof CelError) return new GoNative("*errors.errorString", String(errors++));
  return new GoNative("ref.Val", String(errors++));
}

/**
 * The runtime type of a value, and the names runtime messages use.
 *
 * Runtime types are erased: every list is `list`, every map `map`. Their names differ from the
 * checker's in a few places (`null_type`, `google.protobuf.Timestamp`).
 */
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  OPTIONAL_TYPE_NAME,
  opaqueType,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from "../types/type.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

const RUNTIME_LIST: Type = listOf(DYN);
const RUNTIME_MAP: Type = mapOf(DYN, DYN);
export const RUNTIME_OPTIONAL: Type = opaqueType(OPTIONAL_TYPE_NAME);
const RUNTIME_ERROR: Type = opaqueType("error");

/** The result of `type(v)`. */
export function typeOfValue(value: Value): Type {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
    case "bigint":
      return INT;
    case "boolean":
      return BOOL;
    default:
      return value === null ? NULL : typeOfObject(value);
  }
}

function typeOfObject(value: Exclude<Value, null | string | number | bigint | boolean>): Type {
  if (value instanceof ListValue) return RUNTIME_LIST;
  if (value instanceof MapValue) return value.objectType ?? RUNTIME_MAP;
  if (value instanceof Double) return DOUBLE;
  if (value instanceof Uint) return UINT;
  if (value instanceof Bytes) return BYTES;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof Duration) return DURATION;
  if (value instanceof TypeValue) return TYPE;
  if (value instanceof OptionalValue) return RUNTIME_OPTIONAL;
  if (value instanceof CelError) return RUNTIME_ERROR;
  return value.type;
}

/** The name of a type without its parameters, as `string(type(x))` and runtime messages show it. */
export function runtimeTypeName(type: Type): string {
  switch (type.kind) {
    case "param":
    case "opaque":
    case "object":
      return type.name;
    case "wrapper":
      return runtimeTypeName(type.of);
    default:
      return RUNTIME_NAMES[type.kind];
  }
}

export function typeNameOf(value: Value): string {
  return runtimeTypeName(typeOfValue(value));
}

/** Like the name, but with the erased parameters a few messages show: `list(dyn)`. */
export function typeTextOf(value: Value): string {
  const type = typeOfValue(value);
  if (type.kind === "list") return "list(dyn)";
  return type.kind === "map" ? "map(dyn, dyn)" : runtimeTypeName(type);
}

const RUNTIME_NAMES = {
  dyn: "dyn",
  any: "google.protobuf.Any",
  error: "error",
  null: "null_type",
  bool: "bool",
  int: "int",
  uint: "uint",
  double: "double",
  string: "string",
  bytes: "bytes",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
  list: "list",
  map: "map",
  type: "type",
} as const;

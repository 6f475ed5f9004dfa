/**
 * Runtime type checks in front of implementations.
 *
 * Types are erased at run time, so only the first element of a list is checked, as in cel-go. An error has
 * no type: it fails every guard.
 */
import type { Type } from "../../types/type.ts";
import { runtimeTypeName, typeNameOf } from "../../values/type-of.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "../../values/value.ts";

export type Guard = (value: Value) => boolean;

export function guardFor(type: Type): Guard {
  switch (type.kind) {
    case "list":
      return listGuard(type.element);
    case "map":
      return mapGuard(type.key, type.value);
    case "wrapper":
      return nullable(guardFor(type.of));
    case "param":
      return isNoError;
    case "opaque":
    case "object":
      return named(runtimeTypeName(type));
    default:
      return PRIMITIVE_GUARDS[type.kind];
  }
}

function isString(value: Value): value is string {
  return typeof value === "string";
}

function isNoError(value: Value): boolean {
  return !(value instanceof CelError);
}

const PRIMITIVE_GUARDS = {
  dyn: isNoError,
  any: isNoError,
  error: isNoError,
  null: (value: Value) => value === null,
  bool: (value: Value) => typeof value === "boolean",
  int: (value: Value) => typeof value === "number" || typeof value === "bigint",
  uint: (value: Value) => value instanceof Uint,
  double: (value: Value) => value instanceof Double,
  string: isString,
  bytes: (value: Value) => value instanceof Bytes,
  timestamp: (value: Value) => value instanceof Timestamp,
  duration: (value: Value) => value instanceof Duration,
  type: (value: Value) => value instanceof TypeValue,
} as const;

function isUnchecked(type: Type): boolean {
  return type.kind === "param" || type.kind === "dyn" || type.kind === "any";
}

function listGuard(element: Type): Guard {
  if (isUnchecked(element)) return (value) => value instanceof ListValue;
  const guard = guardFor(element);
  return (value) => value instanceof ListValue && (value.size === 0 || guard(value.at(0)));
}

function mapGuard(key: Type, value: Type): Guard {
  if (isUnchecked(key) && isUnchecked(value)) return isPlainMap;
  const keyGuard = isUnchecked(key) ? () => true : guardFor(key);
  const valueGuard = isUnchecked(value) ? () => true : guardFor(value);
  return (map) => {
    if (!isPlainMap(map)) return false;
    const first = map.keys()[0];
    return first === undefined || (keyGuard(first) && valueGuard(map.get(first) ?? null));
  };
}

function isPlainMap(value: Value): value is MapValue {
  return value instanceof MapValue && value.objectType === undefined;
}

function nullable(guard: Guard): Guard {
  return (value) => value === null || guard(value);
}

function named(name: string): Guard {
  return (value) => typeof value === "object" && value !== null && typeNameOf(value) === name;
}

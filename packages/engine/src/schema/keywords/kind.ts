/** The JSON kind of a value, as value validation distinguishes them. One bit each, so that a set of types is a mask. */
import { Float64, type JsonValue } from "../../value/json.ts";

export const NULL = 1;
export const BOOLEAN = 2;
export const INTEGER = 4;
export const NUMBER = 8;
export const STRING = 16;
export const ARRAY = 32;
export const OBJECT = 64;

export function kindOf(value: JsonValue): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "boolean":
      return BOOLEAN;
    case "number":
      return Number.isInteger(value) ? INTEGER : NUMBER;
    case "bigint":
      return INTEGER;
    default:
      if (value === null) return NULL;
      if (Array.isArray(value)) return ARRAY;
      return value instanceof Float64 ? NUMBER : OBJECT;
  }
}

const KIND_NAMES: ReadonlyMap<number, string> = new Map([
  [NULL, "null"],
  [BOOLEAN, "boolean"],
  [INTEGER, "integer"],
  [NUMBER, "number"],
  [STRING, "string"],
  [ARRAY, "array"],
  [OBJECT, "object"],
]);

export function kindName(kind: number): string {
  return KIND_NAMES.get(kind) ?? "";
}

/** The mask of a list of type names; names that are no JSON type accept nothing. */
export function kindMask(types: readonly string[]): number {
  let mask = 0;
  for (const [kind, name] of KIND_NAMES) if (types.includes(name)) mask |= kind;
  return mask;
}

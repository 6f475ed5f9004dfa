/** How Go writes structs: the order of their fields, zero values, and what is left out. */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import type { GoField, GoShape, GoStruct } from "./go-shape.ts";

/** What writing a struct needs to know, worked out once. */
interface Layout {
  readonly positions: ReadonlyMap<string, number>;
  /** The fields that are written even where they are zero. */
  readonly always: readonly (readonly [string, GoField])[];
}

const layouts = new WeakMap<GoStruct, Layout>();

export function layoutOf(struct: GoStruct): Layout {
  const known = layouts.get(struct);
  if (known !== undefined) return known;
  const entries = [...struct.fields()];
  const layout = {
    positions: new Map(entries.map(([key], index) => [key, index])),
    always: entries.filter(([, field]) => !field.omitEmpty),
  };
  layouts.set(struct, layout);
  return layout;
}

/** From the end, as most keys come nearly in order. */
export function insert(
  keys: string[],
  values: JsonValue[],
  key: string,
  value: JsonValue,
  positions: ReadonlyMap<string, number>,
): void {
  const position = positions.get(key) ?? 0;
  let at = keys.length;
  while (at > 0 && (positions.get(keys[at - 1] as string) ?? 0) > position) {
    keys[at] = keys[at - 1] as string;
    values[at] = values[at - 1] as JsonValue;
    at--;
  }
  keys[at] = key;
  values[at] = value;
}

/** In the order of the struct, as Go writes it. What is so already, as after an earlier decoding, is not copied. */
export function written(members: JsonObject, struct: GoStruct): JsonObject {
  const { positions, always } = layoutOf(struct);
  const keys = Object.keys(members);
  if (isInOrder(keys, positions) && always.every(([key]) => members[key] !== undefined)) return members;
  for (const [key] of always) if (members[key] === undefined) keys.push(key);
  keys.sort((left, right) => (positions.get(left) ?? 0) - (positions.get(right) ?? 0));
  const result = newObject();
  for (const key of keys) result[key] = members[key] ?? zeroMember(struct.fields().get(key));
  return result;
}

function isInOrder(keys: readonly string[], positions: ReadonlyMap<string, number>): boolean {
  let last = -1;
  for (const key of keys) {
    const position = positions.get(key) ?? -1;
    if (position < last) return false;
    last = position;
  }
  return true;
}

export function isZero(value: JsonValue): boolean {
  if (value === "" || value === false || value === 0 || value === null) return true;
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether Go distinguishes the value from nil if it is empty. */
export function isHeld(value: JsonValue, { kind }: GoShape): boolean {
  return kind !== "struct" && (isArray(value) || isObject(value));
}

/** How Go writes the zero value of a type that is not left out. */
export function zeroOf(shape: GoShape): JsonValue {
  switch (shape.kind) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int":
    case "float":
      return 0;
    case "struct":
      return zeroStruct(shape);
    case "custom":
      return shape.zero ?? null;
    default:
      return null;
  }
}

function zeroStruct(struct: GoStruct): JsonObject {
  const result = newObject();
  for (const [key, field] of layoutOf(struct).always) result[key] = zeroMember(field);
  return result;
}

export function zeroMember(field: GoField | undefined): JsonValue {
  return field === undefined || field.isPointer ? null : zeroOf(field.shape);
}

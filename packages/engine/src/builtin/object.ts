/** Reading decoded objects: their members have the types the data file gives them, or are absent. */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";

export function textOf(object: JsonObject | undefined, key: string): string {
  const value = object?.[key];
  return typeof value === "string" ? value : "";
}

export function numberOf(object: JsonObject | undefined, key: string): number {
  const value = object?.[key];
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? value : 0;
}

export function isSet(object: JsonObject | undefined, key: string): boolean {
  return object?.[key] === true;
}

export function has(object: JsonObject | undefined, key: string): boolean {
  const value = object?.[key];
  return value !== undefined && value !== null;
}

/** Whether a list or map is nil or has nothing in it. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (isArray(value)) return value.length === 0;
  return !isObject(value) || Object.keys(value).length === 0;
}

/** The member; undefined if a pointer is nil. */
export function objectOf(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isObject(value) ? value : undefined;
}

/** The list itself where it can be: it is not to be changed. */
export function objectsOf(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object?.[key];
  if (!isArray(value)) return [];
  return value.every(isObject) ? value : value.filter(isObject);
}

export function textsOf(object: JsonObject | undefined, key: string): string[] {
  const value = object?.[key];
  return isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function metaOf(object: JsonObject): JsonObject {
  return objectOf(object, "metadata") ?? newObject();
}

/** An object made of members that are not undefined. */
export function objectFrom(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object = newObject();
  for (const [key, value] of Object.entries(members)) if (value !== undefined) object[key] = value;
  return object;
}

/**
 * The promise of `x-kubernetes-list-type`: items of a set, and the keys of a map, occur once.
 *
 * Follows apiextensions pkg/apiserver/schema/listtype. A value that occurs more than twice is reported once, at its second
 * occurrence. Keys of maps are written in brackets here, unlike in value validation.
 */
import { duplicate, type FieldError, invalid } from "../field/error.ts";
import { type FieldPath, nilPath } from "../field/path.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { scalarKey } from "./map-list.ts";
import { notAnObjectOfMapList } from "./messages.ts";
import type { Structural } from "./structural.ts";

export function validateListTypes(schema: Structural, value: JsonValue, path: FieldPath = nilPath): FieldError[] {
  const errors: FieldError[] = [];
  if (hasListTypes(schema)) checkValue(schema, value, path, errors);
  return errors;
}

const listTypesBelow = new WeakMap<Structural, boolean>();

/** Whether the schema has a set or map list anywhere: most do not, and then there is nothing to walk. */
function hasListTypes(schema: Structural): boolean {
  const known = listTypesBelow.get(schema);
  if (known !== undefined) return known;
  const inner = [schema.items, schema.additionalProperties?.schema, ...schema.properties.values()];
  const isList = schema.listType === "set" || schema.listType === "map";
  const found = isList || inner.some((each) => each !== undefined && hasListTypes(each));
  listTypesBelow.set(schema, found);
  return found;
}

function checkValue(schema: Structural, value: JsonValue, path: FieldPath, errors: FieldError[]): void {
  if (isArray(value)) checkList(schema, value, path, errors);
  else if (isObject(value)) checkMembers(schema, value, path, errors);
}

function checkMembers(schema: Structural, object: JsonObject, path: FieldPath, errors: FieldError[]): void {
  const additional = schema.additionalProperties?.schema;
  if (additional !== undefined && hasListTypes(additional)) {
    for (const key of sortedKeys(object)) checkValue(additional, object[key] as JsonValue, path.key(key), errors);
  }
  for (const [name, property] of schema.properties) {
    if (!hasListTypes(property) || !hasKey(object, name)) continue;
    checkValue(property, object[name] as JsonValue, path.child(name), errors);
  }
}

function checkList(schema: Structural, items: readonly JsonValue[], path: FieldPath, errors: FieldError[]): void {
  if (schema.listType === "set") {
    for (const index of repeated(items.map(identity)))
      errors.push(duplicate(path.index(index), items[index] as JsonValue, "set"));
  }
  if (schema.listType === "map") checkMapList(schema, items, path, errors);
  if (schema.items === undefined || !hasListTypes(schema.items)) return;
  for (let index = 0; index < items.length; index++) {
    checkValue(schema.items, items[index] as JsonValue, path.index(index), errors);
  }
}

function checkMapList(schema: Structural, items: readonly JsonValue[], path: FieldPath, errors: FieldError[]): void {
  const stray = items.findIndex((item) => item !== null && !isObject(item));
  if (stray >= 0) {
    errors.push(invalid(path.index(stray), items[stray] as JsonValue, notAnObjectOfMapList(), "map"));
    return;
  }
  const names = schema.listMapKeys;
  const keys = items.map((item) => keysOf(names, item));
  for (const index of repeated(keys.map((key) => keyIdentity(names, key))))
    errors.push(duplicate(path.index(index), keys[index] as JsonValue, "map"));
}

/** The keys an item has; those it lacks count as a value of their own. */
function keysOf(names: readonly string[], item: JsonValue): JsonObject {
  const keys = newObject();
  if (!isObject(item)) return keys;
  for (const name of names) if (hasKey(item, name)) keys[name] = item[name] as JsonValue;
  return keys;
}

/** A single key is compared as a value, several as the JSON text of them all. */
function keyIdentity(names: readonly string[], key: JsonObject): string {
  const [only] = names;
  if (only === undefined || names.length > 1) return identity(key);
  return hasKey(key, only) ? identity(key[only] as JsonValue) : "unspecified";
}

/** The second occurrence of each identity that occurs again. */
function repeated(identities: readonly string[]): number[] {
  const times = new Map<string, number>();
  const indices: number[] = [];
  identities.forEach((key, index) => {
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (before === 1) indices.push(index);
  });
  return indices;
}

/** Scalars are told apart by their Go type, compounds by their JSON text. */
function identity(item: JsonValue): string {
  return scalarKey(item) ?? (item === null ? "null" : `j${canonicalJson(item)}`);
}

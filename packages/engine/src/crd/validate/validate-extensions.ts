/**
 * What the Kubernetes extensions of a schema require of the schema around them: list types, map types, list map keys.
 *
 * An error about the items of a set shows their list type whichever extension is wrong, as upstream does.
 */
import { type BadValue, type FieldError, forbidden, invalid, notSupported, required } from "../../field/error.ts";
import { type FieldPath, nilPath } from "../../field/path.ts";
import type { Structural } from "../../schema/structural.ts";
import { append } from "../../value/append.ts";
import type { JsonObject } from "../../value/json.ts";
import { goItems, goTexts, goValue } from "../go-json.ts";
import * as messages from "../messages.ts";

export const SCHEMA_TYPES: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

export interface ExtensionOptions {
  readonly requireAtomicSets: boolean;
  readonly requireListKeys: boolean;
}

/** `json` is the schema as it was given, for messages that print parts of it. */
export function validateExtensions(
  schema: Structural,
  json: JsonObject,
  path: FieldPath,
  options: ExtensionOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.preserveUnknownFields === false) {
    const at = path.child("x-kubernetes-preserve-unknown-fields");
    errors.push(invalid(at, false, messages.trueOrUndefined(), "preserveUnknownFields"));
  }
  return [
    ...errors,
    ...checkMapType(schema, path),
    ...checkListType(schema, path, options),
    ...checkListMapKeys(schema, path),
    ...(schema.listType === "map" ? checkMapList(schema, json, path) : []),
    ...(options.requireListKeys ? checkKeyProperties(schema, path) : []),
  ];
}

function checkMapType({ mapType, type }: Structural, path: FieldPath): FieldError[] {
  if (mapType === undefined) return [];
  const errors = type === "object" ? [] : [wrongType(type, messages.objectForMapType(), path.child("type"))];
  if (!MAP_TYPES.includes(mapType)) {
    errors.push(notSupported(path.child("x-kubernetes-map-type"), mapType, MAP_TYPES, "mapType"));
  }
  return errors;
}

const MAP_TYPES: readonly string[] = ["atomic", "granular"];
const LIST_TYPES: readonly string[] = ["atomic", "set", "map"];

function wrongType(type: string, detail: string, path: FieldPath): FieldError {
  return type === "" ? required(path, detail, "type") : invalid(path, type, detail, "type");
}

function checkListType(schema: Structural, path: FieldPath, options: ExtensionOptions): FieldError[] {
  const { listType, type } = schema;
  if (listType === undefined) return [];
  const errors: FieldError[] = [];
  if (type !== "array") errors.push(wrongType(type, messages.arrayForListType(), path.child("type")));
  else if (options.requireAtomicSets) append(errors, checkSetItems(schema, path));
  if (!LIST_TYPES.includes(listType)) {
    errors.push(notSupported(path.child("x-kubernetes-list-type"), listType, LIST_TYPES, "listType"));
  }
  return errors;
}

function checkSetItems(schema: Structural, path: FieldPath): FieldError[] {
  if (!hasNonAtomicSet(schema)) return [];
  const extension = schema.items?.type === "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type";
  const shown = goValue(schema.items?.listType);
  return [invalid(path.child("items").child(extension), shown, messages.atomicInSet(), "listType")];
}

/** A list without a type counts as atomic, an object without one does not. */
export function hasNonAtomicSet({ listType, items }: Structural): boolean {
  if (listType !== "set" || items === undefined) return false;
  if (items.type === "array") return items.listType !== undefined && items.listType !== "atomic";
  return items.type === "object" && items.mapType !== "atomic";
}

function checkListMapKeys({ listMapKeys, listType }: Structural, path: FieldPath): FieldError[] {
  if (listMapKeys.length === 0 || listType === "map") return [];
  const at = path.child("x-kubernetes-list-type");
  const detail = messages.mapForKeys();
  return [listType === undefined ? required(at, detail, "listMapKeys") : invalid(at, listType, detail, "listMapKeys")];
}

function checkMapList(schema: Structural, json: JsonObject, path: FieldPath): FieldError[] {
  const { items, listMapKeys, unsupported } = schema;
  const at = path.child("items");
  const errors: FieldError[] = [];
  if (listMapKeys.length === 0) {
    errors.push(required(path.child("x-kubernetes-list-map-keys"), messages.keysForMap(), "listMapKeys"));
  }
  if (items === undefined) {
    const isList = unsupported?.itemsList !== undefined;
    errors.push(
      isList
        ? invalid(at, goItems(json["items"] ?? null), messages.oneSchemaForMap(), "listMapKeys")
        : required(at, messages.itemsForMap(), "listMapKeys"),
    );
  } else if (items.type !== "object") {
    errors.push(invalid(at.child("type"), items.type, messages.objectItemsForMap(), "listMapKeys"));
  } else append(errors, checkKeys(items, listMapKeys, path));
  return errors;
}

/** The bad value of a compound key is the type of the item, not of the key. */
function checkKeys(items: Structural, keys: readonly string[], path: FieldPath): FieldError[] {
  const keysPath = path.child("x-kubernetes-list-map-keys");
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  // All findings share one value: it has all keys.
  let all: BadValue | undefined;
  const wrong = (detail: string): FieldError => {
    all ??= goTexts([...keys]);
    return invalid(keysPath, all, detail, "listMapKeys");
  };
  for (const key of keys) {
    const property = items.properties.get(key);
    if (property === undefined) {
      errors.push(wrong(messages.keysAreProperties()));
    } else if (property.type === "array" || property.type === "object") {
      const at = path.child("items").child("properties").key(key).child("type");
      errors.push(invalid(at, items.type, messages.scalarKey(), "listMapKeys"));
    }
    if (seen.has(key)) errors.push(wrong(messages.keysTwice()));
    seen.add(key);
  }
  return errors;
}

/** Keys must always be there, and not null. */
function checkKeyProperties({ listType, items, listMapKeys }: Structural, path: FieldPath): FieldError[] {
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const at = path.child("items");
  const errors: FieldError[] = [];
  if (items.nullable) errors.push(forbidden(at.child("nullable"), messages.itemsNotNullable(listType), "listMapKeys"));
  if (listType === "set") return errors;
  const needed = new Set(items.required);
  for (const key of listMapKeys) {
    const property = items.properties.get(key);
    if (property === undefined) continue;
    const keyPath = at.child("properties").key(key);
    if (!needed.has(key) && property.default === undefined) {
      errors.push(required(keyPath.child("default"), messages.keyNeedsDefault(), "listMapKeys"));
    }
    if (property.nullable) errors.push(forbidden(keyPath.child("nullable"), messages.keyNotNullable(), "listMapKeys"));
  }
  return errors;
}

export function hasLooseListKeys(schema: Structural): boolean {
  return checkKeyProperties(schema, nilPath).length > 0;
}

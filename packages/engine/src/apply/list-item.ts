/**
 * What identifies an item of a list: its keys in a list map, itself in a set.
 *
 * Follows structured-merge-diff typed/helpers.go. A key that the item leaves out takes the default of the item's schema;
 * without a default it is left out of the identity.
 */
import type { Result } from "@portcullis/gostd/result";
import { type KeyField, keyElement, type PathElement, valueElement } from "../fieldset/element.ts";
import { encodeElement } from "../fieldset/serialize.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import * as messages from "./messages.ts";
import type { ListType } from "./types/types.ts";

export function itemElement(list: ListType, item: JsonValue): Result<PathElement> {
  if (list.relationship !== "associative") return { error: messages.notAssociative() };
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** Before Kubernetes 1.34 (structured-merge-diff 6), an item of a keyed list had to have all its keys. */
export function completeItem(list: ListType, item: JsonValue): Result<PathElement> {
  for (const name of list.keys) {
    if (!isObject(item)) break;
    const key = keyValue(list, item, name);
    if (key.error !== undefined) return key;
    if (key.value === undefined) return { error: messages.keyOmitted(name) };
  }
  return itemElement(list, item);
}

/** Equal for equal elements, so that items can be looked up. */
export function identityOf(element: PathElement): string {
  if (element.kind === "value" && typeof element.value === "string") return `"${element.value}`;
  return encodeElement(element);
}

function keyedElement(list: ListType, item: JsonValue): Result<PathElement> {
  if (item === null) return { error: messages.nullInKeyedList() };
  if (!isObject(item)) return { error: messages.scalarInKeyedList() };
  const fields: KeyField[] = [];
  for (const name of list.keys) {
    const value = keyValue(list, item, name);
    if (value.error !== undefined) return value;
    if (value.value !== undefined) fields.push({ name, value: value.value });
  }
  return fields.length === 0 ? { error: messages.keysOmitted(list.keys) } : { value: keyElement(fields) };
}

function keyValue(list: ListType, item: JsonObject, name: string): Result<JsonValue | undefined> {
  const own = item[name];
  if (own !== undefined) return { value: own };
  const map = list.element?.map;
  if (map === undefined) return { error: messages.noKeyDefault(name) };
  return { value: map.fields.get(name)?.default };
}

function setElement(item: JsonValue): Result<PathElement> {
  if (item === null) return { error: messages.nullInSet() };
  if (isArray(item)) return { error: messages.listInSet() };
  return isObject(item) ? { error: messages.mapInSet() } : { value: valueElement(item) };
}

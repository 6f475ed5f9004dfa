/**
 * A value without the fields of a set.
 *
 * Follows structured-merge-diff typed/remove.go. A container that loses its last member becomes null, not empty; so does
 * an atomic container that the set reaches into.
 */
import { fieldElement } from "../fieldset/element.ts";
import { childOf, type FieldSet, hasMember, isEmptySet } from "../fieldset/set.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { itemElement } from "./list-item.ts";
import { formOf, memberType, resolveForm } from "./types/form.ts";
import type { ListType, MapType, MergeType } from "./types/types.ts";

export function removeItems(type: MergeType | undefined, value: JsonValue, fields: FieldSet): JsonValue {
  if (type === undefined) return null;
  const form = resolveForm(type, formOf(type, value));
  if (form === "scalar") return value;
  if (form === "map" && type.map !== undefined && isObject(value)) return withoutMembers(type.map, value, fields);
  if (form === "list" && type.list !== undefined && isArray(value)) return withoutItems(type.list, value, fields);
  return null;
}

function withoutItems(type: ListType, items: JsonValue[], fields: FieldSet): JsonValue {
  if (type.relationship === "atomic") return null;
  const kept: JsonValue[] = [];
  for (const item of items) {
    const left = leftOfItem(type, item, fields);
    if (left !== undefined) kept.push(left);
  }
  return kept.length === 0 ? null : kept;
}

function leftOfItem(type: ListType, item: JsonValue, fields: FieldSet): JsonValue | undefined {
  const element = itemElement(type, item).value;
  if (element === undefined) return item;
  if (hasMember(fields, element)) return undefined;
  const below = childOf(fields, element);
  return below !== undefined && !isEmptySet(below) ? removeItems(type.element, item, below) : item;
}

function withoutMembers(type: MapType, value: JsonObject, fields: FieldSet): JsonValue {
  if (type.relationship === "atomic") return null;
  const kept = newObject();
  let isBare = true;
  for (const name in value) {
    const left = leftOfMember(type, value, name, fields);
    if (left === undefined) continue;
    kept[name] = left;
    isBare = false;
  }
  return isBare ? null : kept;
}

function leftOfMember(type: MapType, value: JsonObject, name: string, fields: FieldSet): JsonValue | undefined {
  const element = fieldElement(name);
  if (hasMember(fields, element)) return undefined;
  const member = value[name] ?? null;
  const below = childOf(fields, element);
  return below !== undefined && !isEmptySet(below) ? removeItems(memberType(type, name), member, below) : member;
}

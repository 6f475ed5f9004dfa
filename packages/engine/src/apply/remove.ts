/**
 * A value without, or with only, the fields of a set.
 *
 * Follows structured-merge-diff typed/remove.go. A container that loses its last member becomes null, not empty; so does
 * an atomic container that the set reaches into.
 */

import { union } from "../fieldset/algebra.ts";
import { fieldElement } from "../fieldset/element.ts";
import type { Path } from "../fieldset/path.ts";
import { childOf, type FieldSet, hasMember, hasPath, isEmptySet, pathsOf, setOf } from "../fieldset/set.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { formOf, memberType, settleForm } from "./form.ts";
import { itemElement } from "./list-item.ts";
import { toFieldSet } from "./to-set.ts";
import type { ListType, MapType, MergeType } from "./types.ts";

export function removeItems(type: MergeType, value: JsonValue, fields: FieldSet): JsonValue {
  return walk(type, value, fields, "remove");
}

/** Only the fields of the set; with `keys` also the fields that identify list items on the way to them. */
export function extractItems(
  type: MergeType,
  value: JsonValue,
  fields: FieldSet,
  options: { readonly keys: boolean } = { keys: false },
): JsonValue {
  return walk(type, value, options.keys ? withKeyFields(type, value, fields) : fields, "extract");
}

type Mode = "remove" | "extract";

function walk(type: MergeType | undefined, value: JsonValue, fields: FieldSet, mode: Mode): JsonValue {
  if (type === undefined) return null;
  const form = settleForm(type, formOf(type, value));
  if (form === "scalar") return value;
  if (form === "map" && type.map !== undefined && isObject(value)) return walkMap(type.map, value, fields, mode);
  if (form === "list" && type.list !== undefined && isArray(value)) return walkList(type.list, value, fields, mode);
  return null;
}

function walkList(type: ListType, items: JsonValue[], fields: FieldSet, mode: Mode): JsonValue {
  if (items.length === 0 || type.relationship === "atomic") return mode === "extract" ? items : null;
  const kept: JsonValue[] = [];
  for (const item of items) {
    const left = walkItem(type, item, fields, mode);
    if (left !== undefined) kept.push(left);
  }
  return kept.length === 0 ? null : kept;
}

function walkItem(type: ListType, item: JsonValue, fields: FieldSet, mode: Mode): JsonValue | undefined {
  const element = itemElement(type, item).value;
  if (element === undefined) return mode === "extract" ? undefined : item;
  const isListed = hasMember(fields, element);
  if (isListed && mode === "remove") return undefined;
  const below = childOf(fields, element);
  if (below !== undefined && !isEmptySet(below)) return walk(type.element, item, below, mode);
  return isListed || mode === "remove" ? item : undefined;
}

function walkMap(type: MapType, value: JsonObject, fields: FieldSet, mode: Mode): JsonValue {
  const kept = newObject();
  let isBare = true;
  let wasBare = true;
  for (const name in value) {
    wasBare = false;
    if (type.relationship === "atomic") break;
    const left = walkMember(type, value, name, fields, mode);
    if (left === undefined) continue;
    kept[name] = left;
    isBare = false;
  }
  if (wasBare || type.relationship === "atomic") return mode === "extract" ? value : null;
  return isBare ? null : kept;
}

function walkMember(
  type: MapType,
  value: JsonObject,
  name: string,
  fields: FieldSet,
  mode: Mode,
): JsonValue | undefined {
  const member = value[name] as JsonValue;
  const element = fieldElement(name);
  // Upstream goes on with the whole set here, not with what lies below the member.
  if (hasMember(fields, element))
    return mode === "remove" ? undefined : walk(memberType(type, name), member, fields, mode);
  const below = childOf(fields, element);
  if (below !== undefined && !isEmptySet(below)) return walk(memberType(type, name), member, below, mode);
  return mode === "remove" ? member : undefined;
}

function withKeyFields(type: MergeType, value: JsonValue, fields: FieldSet): FieldSet {
  const present = toFieldSet(type, value);
  const keys: Path[] = [];
  for (const path of pathsOf(fields)) {
    if (!hasPath(present, path)) continue;
    path.forEach((element, index) => {
      if (element.kind !== "key") return;
      for (const { name } of element.fields) keys.push([...path.slice(0, index + 1), fieldElement(name)]);
    });
  }
  return union(fields, setOf(...keys));
}

/**
 * The set of fields that a value mentions: its leaves, its list items and the members of its maps.
 *
 * Follows structured-merge-diff typed/tofieldset.go. A declared field that holds a list or a map is itself no member;
 * only its content is. Of items that occur more than once only the item itself is owned, not its fields.
 *
 * INVARIANT: the value has been validated against the type.
 */
import { fieldElement, type PathElement } from "../fieldset/element.ts";
import { type FieldSet, SetBuilder } from "../fieldset/set.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { identityOf, itemElement } from "./list-item.ts";
import { formOf, memberType, resolveForm } from "./types/form.ts";
import type { ListType, MapType, MergeType } from "./types/types.ts";

export function toFieldSet(type: MergeType, value: JsonValue): FieldSet {
  const root = new SetBuilder();
  collect(type, value, root);
  return root.build();
}

/** Whether the value itself belongs to the set. */
function collect(type: MergeType, value: JsonValue, into: SetBuilder): boolean {
  const form = resolveForm(type, formOf(type, value));
  if (form === "map" && type.map !== undefined) {
    if (type.map.relationship === "atomic") return true;
    if (isObject(value)) collectMembers(type.map, value, into);
    return false;
  }
  if (form === "list" && type.list !== undefined) {
    if (type.list.relationship === "atomic") return true;
    if (isArray(value)) collectItems(type.list, value, into);
    return false;
  }
  return form === "scalar";
}

function collectMembers(type: MapType, value: JsonObject, into: SetBuilder): void {
  for (const name in value) {
    const member = value[name] as JsonValue;
    const element = fieldElement(name);
    const isOwned = collectBelow(memberType(type, name), member, element, into);
    if (isOwned || isHollow(member) || !type.fields.has(name)) into.insert(element);
  }
}

function isHollow(value: JsonValue): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

function collectItems(type: ListType, items: readonly JsonValue[], into: SetBuilder): void {
  const elements = items.map((item) => itemElement(type, item).value);
  const counts = new Map<string, number>();
  for (const element of elements) {
    if (element !== undefined) counts.set(identityOf(element), (counts.get(identityOf(element)) ?? 0) + 1);
  }
  for (const [index, element] of elements.entries()) {
    if (element === undefined) continue;
    into.insert(element);
    if (counts.get(identityOf(element)) === 1) collectBelow(type.element, items[index] ?? null, element, into);
  }
}

function collectBelow(type: MergeType | undefined, value: JsonValue, element: PathElement, into: SetBuilder): boolean {
  if (type === undefined) return false;
  const below = new SetBuilder();
  const isOwned = collect(type, value, below);
  if (!below.isEmpty()) into.adoptBelow(element, below);
  return isOwned;
}

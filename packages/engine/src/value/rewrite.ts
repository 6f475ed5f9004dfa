/**
 * Changing JSON without mutating it: a new object or list is made only when a member changes, and all that did not
 * change is shared with the original. A pass that finds nothing to do allocates nothing.
 */
import { type JsonObject, type JsonValue, newObject } from "./json.ts";

/** Applies `change` to each member; undefined removes the member. */
export function rewriteMembers(
  object: JsonObject,
  change: (member: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  let copy: JsonObject | undefined;
  for (const key in object) {
    const member = object[key] as JsonValue;
    const changed = change(member, key);
    if (copy === undefined) {
      if (changed === member) continue;
      copy = copyBefore(object, key);
    }
    if (changed !== undefined) copy[key] = changed;
  }
  return copy ?? object;
}

export function rewriteItems(items: JsonValue[], change: (item: JsonValue, index: number) => JsonValue): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    const changed = change(item, index);
    if (copy === undefined) {
      if (changed === item) continue;
      copy = items.slice(0, index);
    }
    copy.push(changed);
  }
  return copy ?? items;
}

/** A copy of the object with one member set. */
export function withMember(object: JsonObject, key: string, member: JsonValue): JsonObject {
  const copy = copyObject(object);
  copy[key] = member;
  return copy;
}

/** A copy of the object without one member; the object itself where it has no such member. */
export function withoutMember(object: JsonObject, key: string): JsonObject {
  return rewriteMembers(object, (member, name) => (name === key ? undefined : member));
}

/** A new object with the same members. */
export function copyObject(object: JsonObject): JsonObject {
  const copy = newObject();
  for (const key in object) copy[key] = object[key] as JsonValue;
  return copy;
}

/** A new object with the members that come before a key. */
export function copyBefore(object: JsonObject, stop: string): JsonObject {
  const copy = newObject();
  for (const key in object) {
    if (key === stop) break;
    copy[key] = object[key] as JsonValue;
  }
  return copy;
}

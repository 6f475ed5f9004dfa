/**
 * The order of keys in a patched document.
 *
 * Upstream patches the text of an object: what a patch does not touch keeps the order in which Go writes the fields of a
 * struct, objects that it reaches into come out with sorted keys, and what a JSON patch adds stays as it was sent. The
 * order shows in messages that quote the document and in the order of findings about it.
 */
import { deepEqual } from "@portcullis/engine/value/equal";
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
  sortedKeys,
} from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";

export interface OrderOptions {
  /** Whether what is new keeps its own order. */
  readonly keepsNew: boolean;
}

/** `live` is as Go writes it. */
export function inPatchedOrder(patched: JsonValue, live: JsonValue | undefined, options: OrderOptions): JsonValue {
  if (live !== undefined && (patched === live || (options.keepsNew && deepEqual(patched, live)))) return live;
  if (live === undefined && options.keepsNew) return patched;
  if (isArray(patched)) {
    const before = isArray(live) ? live : [];
    return patched.map((item, index) => inPatchedOrder(item, before[index], options));
  }
  return isObject(patched) ? sortedMembers(patched, isObject(live) ? live : newObject(), options) : patched;
}

function sortedMembers(patched: JsonObject, live: JsonObject, options: OrderOptions): JsonObject {
  const sorted = newObject();
  for (const key of sortedKeys(patched)) sorted[key] = inPatchedOrder(patched[key] ?? null, live[key], options);
  return sorted;
}

/** JSON with the members of objects in the order they have. */
export function orderedJson(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(orderedJson).join(",")}]`;
  if (!isObject(value)) return canonicalJson(value);
  const members = Object.entries(value).map(([key, member]) => `${canonicalJson(key)}:${orderedJson(member)}`);
  return `{${members.join(",")}}`;
}

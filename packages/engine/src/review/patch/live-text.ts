/**
 * An object as the encoder writes it for a patch to work on. Go writes the fields of a struct in the order they are
 * declared and the keys of a map sorted; custom resources are maps throughout.
 */
import { decodeSet, encodeSet } from "../../fieldset/serialize.ts";
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";
import { canonicalJson } from "../../value/text.ts";

/** INVARIANT: fields of a typed object are in the order of its type. */
export function liveText(live: JsonObject, isCustom: boolean): string {
  return isCustom ? canonicalJson(live) : orderedJson(withOrderedOwners(live));
}

/** Field sets are text in Go, and keep the order of their paths: port 80 stands before port 443. */
function withOrderedOwners(live: JsonObject): JsonObject {
  const { metadata } = live;
  const entries = isObject(metadata) ? metadata["managedFields"] : undefined;
  if (!isObject(metadata) || !isArray(entries)) return live;
  return withMember(live, "metadata", withMember(metadata, "managedFields", entries.map(withOrderedFields)));
}

function withOrderedFields(entry: JsonValue): JsonValue {
  const fields = isObject(entry) ? entry["fieldsV1"] : undefined;
  const set = fields === undefined ? undefined : decodeSet(fields);
  if (!isObject(entry) || set === undefined || set.error !== undefined) return entry;
  return withMember(entry, "fieldsV1", encodeSet(set.set));
}

function orderedJson(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(orderedJson).join(",")}]`;
  if (!isObject(value)) return canonicalJson(value);
  const members = keysOf(value).map((key) => `${canonicalJson(key)}:${orderedJson(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** JavaScript puts keys that look like numbers first, whatever their place was; fields of structs have no such names. */
function keysOf(object: JsonObject): string[] {
  const keys = Object.keys(object);
  return /^\d/.test(keys[0] ?? "") ? sortedKeys(object) : keys;
}

/**
 * An object as the encoder writes it for a patch to work on. Go writes the fields of a struct in the order they are
 * declared and the keys of a map sorted; custom resources are maps throughout.
 */
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";

/** INVARIANT: fields of a typed object stand in the order of its type. */
export function liveText(live: JsonObject, isCustom: boolean): string {
  return isCustom ? canonicalJson(live) : orderedJson(live);
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

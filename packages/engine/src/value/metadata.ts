/** Reading and changing the metadata of objects without touching what others still hold. */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "./json.ts";
import { textOf } from "./read.ts";
import { copyObject, withMember } from "./rewrite.ts";

export { textOf } from "./read.ts";

export function metaOf(object: JsonObject): JsonObject {
  return isObject(object["metadata"]) ? object["metadata"] : newObject();
}

export function metaText(object: JsonObject, field: string): string {
  return textOf(metaOf(object)[field]);
}

export function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  const labels = metaOf(object)["labels"];
  const texts: Record<string, string> = Object.create(null);
  if (!isObject(labels)) return texts;
  for (const [key, value] of Object.entries(labels)) if (typeof value === "string") texts[key] = value;
  return texts;
}

export function finalizersOf(object: JsonObject): string[] {
  const finalizers = metaOf(object)["finalizers"];
  return isArray(finalizers) ? finalizers.filter((each) => typeof each === "string") : [];
}

/** A copy with the given members of metadata set; undefined removes one. */
export function withMeta(object: JsonObject, changes: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const meta = copyObject(metaOf(object));
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete meta[key];
    else meta[key] = value;
  }
  return withMember(object, "metadata", meta);
}

/** An object from its members. */
export function objectOf(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object = newObject();
  for (const [key, value] of Object.entries(members)) if (value !== undefined) object[key] = value;
  return object;
}

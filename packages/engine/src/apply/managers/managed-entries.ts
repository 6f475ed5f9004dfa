/** Where an object keeps its managed fields. */
import { isArray, isObject, type JsonObject } from "../../value/json.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";

/** The list of entries; undefined if there is none or it is not a list of objects. */
export function entriesOf(object: JsonObject): JsonObject[] | undefined {
  const { metadata } = object;
  const entries = isObject(metadata) ? metadata["managedFields"] : undefined;
  if (!isArray(entries)) return undefined;
  const objects = entries.filter(isObject);
  return objects.length === entries.length ? objects : undefined;
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || metadata["managedFields"] === undefined) return object;
  return withMember(object, "metadata", withoutMember(metadata, "managedFields"));
}

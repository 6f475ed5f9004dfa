/** Where an object keeps its managed fields. */
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";

/** The list of entries; undefined if there is none or it is not a list of objects. */
export function entriesOf(object: JsonObject): JsonObject[] | undefined {
  const { metadata } = object;
  const entries = isObject(metadata) ? metadata["managedFields"] : undefined;
  if (!isArray(entries)) return undefined;
  const objects = entries.filter(isObject);
  return objects.length === entries.length ? objects : undefined;
}

/** An empty list asks for a reset. Types leave it out, so it is put back as it was sent. */
export function withEmptyEntries(object: JsonObject, sent: JsonValue): JsonObject {
  const metadata = isObject(sent) ? sent["metadata"] : undefined;
  const entries = isObject(metadata) ? metadata["managedFields"] : undefined;
  const own = object["metadata"];
  if (!isArray(entries) || entries.length > 0 || !isObject(own)) return object;
  return withMember(object, "metadata", withMember(own, "managedFields", []));
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || metadata["managedFields"] === undefined) return object;
  return withMember(object, "metadata", withoutMember(metadata, "managedFields"));
}

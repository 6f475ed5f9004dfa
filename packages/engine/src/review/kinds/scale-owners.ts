/** Ownership on the way to a scale and back: its one field is owned in the object that it scales. */

import { entriesOfParent, entriesOfScale, type ReplicasPaths } from "../../apply/scale.ts";
import { bareError } from "../../status/error.ts";
import { isArray, isObject, type JsonObject } from "../../value/json.ts";
import { metaOf, withMeta } from "../../value/metadata.ts";

/** The scale with the entries that its object has for the replicas. */
export function withScaleFields(scale: JsonObject, parent: JsonObject, paths: ReplicasPaths): JsonObject {
  const entries = entriesOfScale(entriesOf(parent), paths);
  if (entries.error !== undefined) throw bareError(entries.error);
  return withMeta(scale, { managedFields: entries.value.length === 0 ? undefined : entries.value });
}

export interface WrittenScale {
  readonly scale: JsonObject;
  /** The object before. */
  readonly before: JsonObject;
  readonly paths: ReplicasPaths;
  /** The version of the request. */
  readonly apiVersion: string;
}

/** The object with the entries of a written scale. */
export function withParentFields(parent: JsonObject, { scale, before, paths, apiVersion }: WrittenScale): JsonObject {
  const entries = entriesOfParent({ parent: entriesOf(before), scale: entriesOf(scale), paths, apiVersion });
  if (entries.error !== undefined) throw bareError(entries.error);
  return withMeta(parent, { managedFields: entries.value.length === 0 ? undefined : entries.value });
}

function entriesOf(object: JsonObject): JsonObject[] {
  const entries = metaOf(object)["managedFields"];
  return isArray(entries) ? entries.filter(isObject) : [];
}

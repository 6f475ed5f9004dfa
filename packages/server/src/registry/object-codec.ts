/**
 * Between objects and what is stored. The stored text has no resourceVersion: that is the revision of the entry.
 *
 * Decoding an entry is cached by the entry itself, since drivers hand out the same one again and again, and by the kind
 * that reads it, since versions show it differently.
 */
import { decodeJson } from "@portcullis/engine/codec/json";
import { isObject, type JsonObject } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import type { Entry, StoreEvent } from "../storage/store.ts";
import { withMeta } from "./meta.ts";
import type { ResourceType } from "./resource-type.ts";

const decoded = new WeakMap<Entry, WeakMap<ResourceType, JsonObject>>();

export function decodeEntry(entry: Entry, type: ResourceType): JsonObject {
  let byType = decoded.get(entry);
  if (byType === undefined) {
    byType = new WeakMap();
    decoded.set(entry, byType);
  }
  let object = byType.get(type);
  if (object === undefined) {
    object = type.strategy.read(withRevision(parseStored(entry), entry.revision));
    byType.set(type, object);
  }
  return object;
}

export function encodeObject(object: JsonObject, type: ResourceType): string {
  const stored = type.strategy.write(object);
  return canonicalJson(withMeta(stored, { resourceVersion: undefined, selfLink: undefined }), { escapeHtml: false });
}

/** What would be read back: stored versions and defaults have their say in a dry run too. */
export function asStored(object: JsonObject, type: ResourceType): JsonObject {
  return type.strategy.read(type.strategy.write(object));
}

export function withRevision(object: JsonObject, revision: number): JsonObject {
  return withMeta(object, { resourceVersion: String(revision) });
}

/** The object as it was when it was deleted, at the revision of its deletion. */
export function decodeDeleted(event: StoreEvent, type: ResourceType): JsonObject | undefined {
  if (event.previous === undefined) return undefined;
  return withRevision(decodeEntry(event.previous, type), event.revision);
}

export function parseStored(entry: Entry): JsonObject {
  const parsed = decodeJson(entry.value);
  if (parsed.error !== undefined || !isObject(parsed.value))
    throw new Error(`stored object ${entry.key} is unreadable`);
  return parsed.value;
}

export function keyOf(type: ResourceType, namespace: string, name: string): string {
  return type.namespaced ? `${type.storagePrefix}${namespace}/${name}` : `${type.storagePrefix}${name}`;
}

/** What all objects of a namespace, or of the whole kind, have in common. */
export function prefixOf(type: ResourceType, namespace: string): string {
  return type.namespaced && namespace !== "" ? `${type.storagePrefix}${namespace}/` : type.storagePrefix;
}

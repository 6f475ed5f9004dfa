/**
 * Settling what users do not set themselves: system metadata, generation, and who may write the status.
 *
 * Follows apiserver pkg/registry/rest and apiextensions pkg/registry/customresource.
 */

import { decodeMetaLeniently } from "../../schema/meta-shape.ts";
import { badRequest } from "../../status/error.ts";
import { deepEqual } from "../../value/equal.ts";
import { hasKey, isInteger, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { copyObject, withMember, withoutMember } from "../../value/rewrite.ts";
import type { SystemFields } from "../system.ts";
import type { CustomResource } from "./custom-resource.ts";
import * as messages from "./messages.ts";

const MAX_GENERATED_BASE = 58;

/** A new object: the name is generated, generation is 1. */
export function prepareCreate(
  object: JsonObject,
  resource: CustomResource,
  namespace: string,
  system: SystemFields,
): JsonObject {
  const meta = copyObject(metaOf(object));
  dropMalformed(meta);
  meta["creationTimestamp"] = system.now();
  meta["uid"] = system.uid();
  meta["generation"] = 1;
  setNamespace(meta, resource.namespaced ? namespace : "");
  const base = meta["generateName"];
  if (typeof base === "string" && base !== "" && !hasText(meta, "name")) {
    meta["name"] = base.slice(0, MAX_GENERATED_BASE) + system.suffix();
  }
  const draft = withMember(object, "metadata", meta);
  return resource.hasStatus ? withoutMember(draft, "status") : draft;
}

/** A changed object: generation counts changes outside metadata, and the status stays where it has an endpoint of its own. */
export function prepareUpdate(
  object: JsonObject,
  old: JsonObject,
  resource: CustomResource,
  namespace: string,
): JsonObject {
  const meta = copyObject(metaOf(object));
  dropMalformed(meta);
  const oldMeta = metaOf(old);
  setNamespace(meta, resource.namespaced ? namespace : "");
  setOrDelete(meta, "generation", oldMeta["generation"]);
  const draft = withOldStatus(withMember(object, "metadata", meta), old, resource);
  if (!isSameOutsideMetadata(draft, old)) {
    const generation = oldMeta["generation"];
    meta["generation"] = (isInteger(generation) ? Number(generation) : 0) + 1;
  }
  restoreSystemFields(meta, oldMeta);
  return draft;
}

const SET_BY_ADMISSION = ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

/** The client's values are gone by now. Admission may set others, of which malformed ones count as absent. */
function dropMalformed(meta: JsonObject): void {
  for (const name of SET_BY_ADMISSION) {
    const value = meta[name];
    if (value === undefined) continue;
    const read = decodeMetaLeniently(withMember(newObject(), name, value)).value;
    if (!isObject(read) || read[name] === undefined) delete meta[name];
  }
}

/** Only the status and the managed fields of the request count. */
export function prepareStatusUpdate(object: JsonObject, old: JsonObject): JsonObject {
  const meta = copyObject(metaOf(old));
  setOrDelete(meta, "managedFields", metaOf(object)["managedFields"]);
  const draft = withMember(old, "metadata", meta);
  return hasKey(object, "status")
    ? withMember(draft, "status", object["status"] as JsonValue)
    : withoutMember(draft, "status");
}

function withOldStatus(object: JsonObject, old: JsonObject, resource: CustomResource): JsonObject {
  if (!resource.hasStatus) return object;
  return hasKey(old, "status")
    ? withMember(object, "status", old["status"] as JsonValue)
    : withoutMember(object, "status");
}

function isSameOutsideMetadata(object: JsonObject, old: JsonObject): boolean {
  return deepEqual(withoutMember(object, "metadata"), withoutMember(old, "metadata"));
}

function restoreSystemFields(meta: JsonObject, oldMeta: JsonObject): void {
  if (!hasText(meta, "uid")) setOrDelete(meta, "uid", oldMeta["uid"]);
  if (hasText(oldMeta, "creationTimestamp")) setOrDelete(meta, "creationTimestamp", oldMeta["creationTimestamp"]);
  if (hasText(oldMeta, "deletionTimestamp")) setOrDelete(meta, "deletionTimestamp", oldMeta["deletionTimestamp"]);
  if (meta["deletionGracePeriodSeconds"] === undefined) {
    setOrDelete(meta, "deletionGracePeriodSeconds", oldMeta["deletionGracePeriodSeconds"]);
  }
}

/** A namespace in the body must be that of the request; cluster-scoped objects lose theirs. */
function setNamespace(meta: JsonObject, namespace: string): void {
  const own = meta["namespace"];
  if (typeof own === "string" && own !== "" && namespace !== "" && own !== namespace) {
    throw badRequest(messages.namespaceMismatch());
  }
  setOrDelete(meta, "namespace", namespace === "" ? undefined : namespace);
}

function setOrDelete(meta: JsonObject, name: string, value: JsonValue | undefined): void {
  if (value === undefined) delete meta[name];
  else meta[name] = value;
}

function hasText(meta: JsonObject, name: string): boolean {
  const value = meta[name];
  return typeof value === "string" && value !== "";
}

function metaOf(object: JsonObject): JsonObject {
  return isObject(object["metadata"]) ? object["metadata"] : newObject();
}

/**
 * Objects as admission sees them: for validating policies decoded, defaulted, with the metadata and status the server sets.
 *
 * What other admission plugins would add, such as a pod's service account, is not there.
 * Without a clock or chance, every new object has the same uid and time.
 */

import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import type { FieldError } from "@portcullis/engine/field/error";
import { decodeResource } from "@portcullis/engine/review/custom-resource/coerce";
import type { CustomResource } from "@portcullis/engine/review/custom-resource/custom-resource";
import { prepareCreate, prepareUpdate } from "@portcullis/engine/review/custom-resource/prepare";
import { validateCreate, validateUpdate } from "@portcullis/engine/review/custom-resource/validate";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/value/json";
import { copyObject, withMember } from "@portcullis/engine/value/rewrite";
import type { ServedKind } from "./kinds.ts";

const SYSTEM = {
  uid: () => "00000000-0000-0000-0000-000000000000",
  now: () => "1970-01-01T00:00:00Z",
  suffix: () => "xxxxx",
};
const CONTEXT = { now: SYSTEM.now, clusterIp: () => "10.0.0.1", nodePort: () => 30000 };

export interface Subjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** A text says why an object is none of its kind. */
export function settleObjects(given: Subjects, kind: ServedKind, namespace: string): Subjects | string {
  const stored = given.oldObject && settleOne(given.oldObject, undefined, kind, namespace);
  if (typeof stored === "string") return stored;
  const oldObject = stored && withVersion(stored, "1");
  const proposed = oldObject && given.object && withVersion(given.object, metaOf(oldObject)["resourceVersion"] ?? "");
  const object = given.object && settleOne(proposed ?? given.object, oldObject, kind, namespace);
  return typeof object === "string" ? object : { object, oldObject };
}

/** The new object before the server sets anything in it; the old one as it is stored. */
export function draftObjects(given: Subjects, kind: ServedKind, namespace: string): Subjects | string {
  const settled = settleObjects({ object: undefined, oldObject: given.oldObject }, kind, namespace);
  if (typeof settled === "string" || given.object === undefined) return settled;
  const object = decoded(given.object, kind);
  if (typeof object === "string") return object;
  const isPlaced = !kind.namespaced || metaOf(object)["namespace"] !== undefined;
  const placed = isPlaced ? object : withMember(object, "metadata", withMember(metaOf(object), "namespace", namespace));
  return { object: placed, oldObject: settled.oldObject };
}

function decoded(object: JsonObject, { builtin, custom }: ServedKind): JsonObject | string {
  if (builtin !== undefined) {
    const { value, error } = builtin.decodeFields(object);
    return error ?? value;
  }
  const draft = custom && decodeResource(object, custom());
  return draft === undefined ? object : (draft.error ?? draft.object);
}

/** What is stored has a version, and who changes it means that one, unless they say otherwise. */
function withVersion(object: JsonObject, version: JsonValue): JsonObject {
  const meta = metaOf(object);
  return meta["resourceVersion"] === undefined
    ? withMember(object, "metadata", withMember(meta, "resourceVersion", version))
    : object;
}

function settleOne(
  object: JsonObject,
  old: JsonObject | undefined,
  kind: ServedKind,
  namespace: string,
): JsonObject | string {
  if (kind.builtin !== undefined) return settleBuiltin(object, old, kind.builtin, namespace);
  if (kind.custom !== undefined) return settleCustom(object, old, kind.custom(), namespace);
  return object;
}

function settleBuiltin(
  given: JsonObject,
  old: JsonObject | undefined,
  kind: BuiltinResource,
  namespace: string,
): JsonObject | string {
  const { value, error } = kind.decodeFields(given);
  return error ?? settleDecoded({ given, value }, old, kind, namespace);
}

/** The same for an object that has been decoded before. */
export function settleDecoded(
  { given, value }: { readonly given: JsonObject; readonly value: JsonObject },
  old: JsonObject | undefined,
  kind: BuiltinResource,
  namespace: string,
): JsonObject {
  const inherited = old === undefined ? newObject() : metaOf(old);
  const object = withSystemMeta(value, inherited, kind.namespaced ? namespace : "");
  const settled = old === undefined ? kind.prepareCreate(object, CONTEXT) : kind.prepareUpdate(object, old, CONTEXT);
  return keepStatus(given, old, settled);
}

const NOTHING: JsonObject = Object.freeze(newObject());

/** Whether a new object is taken without a word; false where only a closer look can tell. */
export function passesCreate(given: JsonObject, kind: BuiltinResource, namespace: string): boolean {
  if (given["status"] !== undefined) return false;
  return kind.passesCreate(given, (meta) => setSystemMeta(meta, NOTHING, kind.namespaced ? namespace : ""), CONTEXT);
}

/** A manifest that has a status was taken from a cluster: an old object keeps it, a new one has lost it. */
function keepStatus(given: JsonObject, old: JsonObject | undefined, settled: JsonObject): JsonObject {
  const { status } = given;
  return old === undefined && isObject(status) && metaOf(given)["uid"] !== undefined
    ? withMember(settled, "status", status)
    : settled;
}

function withSystemMeta(object: JsonObject, old: JsonObject, namespace: string): JsonObject {
  const meta = copyObject(metaOf(object));
  setSystemMeta(meta, old, namespace);
  return withMember(object, "metadata", meta);
}

function setSystemMeta(meta: JsonObject, old: JsonObject, namespace: string): void {
  const set = (key: string, value: JsonValue): void => {
    if (meta[key] === undefined || meta[key] === null || meta[key] === "") meta[key] = old[key] ?? value;
  };
  set("uid", SYSTEM.uid());
  set("creationTimestamp", SYSTEM.now());
  if (namespace !== "") set("namespace", namespace);
  const base = meta["generateName"];
  if (typeof base === "string" && base !== "") set("name", `${base}${SYSTEM.suffix()}`);
}

function settleCustom(
  given: JsonObject,
  old: JsonObject | undefined,
  resource: CustomResource,
  namespace: string,
): JsonObject | string {
  const draft = decodeResource(given, resource);
  if (draft.error !== undefined) return draft.error;
  return old === undefined
    ? prepareCreate(draft.object, resource, namespace, SYSTEM)
    : prepareUpdate(draft.object, old, resource, namespace);
}

/** What the API server finds wrong with the new object, before it asks any policy. */
export function validateSettled({ object, oldObject }: Subjects, kind: ServedKind): readonly FieldError[] {
  if (object === undefined) return [];
  if (kind.builtin !== undefined) {
    return oldObject === undefined
      ? kind.builtin.validateCreate(object)
      : kind.builtin.validateUpdate(object, oldObject);
  }
  const resource = kind.custom?.();
  if (resource === undefined) return [];
  return oldObject === undefined
    ? validateCreate(object, resource).errors
    : validateUpdate(object, oldObject, resource).errors;
}

export function metaOf(object: JsonObject): JsonObject {
  return isObject(object["metadata"]) ? object["metadata"] : newObject();
}

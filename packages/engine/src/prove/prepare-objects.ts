/**
 * Objects as validating policies see them: decoded, defaulted, with the metadata and the status that the server sets.
 * The steps are those of the review, but synchronous: proofs try thousands of objects.
 */
import type { BuiltinResource } from "../builtin/builtin.ts";
import type { FieldError } from "../field/error.ts";
import { decodeResource } from "../review/custom-resource/coerce.ts";
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { prepareCreate, prepareUpdate } from "../review/custom-resource/prepare.ts";
import { validateCreate, validateStatusUpdate, validateUpdate } from "../review/custom-resource/validate.ts";
import { wipeSystemFields } from "../review/prepare.ts";
import { type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { metaOf } from "../value/metadata.ts";
import { copyObject, withMember } from "../value/rewrite.ts";

const SYSTEM = {
  uid: () => "00000000-0000-0000-0000-000000000000",
  /** Objects are created now: policies may compare the time with that of the last years. */
  now: () => "2026-01-01T00:00:00Z",
  suffix: () => "xxxxx",
};
export const PREPARE_CONTEXT = { now: SYSTEM.now, clusterIp: () => "10.0.0.1", nodePort: () => 30000 };

/** A built-in kind, or one that a CRD defines. */
export interface PreparedKind {
  readonly builtin?: BuiltinResource | undefined;
  readonly custom?: (() => CustomResource) | undefined;
}

export interface Subjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Undefined if an object is not valid for its kind. */
export function prepareObjects(given: Subjects, kind: PreparedKind, namespace: string): Subjects | undefined {
  const stored = given.oldObject && prepareOne(given.oldObject, undefined, kind, namespace);
  if (given.oldObject !== undefined && stored === undefined) return undefined;
  const oldObject = stored && withVersion(withHistory(stored, given.oldObject), "1");
  const proposed = oldObject && given.object && withVersion(given.object, metaOf(oldObject)["resourceVersion"] ?? "");
  const next =
    proposed && oldObject ? withHistory(proposed, oldObject) : given.object && wipeSystemFields(given.object);
  const object = next && prepareOne(next, oldObject, kind, namespace);
  return given.object !== undefined && object === undefined ? undefined : { object, oldObject };
}

/** Set when an object was created, or is being deleted; no client changes that. */
const HISTORY = ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"];
const FINALIZERS = ["example.com/finalizer"];

/** An object that is being deleted exists as long as it has finalizers. */
function withHistory(object: JsonObject, from: JsonObject | undefined): JsonObject {
  const [meta, old] = [copyObject(metaOf(object)), from === undefined ? newObject() : metaOf(from)];
  for (const key of HISTORY) {
    const value = old[key];
    if (value === undefined) delete meta[key];
    else meta[key] = value;
  }
  if (meta["creationTimestamp"] === undefined) meta["creationTimestamp"] = SYSTEM.now();
  if (meta["deletionTimestamp"] !== undefined) meta["finalizers"] ??= FINALIZERS;
  return withMember(object, "metadata", meta);
}

/** A stored object has a resourceVersion, and an update refers to it. */
function withVersion(object: JsonObject, version: JsonValue): JsonObject {
  const meta = metaOf(object);
  return meta["resourceVersion"] === undefined
    ? withMember(object, "metadata", withMember(meta, "resourceVersion", version))
    : object;
}

function prepareOne(
  object: JsonObject,
  old: JsonObject | undefined,
  { builtin, custom }: PreparedKind,
  namespace: string,
): JsonObject | undefined {
  if (builtin !== undefined) return prepareBuiltin(object, old, builtin, namespace);
  return custom === undefined ? object : prepareCustom(object, old, custom(), namespace);
}

function prepareBuiltin(
  given: JsonObject,
  old: JsonObject | undefined,
  kind: BuiltinResource,
  namespace: string,
): JsonObject | undefined {
  // Policies do not see empty lists and maps.
  const { value, error } = kind.decodeFields(given, { keepEmpty: false });
  if (error !== undefined) return undefined;
  const inherited = old === undefined ? newObject() : metaOf(old);
  const object = withSystemMeta(value, inherited, kind.namespaced ? namespace : "");
  return old === undefined
    ? kind.prepareCreate(object, PREPARE_CONTEXT)
    : kind.prepareUpdate(object, old, PREPARE_CONTEXT);
}

function withSystemMeta(object: JsonObject, old: JsonObject, namespace: string): JsonObject {
  const meta = copyObject(metaOf(object));
  const set = (key: string, value: JsonValue): void => {
    if (meta[key] === undefined || meta[key] === null || meta[key] === "") meta[key] = old[key] ?? value;
  };
  set("uid", SYSTEM.uid());
  set("creationTimestamp", SYSTEM.now());
  if (namespace !== "") set("namespace", namespace);
  return withMember(object, "metadata", meta);
}

function prepareCustom(
  given: JsonObject,
  old: JsonObject | undefined,
  resource: CustomResource,
  namespace: string,
): JsonObject | undefined {
  const draft = decodeResource(given, resource);
  if (draft.error !== undefined) return undefined;
  return old === undefined
    ? prepareCreate(wipeSystemFields(draft.object), resource, namespace, SYSTEM)
    : prepareUpdate(draft.object, old, resource, namespace);
}

/** The API server's validation errors for the new object, before any policy runs. */
export function validatePrepared(
  { object, oldObject }: Subjects,
  { builtin, custom }: PreparedKind,
): readonly FieldError[] {
  if (object === undefined) return [];
  if (builtin !== undefined) {
    return oldObject === undefined ? builtin.validateCreate(object) : builtin.validateUpdate(object, oldObject);
  }
  const resource = custom?.();
  if (resource === undefined) return [];
  return oldObject === undefined
    ? validateCreate(object, resource).errors
    : validateUpdate(object, oldObject, resource).errors;
}

/** The same for a write to the status alone. */
export function isStatusValid(object: JsonObject, stored: JsonObject, { builtin, custom }: PreparedKind): boolean {
  if (builtin !== undefined) return builtin.validateStatusUpdate(object, stored).length === 0;
  const resource = custom?.();
  return resource === undefined || validateStatusUpdate(object, stored, resource).errors.length === 0;
}

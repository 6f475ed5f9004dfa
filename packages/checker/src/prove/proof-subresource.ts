/** Writes to subresources, as the API server processes them, for the requests that proofs generate. */

import { shapeOf } from "@portcullis/engine/internal/builtin/shapes";
import { prepareResize } from "@portcullis/engine/internal/builtin/strategies/pod-parts";
import { structOfKind } from "@portcullis/engine/internal/builtin/types";
import { validateResize } from "@portcullis/engine/internal/builtin/validate/pod/parts";
import { decodeGo } from "@portcullis/engine/internal/field/go-decode";
import { normalizeGo } from "@portcullis/engine/internal/field/go-normalize";
import type { GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import { isStatusValid, PREPARE_CONTEXT } from "@portcullis/engine/internal/prove/prepare-objects";
import { apiVersionOf } from "@portcullis/engine/internal/prove/sorts/kinds";
import { SCALE_METADATA } from "@portcullis/engine/internal/prove/sorts/object-sorts";
import {
  isArray,
  isInteger,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
} from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import type { ServedKind } from "../policy/kinds.ts";

/** An object of another kind than the resource, such as a Scale; undefined if it is refused. */
export function decodeOther(object: JsonObject, kind: GroupVersionKind, namespace: string): JsonObject | undefined {
  const struct = structOfKind(kind.group, kind.version, kind.kind);
  if (struct === undefined) return object;
  const shape = shapeOf(struct);
  // The server sets both after decoding, even if the body has neither.
  const named = withMember(withMember(object, "apiVersion", apiVersionOf(kind)), "kind", kind.kind);
  const { value, error } = decodeGo(named, shape);
  if (error !== undefined || !isObject(value)) return undefined;
  const normal = normalizeGo(value, shape);
  if (!isObject(normal) || !hasValidScale(normal) || !hasValidTarget(normal)) return undefined;
  if (kind.kind.endsWith("Options")) return normal;
  const metadata = kind.kind === "Scale" ? scaleMetadata(normal) : metaOf(normal);
  return withMember(normal, "metadata", namespace === "" ? metadata : withMember(metadata, "namespace", namespace));
}

function scaleMetadata(scale: JsonObject): JsonObject {
  const made = newObject();
  for (const [key, value] of Object.entries(metaOf(scale))) if (SCALE_METADATA.includes(key)) made[key] = value;
  return made;
}

/** The server refuses other bindings before policies see them. */
function hasValidTarget({ kind, target }: JsonObject): boolean {
  return kind !== "Binding" || (isObject(target) && target["name"] !== undefined && target["name"] !== "");
}

function hasValidScale({ kind, spec }: JsonObject): boolean {
  if (kind !== "Scale" || !isObject(spec)) return true;
  const { replicas = 0 } = spec;
  return isInteger(replicas) && replicas >= 0;
}

/** The result of a write to a stored object of the kind itself; undefined if it is refused. */
export function writeOwn(
  stored: JsonObject,
  given: JsonObject,
  subresource: string,
  served: ServedKind,
): JsonObject | undefined {
  if (subresource === "status") return writeStatus(stored, given, served);
  if (subresource === "resize") return resize(stored, given, served);
  if (subresource === "ephemeralcontainers") return addEphemeral(stored, given, served);
  return stored;
}

/** Policies do not see empty lists and maps. */
const NO_EMPTY = { keepEmpty: false };

/** Kinds decide for themselves which metadata such a write may change. */
function writeStatus(stored: JsonObject, given: JsonObject, served: ServedKind): JsonObject | undefined {
  const { builtin } = served;
  const { status } = given;
  const withStatus = status === undefined ? stored : withMember(stored, "status", status);
  const next = builtin === undefined ? withStatus : withMember(withStatus, "metadata", changedMetadata(stored, given));
  if (builtin === undefined) return isStatusValid(next, stored, served) ? next : undefined;
  const { value, error } = builtin.decodeFields(next, NO_EMPTY);
  const prepared = error === undefined ? builtin.prepareStatusUpdate(value, stored, PREPARE_CONTEXT) : undefined;
  return prepared !== undefined && isStatusValid(prepared, stored, served) ? prepared : undefined;
}

function changedMetadata(stored: JsonObject, given: JsonObject): JsonObject {
  const changed = Object.assign(newObject(), metaOf(stored));
  for (const key of ["labels", "annotations"]) {
    const value = metaOf(given)[key];
    if (value === undefined) delete changed[key];
    else changed[key] = value;
  }
  return changed;
}

function resize(stored: JsonObject, given: JsonObject, { builtin }: ServedKind): JsonObject | undefined {
  const { value, error } = builtin?.decodeFields(withMember(given, "metadata", metaOf(stored)), NO_EMPTY) ?? {
    value: given,
  };
  if (error !== undefined) return undefined;
  const next = prepareResize(value, stored);
  return validateResize(next, stored).length === 0 ? next : undefined;
}

const EPHEMERAL_FIELDS: ReadonlySet<string> = new Set([
  ...["name", "image", "command", "args", "workingDir", "envFrom", "env", "volumeMounts", "volumeDevices"],
  ...["terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy", "securityContext"],
  ...["stdin", "stdinOnce", "tty", "targetContainerName"],
]);

/** Validated like the containers of a pod, and for the fields that only ephemeral containers may have. */
function addEphemeral(stored: JsonObject, given: JsonObject, { builtin }: ServedKind): JsonObject | undefined {
  const added = containersOf(given, "ephemeralContainers");
  if (builtin === undefined || added.length === 0) return stored;
  if (added.some((each) => Object.entries(each).some(([key, value]) => !EPHEMERAL_FIELDS.has(key) && !isEmpty(value))))
    return undefined;
  const next = builtin.decodeFields(withSpec(stored, "ephemeralContainers", added), NO_EMPTY);
  const plain = builtin.decodeFields(
    withSpec(stored, "containers", [...containersOf(stored, "containers"), ...added.map(plainContainer)]),
    NO_EMPTY,
  );
  const isValid =
    next.error === undefined && plain.error === undefined && builtin.validateCreate(plain.value).length === 0;
  return isValid ? next.value : undefined;
}

function isEmpty(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function containersOf({ spec }: JsonObject, key: string): JsonObject[] {
  const list = isObject(spec) ? spec[key] : undefined;
  return isArray(list) ? list.filter(isObject) : [];
}

function plainContainer(container: JsonObject): JsonObject {
  const made = Object.assign(newObject(), container);
  delete made["targetContainerName"];
  return made;
}

function withSpec(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const { spec } = object;
  return withMember(object, "spec", withMember(isObject(spec) ? spec : newObject(), key, value));
}

/** The object before the write: a pod is created without ephemeral containers. */
export function createdBefore(object: JsonObject, subresource: string): JsonObject {
  const { spec } = object;
  if (subresource !== "ephemeralcontainers" || !isObject(spec)) return object;
  const rest = Object.assign(newObject(), spec);
  delete rest["ephemeralContainers"];
  return withMember(object, "spec", rest);
}

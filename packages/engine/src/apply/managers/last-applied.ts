/**
 * The step from client-side to server-side apply, for the manager `kubectl` only.
 *
 * Follows apimachinery util/managedfields/internal/lastapplied{manager,updater}.go. Conflicts on fields that still are as
 * the last client-side apply left them do not count, and the annotation that client-side apply relies on is kept up to
 * date where it exists.
 */
import { byteLength } from "@portcullis/gostd/utf8";
import { difference } from "../../fieldset/algebra.ts";
import type { FieldSet } from "../../fieldset/set.ts";
import { hasKey, isObject, type JsonObject, newObject } from "../../value/json.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";
import { canonicalJson } from "../../value/text.ts";
import { compareTyped } from "../compare.ts";
import { MergeError } from "../merge-error.ts";
import { toFieldSet } from "../to-set.ts";
import { asTyped, type ResourceTypes, type Typed } from "../types/typed.ts";

export const KUBECTL = "kubectl";
const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
const MAX_ANNOTATION_BYTES = 256 * 1024;

export interface LastAppliedScope {
  readonly types: ResourceTypes;
  readonly apiVersion: string;
  /** Reads JSON text as the API server does; undefined if it is no object. */
  readonly parseJson: (text: string) => JsonObject | undefined;
}

/** The fields that client-side apply set and nothing changed since; undefined if that cannot be determined. */
export function fieldsOfLastApplied(scope: LastAppliedScope, live: JsonObject): FieldSet | undefined {
  const text = lastAppliedText(live);
  const configuration = text === "" ? undefined : scope.parseJson(text);
  if (configuration === undefined || configuration["apiVersion"] !== scope.apiVersion) return undefined;
  const current = typedOrUndefined(scope, live);
  const last = current === undefined ? undefined : typedOrUndefined(scope, configuration);
  if (current === undefined || last === undefined || current.type !== last.type) return undefined;
  const { modified, added, removed } = compareTyped(last.type, last.value, current.value);
  const set = toFieldSet(last.type, last.value);
  return difference(difference(difference(set, modified), added), removed);
}

function typedOrUndefined(scope: LastAppliedScope, object: JsonObject): Typed | undefined {
  try {
    return asTyped(scope.types, object, { allowDuplicates: false });
  } catch (error) {
    if (error instanceof MergeError) return undefined;
    throw error;
  }
}

/** The object with the annotation rewritten to the applied configuration; unchanged where it has none. */
export function withLastApplied(object: JsonObject, configuration: JsonObject): JsonObject {
  if (lastAppliedText(object) === "") return object;
  const text = `${canonicalJson(withoutAnnotation(configuration))}\n`;
  const annotations = annotationsOf(object);
  const updated = withMember(annotations, ANNOTATION, text);
  const isTooLong = sizeOf(updated) > MAX_ANNOTATION_BYTES;
  return withAnnotations(object, isTooLong ? withoutMember(annotations, ANNOTATION) : updated);
}

function lastAppliedText(object: JsonObject): string {
  const text = annotationsOf(object)[ANNOTATION];
  return typeof text === "string" ? text : "";
}

function annotationsOf({ metadata }: JsonObject): JsonObject {
  const annotations = isObject(metadata) ? metadata["annotations"] : undefined;
  return isObject(annotations) ? annotations : newObject();
}

function withoutAnnotation(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || !hasKey(metadata, "annotations")) return object;
  if (!isObject(metadata["annotations"])) return withMember(object, "metadata", withoutMember(metadata, "annotations"));
  return withAnnotations(object, withoutMember(metadata["annotations"], ANNOTATION));
}

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  const { metadata } = object;
  return withMember(
    object,
    "metadata",
    withMember(isObject(metadata) ? metadata : newObject(), "annotations", annotations),
  );
}

function sizeOf(annotations: JsonObject): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    bytes += byteLength(key) + (typeof value === "string" ? byteLength(value) : 0);
  }
  return bytes;
}

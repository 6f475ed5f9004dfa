/** One object through the engine, as a create or as an update of what is there, and what comes of it as findings. */
import type { FieldError } from "@portcullis/engine/field/error";
import { decodeResource } from "@portcullis/engine/pipeline/coerce";
import type { CustomResource } from "@portcullis/engine/pipeline/custom-resource";
import { prepareCreate, prepareUpdate } from "@portcullis/engine/pipeline/prepare";
import { type ValidationResult, validateCreate, validateUpdate } from "@portcullis/engine/pipeline/validate";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import type { ManifestDocument } from "../input/manifest.ts";
import { findingAt } from "../report/build.ts";
import { fieldFinding } from "../report/field-error.ts";
import type { Finding } from "../report/finding.ts";
import { explainForgiven, explainKept } from "./explain-ratcheting.ts";

/** What only a server knows, where there is none. */
export const SYSTEM = {
  uid: () => "00000000-0000-0000-0000-000000000000",
  now: () => "1970-01-01T00:00:00Z",
  suffix: () => "xxxxx",
};

/** Throws a StatusError where the request is refused. */
export function reviewObject(
  document: ManifestDocument,
  draft: JsonObject,
  old: ManifestDocument | undefined,
  resource: CustomResource,
): Finding[] {
  const namespace = document.id.namespace || "default";
  if (old === undefined) {
    return toFindings(document, validateCreate(prepareCreate(draft, resource, namespace, SYSTEM), resource));
  }
  const live = decodeResource(old.object, resource, { fromStorage: true });
  if (live.error !== undefined) return [findingAt(old, { rule: "decode", severity: "error", message: live.error })];
  const stored = withSystemFields(live.object, resource, namespace);
  const next = prepareUpdate(withVersion(draft), stored, resource, namespace);
  return toFindings(document, validateUpdate(next, stored, resource));
}

/** A manifest has no resourceVersion; as the object of an update it is taken to be current. */
export function withVersion(object: JsonObject): JsonObject {
  const meta = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return withMember(object, "metadata", withMember(meta, "resourceVersion", "1"));
}

/** An object as it is stored: with a version, and in its namespace. */
export function withSystemFields(object: JsonObject, resource: CustomResource, namespace: string): JsonObject {
  const versioned = withVersion(object);
  const meta = versioned["metadata"];
  if (!isObject(meta) || !resource.namespaced || meta["namespace"] !== undefined) return versioned;
  return withMember(versioned, "metadata", withMember(meta, "namespace", namespace));
}

function toFindings(document: ManifestDocument, result: ValidationResult): Finding[] {
  const reasons = new Map(result.ratcheting?.kept.map(({ error, reason }) => [error, explainKept(reason)]));
  const errors = result.errors.map((error) =>
    fieldFinding(document, error, { rule: ruleOf(error), severity: "error", hint: reasons.get(error) }),
  );
  const forgiven = (result.ratcheting?.forgiven ?? []).map((each) =>
    fieldFinding(document, each.error, { rule: ruleOf(each.error), severity: "note", hint: explainForgiven(each) }),
  );
  return [...errors, ...forgiven];
}

export function ruleOf({ origin }: FieldError): string {
  if (origin === "rule" || origin === "rules" || origin === "budget") return `cel/${origin}`;
  return origin === "" ? "validation" : `schema/${origin}`;
}

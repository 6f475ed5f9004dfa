/**
 * What a webhook may make of an object: its kind, name, namespace and uid stay; of its metadata only labels and
 * annotations may change, and those must be valid where they do.
 *
 * Follows validateConvertedObject and restoreObjectMeta of apiextensions pkg/apiserver/conversion/webhook_converter.go.
 */
import type { FieldError } from "@portcullis/engine/internal/field/error";
import { formatFieldErrors } from "@portcullis/engine/internal/field/format";
import { newPath } from "@portcullis/engine/internal/field/path";
import { goTypeName } from "@portcullis/engine/internal/kubecel/go-data";
import { goJsonName, kindMissing } from "@portcullis/engine/internal/review/type-meta";
import { validateAnnotations, validateLabels } from "@portcullis/engine/internal/schema/object-meta";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { withMember, withoutMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import * as messages from "./messages.ts";

export type Converted = { readonly object: JsonObject; readonly error?: undefined } | { readonly error: string };

/** `kind` is that of the original, as messages name it. */
export function acceptConverted(value: JsonValue, original: JsonObject, apiVersion: string, kind: string): Converted {
  if (value === null) return { error: messages.unexpectedEnd() };
  if (!isObject(value)) return { error: messages.notAMap(goJsonName(value)) };
  const found = textOf(value["apiVersion"]);
  const foundKind = textOf(value["kind"]);
  if (foundKind === "" || found.split("/").length > 2) return { error: kindMissing(canonicalJson(value)) };
  if (found !== apiVersion) return { error: messages.wrongVersion(kind, apiVersion, found) };
  const originalKind = textOf(original["kind"]);
  if (foundKind !== originalKind) return { error: messages.wrongKind(kind, originalKind, foundKind) };
  const problem = identityProblem(original, value);
  if (problem !== undefined) return { error: messages.invalidObject(kind, problem) };
  const restored = restoreMeta(original, value);
  if (restored.error !== undefined) return { error: messages.invalidMetadata(kind, restored.error) };
  return restored;
}

const IDENTITY = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function identityProblem(original: JsonObject, converted: JsonObject): string | undefined {
  for (const [member, name] of IDENTITY) {
    const [expected, found] = [metaText(original, member), metaText(converted, member)];
    if (expected !== found) return messages.mustBeSame(name, expected, found);
  }
  return undefined;
}

function restoreMeta(original: JsonObject, converted: JsonObject): Converted {
  const answered = converted["metadata"];
  if (answered === undefined) return { error: messages.metadataMissing() };
  if (!isObject(answered)) return { error: messages.metadataType(goTypeName(answered)) };
  let meta = metaOf(original);
  for (const field of ["labels", "annotations"] as const) {
    const value = answered[field];
    if (value === undefined || value === null) {
      meta = withoutMember(meta, field);
      continue;
    }
    const problem = mapProblem(field, value, meta[field]);
    if (problem !== undefined) return { error: problem };
    meta = withMember(meta, field, value);
  }
  return { object: withMember(converted, "metadata", meta) };
}

function mapProblem(
  field: "labels" | "annotations",
  value: JsonValue,
  before: JsonValue | undefined,
): string | undefined {
  if (!isObject(value)) return messages.mapType(field, goTypeName(value));
  const old = isObject(before) ? before : undefined;
  let isChanged = Object.keys(value).length !== Object.keys(old ?? {}).length;
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") return messages.notAText(field, key, goTypeName(text));
    if (old?.[key] !== text) isChanged = true;
  }
  const errors = isChanged ? validateMap(field, value) : [];
  return errors.length === 0 ? undefined : formatFieldErrors(errors);
}

/** The path of annotations lacks a letter upstream. */
function validateMap(field: "labels" | "annotations", value: JsonObject): FieldError[] {
  if (field === "labels") return validateLabels(value, newPath("metadata", "labels"));
  return validateAnnotations(value, newPath("metadata", "annotation"));
}

/** Objects of built-in kinds: what the API server would say to them, created or updated. */
import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import type { FieldError } from "@portcullis/engine/field/error";
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { ManifestDocument } from "../input/manifest.ts";
import { judgePolicy } from "../policy/judge.ts";
import { passesCreate, settleDecoded } from "../policy/settle.ts";
import { findingAt } from "../report/build.ts";
import { fieldFinding } from "../report/field-error.ts";
import type { Finding } from "../report/finding.ts";
import { withVersion } from "./review.ts";

export interface BuiltInReview {
  readonly findings: readonly Finding[];
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
}

const FLAWLESS: BuiltInReview = { findings: [], unknown: [] };

export function reviewBuiltIn(
  document: ManifestDocument,
  old: ManifestDocument | undefined,
  builtin: BuiltinResource,
): BuiltInReview {
  const namespace = document.id.namespace || "default";
  if (old === undefined && passesCreate(document.object, builtin, namespace)) return FLAWLESS;
  const { value, unknown, error } = builtin.decodeFields(document.object);
  if (error !== undefined) return { findings: [decodeFinding(document, error)], unknown };
  const stored = old && settleOld(old, builtin, namespace);
  if (typeof stored === "string") return { findings: [decodeFinding(document, stored)], unknown };
  const draft = stored === undefined ? value : withVersion(value);
  const object = settleDecoded({ given: document.object, value: draft }, stored, builtin, namespace);
  const errors = stored === undefined ? builtin.validateCreate(object) : builtin.validateUpdate(object, stored);
  return { findings: toFindings(document, errors, "validation"), unknown };
}

/** A text says why it is none of its kind. */
function settleOld({ object }: ManifestDocument, builtin: BuiltinResource, namespace: string) {
  const { value, error } = builtin.decodeFields(object);
  return error ?? withVersion(settleDecoded({ given: object, value }, undefined, builtin, namespace));
}

/** What the API server finds wrong with a policy or a binding, in any version. */
export function reviewPolicy(document: ManifestDocument, server?: KubernetesVersion): BuiltInReview {
  const { decode, errors, unknown } = judgePolicy(document.object, server);
  if (decode !== undefined) return { findings: [decodeFinding(document, decode)], unknown };
  return { findings: toFindings(document, errors, "policy/invalid"), unknown };
}

function toFindings(document: ManifestDocument, errors: readonly FieldError[], rule: string): Finding[] {
  return errors.map((error) =>
    fieldFinding(document, error, {
      rule: error.origin === "" || rule.includes("/") ? rule : `${rule}/${error.origin}`,
      severity: "error",
    }),
  );
}

function decodeFinding(document: ManifestDocument, message: string): Finding {
  return findingAt(document, { rule: "decode", severity: "error", message, path: decodePath(message) });
}

/** Go's decoder names the field in the middle of its message: `… Go struct field PodSpec.spec.replicas of type …`. */
function decodePath(message: string): string {
  const dotted = /Go struct field \w+\.(\S+) of type/.exec(message)?.[1];
  return dotted?.replaceAll(/\.[A-Z]\w*/g, "") ?? "";
}

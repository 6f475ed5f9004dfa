/** Turns what the API server would do with an object into findings at their places. */
import type { FieldError } from "@portcullis/engine/internal/field/error";
import { formatFieldError } from "@portcullis/engine/internal/field/format";
import type { ForgivenError } from "@portcullis/engine/internal/review/custom-resource/ratcheting-report";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Outcome } from "@portcullis/engine/internal/review/outcome";
import type { StatusError } from "@portcullis/engine/internal/status/error";
import { findingAt } from "../report/build.ts";
import { fieldFinding } from "../report/field-error.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { sourcePath } from "./crd-places.ts";
import { explainForgiven, explainKept } from "./explain-ratcheting.ts";
import { type FieldValidationMode, fieldFindings } from "./field-findings.ts";
import type { KindNames } from "./field-names.ts";

export interface OutcomeOptions {
  readonly kind: ResourceKind;
  readonly fieldValidation: FieldValidationMode;
  /** Report duplicate fields with their paths, in the same form for JSON and YAML. */
  readonly isAligned?: boolean | undefined;
  /** The known fields, for hints. */
  readonly names: () => KindNames | undefined;
}

export function outcomeFindings(document: ManifestDocument, outcome: Outcome, options: OutcomeOptions): Finding[] {
  const { kind, fieldValidation } = options;
  const names = outcome.fieldFindings.length === 0 ? undefined : options.names();
  const forgiven = outcome.ratcheting?.forgiven ?? [];
  return [
    ...fieldFindings(document, outcome.fieldFindings, fieldValidation, { names, isAligned: options.isAligned }),
    ...refusalFindings(document, outcome, kind),
    ...forgiven.map((each) => forgivenFinding(document, each, kind)),
    ...(isRefusedForFields(document, outcome, options) ? [] : warningFindings(document, outcome, kind)),
  ];
}

/** The API server prints no other warnings in that case. */
function isRefusedForFields(
  document: ManifestDocument,
  outcome: Outcome,
  { fieldValidation }: OutcomeOptions,
): boolean {
  return fieldValidation === "strict" && outcome.fieldFindings.length + document.strictErrors.length > 0;
}

interface CrdVerdict {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** The findings of a CRD's validation: its errors, or its warnings if it has no errors. */
export function crdFindings(document: ManifestDocument, { errors, warnings }: CrdVerdict): Finding[] {
  const errorFindings = errors.map((error) => {
    const path = sourcePath(error.path.toString(), document.object);
    return fieldFinding(document, error, { rule: crdRule(error), severity: "error", path });
  });
  if (errors.length > 0) return errorFindings;
  return warnings.map((message) => findingAt(document, { rule: "crd/warning", severity: "warning", message }));
}

/** Refusals by policies have findings of their own. */
function refusalFindings(document: ManifestDocument, outcome: Outcome, kind: ResourceKind): Finding[] {
  const { refusal, admission, ratcheting } = outcome;
  const decision = admission.find(({ verdict }) => verdict.error === refusal);
  if (refusal !== undefined && decision?.plugin === "PodSecurity") return podSecurityFindings(document, refusal, kind);
  if (refusal === undefined || decision !== undefined) return [];
  if (refusal.fieldErrors.length === 0) return [requestFinding(document, refusal)];
  const reasons = new Map(ratcheting?.kept.map(({ error, reason }) => [error, explainKept(reason)]));
  return refusal.fieldErrors.map((error) => errorFinding(document, error, kind, reasons.get(error)));
}

/** Labels that cannot be read are errors of the namespace's fields. */
function podSecurityFindings(document: ManifestDocument, refusal: StatusError, kind: ResourceKind): Finding[] {
  const { fieldErrors, message } = refusal;
  if (fieldErrors.length > 0) return fieldErrors.map((error) => errorFinding(document, error, kind, undefined));
  return [findingAt(document, { rule: "pod-security/deny", severity: "error", message })];
}

function errorFinding(
  document: ManifestDocument,
  error: FieldError,
  kind: ResourceKind,
  hint: string | undefined,
): Finding {
  // Skipped rules are not an error of their own: they are reported with the error that blocked them.
  const severity = error.origin === "rules" ? "note" : "error";
  const path = isCrd(kind) ? sourcePath(error.path.toString(), document.object) : undefined;
  return fieldFinding(document, error, {
    rule: ruleOf(error, kind),
    severity,
    hint,
    ...(path !== undefined && { path }),
  });
}

function requestFinding(document: ManifestDocument, { message, code }: StatusError): Finding {
  const rule = code === 400 ? "decode" : "request";
  return findingAt(document, { rule, severity: "error", message, path: decodePath(message) });
}

/** The message of Go's decoder contains the field: `… Go struct field PodSpec.spec.replicas of type …`. */
function decodePath(message: string): string {
  const dotted = /Go struct field \w+\.(\S+) of type/.exec(message)?.[1];
  return dotted?.replaceAll(/\.[A-Z]\w*/g, "") ?? "";
}

function forgivenFinding(document: ManifestDocument, forgiven: ForgivenError, kind: ResourceKind): Finding {
  const { error, warned } = forgiven;
  const severity = warned ? "warning" : "note";
  return fieldFinding(document, error, { rule: ruleOf(error, kind), severity, hint: explainForgiven(forgiven) });
}

/** All warnings that are not shown in another way, as unknown fields, ratcheted rules and policy warnings are. */
function warningFindings(document: ManifestDocument, outcome: Outcome, kind: ResourceKind): Finding[] {
  const shown = new Set([
    ...outcome.fieldFindings,
    ...(outcome.ratcheting?.forgiven ?? []).map(({ error }) => formatFieldError(error)),
    ...outcome.admission.flatMap((decision) =>
      decision.plugin === "ValidatingAdmissionPolicy" ? decision.verdict.warnings : [],
    ),
  ]);
  const podSecurity = new Set(
    outcome.admission.flatMap((each) => (each.plugin === "PodSecurity" ? each.verdict.warnings : [])),
  );
  const other = isCrd(kind) ? "crd/warning" : "warning";
  const ruleFor = (text: string): string => (podSecurity.has(text) ? "pod-security/warn" : other);
  return [...new Set(outcome.warnings)]
    .filter((text) => !shown.has(text))
    .map((message) =>
      findingAt(document, { rule: ruleFor(message), severity: "warning", message, path: warnedPath(message) }),
    );
}

/** Many warnings start with a field path: `spec.volumes[0].glusterfs: deprecated in v1.25`. */
function warnedPath(message: string): string {
  return /^((?:metadata|spec|status|webhooks|subsets|\.metadata)(?:[.[][^:\s]*)?): /.exec(message)?.[1] ?? "";
}

const ADMISSION_GROUP = "admissionregistration.k8s.io";

function ruleOf({ origin }: FieldError, kind: ResourceKind): string {
  if (isCrd(kind)) return crdRule({ origin });
  if (kind.group === ADMISSION_GROUP) return "policy/invalid";
  if (!kind.isCustom) return origin === "" ? "validation" : `validation/${origin}`;
  if (origin === "rule" || origin === "rules" || origin === "budget") return `cel/${origin}`;
  return origin === "" ? "validation" : `schema/${origin}`;
}

function crdRule({ origin }: Pick<FieldError, "origin">): string {
  return origin === "" ? "crd" : `crd/${origin}`;
}

function isCrd({ group, plural }: ResourceKind): boolean {
  return group === "apiextensions.k8s.io" && plural === "customresourcedefinitions";
}

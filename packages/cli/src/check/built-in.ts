/** Objects of built-in kinds: what the API server would say to them, created or updated. */
import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import { formatFieldError } from "@portcullis/engine/field/format";
import type { ManifestDocument } from "../input/manifest.ts";
import type { ServedKind } from "../policy/kinds.ts";
import { settleObjects } from "../policy/settle.ts";
import { judgePolicy } from "../policy/world.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";

export interface BuiltInReview {
  readonly findings: readonly Finding[];
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
}

export function reviewBuiltIn(
  document: ManifestDocument,
  old: ManifestDocument | undefined,
  kind: ServedKind & { readonly builtin: BuiltinResource },
): BuiltInReview {
  const { unknown } = kind.builtin.decodeFields(document.object);
  const namespace = document.id.namespace || "default";
  const settled = settleObjects({ object: document.object, oldObject: old?.object }, kind, namespace);
  if (typeof settled === "string") return { findings: [decodeFinding(document, settled)], unknown };
  const { object, oldObject } = settled;
  if (object === undefined) return { findings: [], unknown };
  const errors =
    oldObject === undefined ? kind.builtin.validateCreate(object) : kind.builtin.validateUpdate(object, oldObject);
  const findings = errors.map((error) =>
    findingAt(document, {
      rule: error.origin === "" ? "validation" : `validation/${error.origin}`,
      severity: "error",
      path: error.path.toString(),
      message: formatFieldError(error),
    }),
  );
  return { findings, unknown };
}

/** What the API server finds wrong with a policy or a binding, in any version. */
export function reviewPolicy(document: ManifestDocument): BuiltInReview {
  const { decode, errors, unknown } = judgePolicy(document.object);
  if (decode !== undefined) return { findings: [decodeFinding(document, decode)], unknown };
  const findings = errors.map((error) =>
    findingAt(document, {
      rule: "policy/invalid",
      severity: "error",
      path: error.path.toString(),
      message: formatFieldError(error),
    }),
  );
  return { findings, unknown };
}

function decodeFinding(document: ManifestDocument, message: string): Finding {
  return findingAt(document, { rule: "decode", severity: "error", message });
}

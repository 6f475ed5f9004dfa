/** Policies put to every object that is checked, as part of the same pass. */

import type { EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import type { AdmissionAttributes } from "@portcullis/engine/policy/attributes";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/policy/dispatch";
import { refusal } from "@portcullis/engine/policy/enforce";
import { UsageError } from "../commands/command.ts";
import type { ManifestDocument } from "../input/manifest.ts";
import type { KindCatalog } from "../policy/kinds.ts";
import { makeRequest } from "../policy/request.ts";
import { typeWarnings } from "../policy/type-check.ts";
import { buildWorld, isPolicyObject } from "../policy/world.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import { reviewPolicy } from "./built-in.ts";

export interface Admission {
  /** What is wrong with the policies themselves. */
  readonly problems: readonly Finding[];
  review(document: ManifestDocument, old: ManifestDocument | undefined): Finding[];
}

/** Params, namespaces, roles and definitions may stand among the policies or among the objects. */
export function buildAdmission(
  policies: readonly ManifestDocument[],
  documents: readonly ManifestDocument[],
  engine: EngineOptions,
): Admission {
  if (!policies.some(({ object }) => isPolicyObject(object))) throw new UsageError("no policies found");
  const others = documents.filter(({ object }) => !isPolicyObject(object));
  const world = buildWorld(
    [...policies, ...others].map(({ object }) => object),
    engine,
  );
  return {
    problems: policies.flatMap((document) => judge(document, world.kinds)),
    review(document, old) {
      if (isPolicyObject(document.object)) return [];
      const request = tryRequest(() => makeRequest({ object: document.object, oldObject: old?.object }, world.kinds));
      if (request === undefined) return [];
      const verdict = evaluatePolicies(world.policies, request.attributes, world.context);
      return toFindings(document, verdict, request.attributes);
    },
  };
}

/** Errors that refuse a policy; of one that is accepted, the warnings its status would have. */
function judge(document: ManifestDocument, kinds: KindCatalog): readonly Finding[] {
  const { findings } = reviewPolicy(document);
  if (findings.length > 0 || document.id.kind !== "ValidatingAdmissionPolicy") return findings;
  return typeWarnings(document.object, kinds).map(({ fieldRef, warning }) =>
    findingAt(document, { rule: "policy/type", severity: "warning", path: fieldRef, message: warning }),
  );
}

/** An object that cannot be decoded never reaches the policies; the schema's findings say why. */
function tryRequest<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (problem) {
    if (problem instanceof UsageError) return undefined;
    throw problem;
  }
}

function toFindings(document: ManifestDocument, verdict: PolicyVerdict, attributes: AdmissionAttributes): Finding[] {
  const refusals = verdict.denials.map((denial) => refusal(denial, attributes)?.message ?? denial.message);
  const failure = refusals.length === 0 && verdict.error !== undefined ? [verdict.error.message] : [];
  return [
    ...[...refusals, ...failure].map((message) =>
      findingAt(document, { rule: "policy/deny", severity: "error", message }),
    ),
    ...[...new Set(verdict.warnings)].map((message) =>
      findingAt(document, { rule: "policy/warn", severity: "warning", message }),
    ),
  ];
}

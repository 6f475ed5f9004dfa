/** Policies put to every object that is checked, as part of the same pass. */

import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { EngineOptions } from "@portcullis/engine/review/custom-resource/custom-resource";
import { UsageError } from "../commands/command.ts";
import type { ManifestDocument } from "../input/manifest.ts";
import { answerRequest } from "../policy/answer.ts";
import { verdictFindings } from "../policy/findings.ts";
import { isPolicyObject } from "../policy/judge.ts";
import type { KindCatalog } from "../policy/kinds.ts";
import type { RequestParts } from "../policy/request.ts";
import { typeWarnings } from "../policy/type-check.ts";
import { buildWorld } from "../policy/world.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import { reviewPolicy } from "./built-in.ts";
import { mergeVersions } from "./merge-versions.ts";

export interface Admission {
  /** What is wrong with the policies themselves. */
  readonly problems: readonly Finding[];
  review(document: ManifestDocument, old: ManifestDocument | undefined, engine: EngineOptions): Finding[];
}

/** What is said of all requests. */
export type Asked = Pick<RequestParts, "user" | "operation">;

/** Params, namespaces, roles and definitions may stand among the policies or among the objects. */
export function buildAdmission(
  policies: readonly ManifestDocument[],
  documents: readonly ManifestDocument[],
  engines: readonly EngineOptions[],
  asked: Asked = {},
): Admission {
  if (!policies.some(({ object }) => isPolicyObject(object))) throw new UsageError("no policies found");
  const others = documents.filter(({ object }) => !isPolicyObject(object));
  const objects = [...policies, ...others].map(({ object }) => object);
  const worlds = new Map(engines.map((engine) => [engine, buildWorld(objects, engine)]));
  const problems = [...worlds].map(([{ version }, { kinds }]) =>
    policies.flatMap((document) => judge(document, kinds, version)),
  );
  return {
    problems: mergeVersions(problems, engines),
    review(document, old, engine) {
      const world = worlds.get(engine);
      if (world === undefined || isPolicyObject(document.object)) return [];
      const parts = { ...asked, object: document.object, oldObject: old?.object };
      const answered = tryRequest(() => answerRequest(parts, world));
      if (answered === undefined) return [];
      const { verdict, attributes } = answered;
      return verdictFindings(document, { verdict, attributes, policies: world.policies });
    },
  };
}

/** Errors that refuse a policy; of one that is accepted, the warnings its status would have. */
function judge(document: ManifestDocument, kinds: KindCatalog, version: KubernetesVersion): readonly Finding[] {
  const { findings } = reviewPolicy(document, version);
  if (findings.length > 0 || document.id.kind !== "ValidatingAdmissionPolicy") return findings;
  return typeWarnings(document.object, kinds, version).map(({ fieldRef, warning }) =>
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

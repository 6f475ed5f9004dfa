/** Policies among the inputs of a check: they take part in the review of every object. */
import { attributesOf } from "@portcullis/engine/internal/admission/validating-policies";
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { Outcome } from "@portcullis/engine/internal/review/outcome";
import { UsageError } from "../input/usage-error.ts";
import { FailureExplainer } from "../policy/failure-parts.ts";
import { verdictFindings } from "../policy/findings.ts";
import { type PolicyCluster, policyCluster } from "../policy/policy-cluster.ts";
import { isPolicyObject } from "../policy/policy-objects.ts";
import { typeWarnings } from "../policy/type-check.ts";
import { type BindAction, bindingFor, unboundFinding, unboundPolicies } from "../policy/unbound.ts";
import { webhookFindings } from "../policy/webhooks.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { Checker, type PolicyReview } from "./checker.ts";
import { mergeVersions } from "./merge-versions.ts";

/** For each Kubernetes version, the cluster with the policies. */
export interface Admission {
  /** What is wrong with the policies themselves. */
  readonly problems: readonly Finding[];
  /** The names of the validating policies. */
  readonly names: readonly string[];
  /** Of the CRDs with the name of `chosen`, the cluster has only this one. */
  clusterFor(engine: EngineOptions, chosen?: ManifestDocument): PolicyCluster;
}

/** The user and the operation of the requests. */
export interface RequestDefaults {
  readonly user?: User | undefined;
  readonly operation?: string | undefined;
}

export interface AdmissionOptions {
  readonly podSecurity?: PodSecurityConfiguration | undefined;
  /** Whether the webhooks that would be asked are reported. */
  readonly showsWebhooks?: boolean;
  /** Puts policies without a binding into force, with this action. */
  readonly bind?: BindAction | undefined;
}

/** Params, namespaces, roles and CRDs may be among the policies or among the objects. */
export async function buildAdmission(
  policies: readonly ManifestDocument[],
  documents: readonly ManifestDocument[],
  engines: readonly EngineOptions[],
  { podSecurity, showsWebhooks, bind }: AdmissionOptions = {},
): Promise<Admission> {
  const hasPolicies = policies.some(({ object }) => isPolicyObject(object));
  if (!hasPolicies && (policies.length > 0 || !showsWebhooks)) throw new UsageError("no policies found");
  const others = documents.filter(({ object }) => !isPolicyObject(object));
  const given = [...policies, ...others].map(({ object }) => object);
  const unbound = unboundPolicies(policies, given);
  const bindings = bind === undefined ? [] : unbound.map((policy) => bindingFor(policy, bind));
  const objects = [...given, ...bindings];
  const clusters = new Map(engines.map((engine) => [engine, policyCluster(objects, engine, { podSecurity })]));
  const problems: (readonly Finding[])[] = [];
  for (const [engine, cluster] of clusters) problems.push(await policyProblems(policies, cluster, engine));
  return {
    problems: [...mergeVersions(problems, engines), ...(bind === undefined ? unbound.map(unboundFinding) : [])],
    names: policies.filter(({ id }) => id.kind === "ValidatingAdmissionPolicy").map(({ id }) => id.name),
    clusterFor(engine, chosen) {
      if (chosen !== undefined) {
        const wanted = [...policies, ...others].filter((each) => !isOtherVariant(each, chosen));
        return policyCluster([...wanted.map(({ object }) => object), ...bindings], engine, { podSecurity });
      }
      const cluster = clusters.get(engine);
      if (cluster === undefined) throw new Error("no cluster for this version");
      return cluster;
    },
  };
}

/** Whether it is another CRD of the same name. */
function isOtherVariant({ file, offset, id }: ManifestDocument, chosen: ManifestDocument): boolean {
  if (id.kind !== chosen.id.kind || id.name !== chosen.id.name) return false;
  return file !== chosen.file || offset !== chosen.offset;
}

/** Errors for a policy that is refused; for an accepted policy, the type checking warnings of its status. */
export async function policyProblems(
  policies: readonly ManifestDocument[],
  { cluster, kinds }: PolicyCluster,
  { version }: EngineOptions,
): Promise<readonly Finding[]> {
  const checker = new Checker(cluster, { fieldValidation: "strict" });
  const found: Finding[] = [];
  for (const document of policies.filter(({ object }) => isPolicyObject(object))) {
    const findings = await checker.check(document);
    found.push(...findings);
    if (findings.some(({ severity }) => severity === "error")) continue;
    if (document.id.kind !== "ValidatingAdmissionPolicy") continue;
    const warnings = typeWarnings(document.object, kinds, version);
    for (const { fieldRef, warning } of warnings) {
      found.push(findingAt(document, { rule: "policy/type", severity: "warning", path: fieldRef, message: warning }));
    }
  }
  return found;
}

/** The policies of a cluster, for a checker. */
export function policyReview(cluster: PolicyCluster, { showsWebhooks }: AdmissionOptions = {}): PolicyReview {
  const { mutating, validating } = cluster.webhooks;
  const explainer = new FailureExplainer(cluster.version);
  return {
    admission: [...cluster.admission, ...(showsWebhooks ? [mutating, validating] : [])],
    assumedKinds: cluster.assumedKinds,
    findings: (document, outcome) => admissionFindings(document, outcome, { cluster, explainer }),
  };
}

interface Findings {
  readonly cluster: PolicyCluster;
  readonly explainer: FailureExplainer;
}

function admissionFindings(
  document: ManifestDocument,
  { admission }: Outcome,
  { cluster, explainer }: Findings,
): Finding[] {
  return admission.flatMap((decision) => {
    if (decision.plugin === "MutatingAdmissionPolicy")
      return mutationFindings(document, decision.verdict.error?.message);
    if (decision.plugin === "AdmissionWebhooks") return webhookFindings(document, decision.verdict);
    if (decision.plugin === "PodSecurity") return [];
    const { verdict, request } = decision;
    return verdictFindings(document, {
      verdict,
      attributes: attributesOf(request, "validating"),
      policies: cluster.policies,
      explainer,
    });
  });
}

function mutationFindings(document: ManifestDocument, message: string | undefined): Finding[] {
  return message === undefined ? [] : [findingAt(document, { rule: "policy/deny", severity: "error", message })];
}

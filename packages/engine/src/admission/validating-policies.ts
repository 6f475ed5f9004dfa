/** ValidatingAdmissionPolicies in force: every write is evaluated against them. Follows apiserver pkg/admission/plugin/policy/validating. */
import type { KubernetesVersion } from "../kubecel/versions.ts";
import type { AdmissionAttributes } from "../policy/attributes.ts";
import { evaluatePolicies, type PolicyVerdict } from "../policy/dispatch.ts";
import type { Clock } from "../policy/evaluate.ts";
import type { AdmissionPolicy } from "../policy/policy.ts";
import type { MatchedPolicy, PolicySet } from "../policy/policy-set.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import { kindOf } from "../review/kind.ts";
import { equivalentResources } from "./equivalents.ts";
import { Lookups } from "./lookups.ts";
import { type Phase, seenObject, seenOptions } from "./seen.ts";

/** Gets every verdict that policies had a part in. */
export type PolicyObserver = (verdict: PolicyVerdict, request: AdmissionRequest) => void;

/** The policies in force, compiled. */
export interface PolicySource<Policy extends MatchedPolicy> {
  current(): PolicySet<Policy>;
}

export interface PolicyAdmissionOptions {
  /** Whose expressions policies may use. */
  readonly version: KubernetesVersion;
  readonly observe?: PolicyObserver | undefined;
  /** Also say why policies that are not about the request are not. */
  readonly explain?: boolean;
}

export function policyAdmission(
  source: PolicySource<AdmissionPolicy>,
  options: PolicyAdmissionOptions,
): AdmissionPlugin {
  return { name: "ValidatingAdmissionPolicy", validate: (request) => enforce(request, source, options) };
}

async function enforce(
  request: AdmissionRequest,
  source: PolicySource<AdmissionPolicy>,
  { version, observe, explain = false }: PolicyAdmissionOptions,
): Promise<void> {
  const set = source.current();
  if (set.hooks.length === 0 && !explain) return;
  const attributes = attributesOf(request, "validating");
  const lookups = new Lookups(request);
  const equivalents = equivalentResources(request.cluster.kinds, lookups.convert);
  const verdict = await lookups.run((context) =>
    evaluatePolicies(set, attributes, {
      ...context,
      equivalents,
      version,
      explain,
      clock: policyClock(request),
    }),
  );
  verdict.warnings.forEach(request.warn);
  for (const [key, value] of verdict.auditAnnotations) request.annotate(key, value);
  request.report({ plugin: "ValidatingAdmissionPolicy", verdict, request });
  observe?.(verdict, request);
  if (verdict.error !== undefined) throw verdict.error;
}

/**
 * Expressions cost little each, but there may be thousands of them, and they are evaluated without a pause. Reading the
 * clock, which happens once for each, also shows how long it has taken.
 */
export function policyClock({ cluster, overrun }: AdmissionRequest): Clock | undefined {
  const clock = cluster.metrics?.clock;
  if (clock === undefined || overrun === undefined) return clock;
  const start = clock();
  return () => {
    const now = clock();
    overrun(now - start);
    return now;
  };
}

/** A write as policies see it. */
export function attributesOf(request: AdmissionRequest, phase: Phase): AdmissionAttributes {
  const { endpoint, operation, name, isUnnamed = false, isDryRun, user } = request;
  const { group, version, plural } = endpoint.type;
  const isNamespace = group === "" && plural === "namespaces";
  return {
    operation,
    resource: { group, version, resource: plural },
    subresource: endpoint.subresource?.name ?? "",
    kind: kindOf(endpoint),
    name,
    // That of the request, which had none if the name was generated.
    namespace: isNamespace && !isUnnamed ? name : request.namespace,
    object: seenObject(request.object, endpoint, phase),
    oldObject: seenObject(request.old, endpoint, phase),
    options: operation === "CONNECT" ? undefined : seenOptions(request),
    dryRun: isDryRun,
    userInfo: user,
  };
}

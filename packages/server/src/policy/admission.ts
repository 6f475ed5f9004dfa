/** ValidatingAdmissionPolicies in force: every write is put to them. Follows apiserver pkg/admission/plugin/policy/validating. */
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { AdmissionAttributes } from "@portcullis/engine/policy/attributes";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/policy/dispatch";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/context.ts";
import { kindOf } from "../registry/resource-type.ts";
import type { PolicyCatalog } from "./catalog.ts";
import { equivalentResources } from "./equivalents.ts";
import { Lookups } from "./lookups.ts";
import { type Phase, seenObject, seenOptions } from "./seen.ts";

/** Hears of every verdict that policies had a part in. */
export type PolicyObserver = (verdict: PolicyVerdict, request: AdmissionRequest) => void;

export interface PolicyAdmissionOptions {
  /** Whose expressions policies may use. */
  readonly version: KubernetesVersion;
  readonly observe?: PolicyObserver | undefined;
}

export function policyAdmission(catalog: PolicyCatalog, options: PolicyAdmissionOptions): AdmissionPlugin {
  return { name: "ValidatingAdmissionPolicy", validate: (request) => enforce(request, catalog, options) };
}

async function enforce(
  request: AdmissionRequest,
  catalog: PolicyCatalog,
  { version, observe }: PolicyAdmissionOptions,
): Promise<void> {
  const set = await catalog.current();
  if (set.hooks.length === 0) return;
  const { clock } = request.server.metrics;
  const attributes = attributesOf(request, "validating");
  const lookups = new Lookups(request.server);
  const equivalents = equivalentResources(request.server.registry, lookups.convert);
  const verdict = await lookups.run((context) =>
    evaluatePolicies(set, attributes, { ...context, equivalents, version, clock }),
  );
  verdict.warnings.forEach(request.warn);
  for (const [key, value] of verdict.auditAnnotations) request.annotate(key, value);
  request.server.metrics.policies.verdict(verdict, request.operation);
  observe?.(verdict, request);
  if (verdict.error !== undefined) throw verdict.error;
}

/** A write as policies see it. */
export function attributesOf(request: AdmissionRequest, phase: Phase): AdmissionAttributes {
  const { endpoint, operation, name, isDryRun, user } = request;
  const { group, version, plural } = endpoint.type;
  const isNamespace = group === "" && plural === "namespaces";
  return {
    operation,
    resource: { group, version, resource: plural },
    subresource: endpoint.subresource?.name ?? "",
    kind: kindOf(endpoint),
    name,
    namespace: isNamespace ? name : request.namespace,
    object: seenObject(request.object, endpoint, phase),
    oldObject: seenObject(request.old, endpoint, phase),
    options: operation === "CONNECT" ? undefined : seenOptions(request),
    dryRun: isDryRun,
    userInfo: user,
  };
}

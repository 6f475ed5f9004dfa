/**
 * MutatingAdmissionPolicies in force: every object that is created or updated is changed by them.
 *
 * Follows apiserver pkg/admission/plugin/policy/mutating. Upstream learns of schemas within seconds, and refuses with 503
 * until then; here they are known at once.
 */
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import { builtinMutableKind, customMutableKind, customScaleKind } from "@portcullis/engine/pipeline/mutable-kinds";
import { mutateByPolicies } from "@portcullis/engine/policy/mutating/dispatch";
import type { MutableKinds } from "@portcullis/engine/policy/mutating/kinds";
import type { MutatingPolicy } from "@portcullis/engine/policy/mutating/policy";
import { FIRST_RUN } from "@portcullis/engine/policy/mutating/reinvocation";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { AdmissionPlugin, AdmissionRequest, Reinvocation } from "../registry/context.ts";
import type { Registry } from "../registry/registry.ts";
import { attributesOf } from "./admission.ts";
import type { PolicyCatalog } from "./catalog.ts";
import { equivalentResources } from "./equivalents.ts";
import { Lookups } from "./lookups.ts";

export interface MutatingAdmissionOptions {
  /** Whose expressions policies may use. */
  readonly version: KubernetesVersion;
}

export function mutatingPolicyAdmission(
  catalog: PolicyCatalog<MutatingPolicy>,
  { version }: MutatingAdmissionOptions,
): AdmissionPlugin {
  return {
    name: "MutatingAdmissionPolicy",
    mutate: (request, reinvocation) => mutate(request, reinvocation, catalog, version),
  };
}

async function mutate(
  request: AdmissionRequest,
  reinvocation: Reinvocation,
  catalog: PolicyCatalog<MutatingPolicy>,
  version: KubernetesVersion,
): Promise<JsonObject | undefined> {
  if (request.operation === "DELETE") return request.object;
  const set = await catalog.current();
  if (set.hooks.length === 0) return request.object;
  const { registry, metrics } = request.server;
  const attributes = attributesOf(request, "mutating");
  const lookups = new Lookups(request.server);
  const equivalents = equivalentResources(registry, lookups.convert);
  const previous = reinvocation.isAgain ? (reinvocation.policies ?? FIRST_RUN) : undefined;
  const own = { equivalents, version, clock: metrics.clock, kinds: mutableKinds(registry), previous };
  const verdict = await lookups.run((context) => mutateByPolicies(set, attributes, { ...context, ...own }));
  metrics.policies.mutation(verdict, request.operation);
  if (verdict.error !== undefined) throw verdict.error;
  reinvocation.policies = verdict.state;
  if (verdict.reinvokes) reinvocation.isWanted = true;
  return verdict.object;
}

function mutableKinds(registry: Registry): MutableKinds {
  return {
    find(matched, requested) {
      const { resource, subresource } = matched;
      const type = registry.find(resource.group, resource.version, resource.resource);
      if (type === undefined) return undefined;
      if (!type.isCustom) return builtinMutableKind(matched, requested);
      if (subresource === "scale") return customScaleKind(matched, requested);
      const scope = type.fieldScope?.(subresource);
      return scope && customMutableKind(scope);
    },
  };
}

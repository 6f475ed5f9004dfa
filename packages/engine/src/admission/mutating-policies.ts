/**
 * MutatingAdmissionPolicies in force: every object that is created or updated is changed by them.
 *
 * Follows apiserver pkg/admission/plugin/policy/mutating. Upstream learns of schemas within seconds, and refuses with 503
 * until then; here they are known at once.
 */
import { typesOfServer } from "../apply/types/typed.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import { mutateByPolicies } from "../policy/mutating/dispatch.ts";
import type { MutableKind, MutableKinds } from "../policy/mutating/kinds.ts";
import type { MutatingPolicy } from "../policy/mutating/policy.ts";
import { FIRST_RUN } from "../policy/mutating/reinvocation.ts";
import type { AdmissionPlugin, AdmissionRequest, Kinds, Reinvocation } from "../review/cluster-view.ts";
import type { JsonObject } from "../value/json.ts";
import type { ServerRules } from "../value/server-version.ts";
import { equivalentResources } from "./equivalents.ts";
import { Lookups } from "./lookups.ts";
import { builtinMutableKind, customMutableKind, customScaleKind } from "./mutable-kinds.ts";
import { attributesOf, type PolicySource, policyClock } from "./validating-policies.ts";

export interface MutatingPolicyOptions {
  /** Whose expressions policies may use. */
  readonly version: KubernetesVersion;
  /** Also say why policies that are not about the request are not. */
  readonly explain?: boolean;
}

export function mutatingPolicyAdmission(
  source: PolicySource<MutatingPolicy>,
  options: MutatingPolicyOptions,
): AdmissionPlugin {
  return {
    name: "MutatingAdmissionPolicy",
    mutate: (request, reinvocation) => mutate(request, reinvocation, source, options),
  };
}

async function mutate(
  request: AdmissionRequest,
  reinvocation: Reinvocation,
  source: PolicySource<MutatingPolicy>,
  { version, explain = false }: MutatingPolicyOptions,
): Promise<JsonObject | undefined> {
  if (request.operation === "DELETE") return request.object;
  const set = source.current();
  if (set.hooks.length === 0 && !explain) return request.object;
  const { kinds } = request.cluster;
  const attributes = attributesOf(request, "mutating");
  const lookups = new Lookups(request);
  const equivalents = equivalentResources(kinds, lookups.convert);
  const previous = reinvocation.isAgain ? (reinvocation.policies ?? FIRST_RUN) : undefined;
  const own = { equivalents, version, explain, kinds: mutableKinds(kinds), previous };
  const verdict = await lookups.run((context) =>
    mutateByPolicies(set, attributes, { ...context, ...own, clock: policyClock(request) }),
  );
  request.report({ plugin: "MutatingAdmissionPolicy", verdict, request });
  if (verdict.error !== undefined) throw verdict.error;
  reinvocation.policies = verdict.state;
  if (verdict.reinvokes) reinvocation.isWanted = true;
  return verdict.object === attributes.object ? request.object : (verdict.kept ?? verdict.object);
}

function mutableKinds(kinds: Kinds): MutableKinds {
  return {
    find(matched, requested) {
      const { resource, subresource } = matched;
      const type = kinds.find(resource.group, resource.version, resource.resource);
      if (type === undefined) return undefined;
      if (!type.isCustom) return byRules(builtinMutableKind(matched, requested), type.rules);
      if (subresource === "scale") return customScaleKind(matched, requested);
      const scope = type.fieldScope?.(subresource);
      return scope && customMutableKind(scope);
    },
  };
}

function byRules(kind: MutableKind | undefined, rules: ServerRules | undefined): MutableKind | undefined {
  if (kind === undefined || rules === undefined) return kind;
  return { ...kind, types: typesOfServer(kind.types, rules.version) };
}

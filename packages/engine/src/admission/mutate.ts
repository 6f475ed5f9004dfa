/**
 * Mutating policies put to a request in one call: manifests in, the changed object out, nothing else touched.
 *
 * Built-in kinds are known; of custom resources the definitions have to be given. The object of the request is taken as it
 * is: whoever wants defaults before the first policy applies them first, as an API server does.
 */
import { decodeDefinition } from "../crd/decode.ts";
import { readDefinition } from "../crd/definition.ts";
import { attributesOf, contextOf, dataOf, type PolicyRequest, type PolicyWorld } from "../policy/library.ts";
import { mutatingPolicySetFrom } from "../policy/manifests.ts";
import { mutateFully } from "../policy/mutating/dispatch.ts";
import { type MutationReport, reportMutation } from "../policy/mutating/report.ts";
import { mutableKindsFrom } from "./mutable-kinds.ts";

/** `policies` and `bindings` are of mutating policies. */
export interface MutationWorld extends PolicyWorld {
  /** CustomResourceDefinitions. */
  readonly definitions?: readonly object[];
}

/** What becomes of one object. For many, `policyMutator` compiles the policies once. */
export function mutate({ request, ...world }: MutationWorld & { readonly request: PolicyRequest }): MutationReport {
  return policyMutator(world)(request);
}

export function policyMutator(world: MutationWorld): (request: PolicyRequest) => MutationReport {
  const set = mutatingPolicySetFrom([...dataOf(world.policies), ...dataOf(world.bindings)]);
  const definitions = dataOf(world.definitions ?? []).map((each) => readDefinition(decodeDefinition(each).value));
  const context = { ...contextOf(world), kinds: mutableKindsFrom(definitions) };
  return (request) => reportMutation(mutateFully(set, attributesOf(request), context));
}

/**
 * Mutating policies put to a request in one call: manifests in, the changed object out, nothing else touched.
 *
 * Built-in kinds are known; CRDs of custom resources must be given. The object of the request is used as it is: a
 * caller that wants defaults before the first policy applies them first, as an API server does.
 */
import { decodeDefinition } from "../crd/decode.ts";
import { readDefinition } from "../crd/definition.ts";
import { attributesOf, contextOf, dataOf, type PolicyEvaluatorOptions, type PolicyRequest } from "../policy/library.ts";
import { mutatingPolicySetFrom } from "../policy/manifests.ts";
import { mutateFully } from "../policy/mutating/dispatch.ts";
import { type MutationReport, reportMutation } from "../policy/mutating/report.ts";
import { mutableKindsFrom } from "./mutable-kinds.ts";

/** `policies` and `bindings` are of mutating policies. */
export interface PolicyMutatorOptions extends PolicyEvaluatorOptions {
  /** CustomResourceDefinitions. */
  readonly definitions?: readonly object[];
}

/**
 * What becomes of one object. For many, `policyMutator` compiles the policies once.
 * @example const { object } = mutate({ policies: [mutatingPolicy], bindings: [mutatingBinding], request });
 */
export function mutate({
  request,
  ...options
}: PolicyMutatorOptions & { readonly request: PolicyRequest }): MutationReport {
  return policyMutator(options)(request);
}

/**
 * Compiles mutating policies once, for many requests.
 * @example
 * const mutateRequest = policyMutator({ policies: [mutatingPolicy], bindings: [mutatingBinding] });
 * mutateRequest(request).allowed; // true
 */
export function policyMutator(options: PolicyMutatorOptions): (request: PolicyRequest) => MutationReport {
  const set = mutatingPolicySetFrom([...dataOf(options.policies), ...dataOf(options.bindings)]);
  const definitions = dataOf(options.definitions ?? []).map((each) => readDefinition(decodeDefinition(each).value));
  const context = { ...contextOf(options), kinds: mutableKindsFrom(definitions) };
  return (request) => reportMutation(mutateFully(set, attributesOf(request), context));
}

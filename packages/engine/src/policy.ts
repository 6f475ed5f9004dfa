/**
 * ValidatingAdmissionPolicy and MutatingAdmissionPolicy without a cluster.
 *
 * `evaluate` takes manifests and a request and gives the verdict with every reason; `mutate` gives the object as mutating
 * policies change it. The rest is what they are made of, for
 * callers with stores of their own: `PolicySet` and `evaluatePolicies`, what policies and bindings are refused for, what
 * their type check warns of, and policies of the early design turned into v1.
 */
export { builtinMutableKind, customMutableKind, mutableKindsFrom } from "./admission/mutable-kinds.ts";
export { mutate, type PolicyMutatorOptions, policyMutator } from "./admission/mutate.ts";
export type {
  AdmissionAttributes,
  EquivalentResources,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
} from "./policy/attributes.ts";
export { loadBinding, loadMutatingBinding, type PolicyBinding } from "./policy/binding.ts";
export { evaluatePolicies, type PolicyContext, type PolicyVerdict } from "./policy/dispatch.ts";
export { convertDraftPolicy, type DraftConversion, type DraftOptions } from "./policy/draft/convert.ts";
export type { Denial } from "./policy/enforce.ts";
export {
  evaluate,
  type PolicyEvaluatorOptions,
  type PolicyRequest,
  type PolicyUser,
  policyEvaluator,
} from "./policy/library.ts";
export { mutatingPolicySetFrom, namespacesFrom, paramsFrom, policySetFrom } from "./policy/manifests.ts";
export { type MutationVerdict, mutateByPolicies, mutateFully } from "./policy/mutating/dispatch.ts";
export type { MutationContext } from "./policy/mutating/invoke.ts";
export type { MutableKind, MutableKinds } from "./policy/mutating/kinds.ts";
export { loadMutatingPolicy, type MutatingPolicy } from "./policy/mutating/policy.ts";
export { type MutationReport, reportMutation } from "./policy/mutating/report.ts";
export { validateMutatingBinding, validateMutatingPolicy } from "./policy/mutating/validate.ts";
export { decodeBinding, decodeMutatingBinding, decodeMutatingPolicy, decodePolicy } from "./policy/objects/decode.ts";
export { validatePolicy, validatePolicyUpdate } from "./policy/objects/validate.ts";
export { validateBinding } from "./policy/objects/validate-binding.ts";
export type { PolicyValidationOptions } from "./policy/objects/validate-expressions.ts";
export { NO_PARAMS, type ParamResource, type ParamSource } from "./policy/params.ts";
export { type AdmissionPolicy, loadPolicy } from "./policy/policy.ts";
export { PolicySet } from "./policy/policy-set.ts";
export {
  type AnnotationReport,
  type BindingReport,
  type EvaluationReport,
  type ExpressionReport,
  type PassReport,
  type PolicyReport,
  reportVerdict,
  type VerdictReport,
} from "./policy/report.ts";
export { checkPolicyTypes, type ExpressionWarning, type TypeResolver } from "./policy/typecheck/typecheck.ts";

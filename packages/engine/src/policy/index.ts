/**
 * ValidatingAdmissionPolicy and MutatingAdmissionPolicy without a cluster.
 *
 * `evaluate` takes manifests and a request and gives the verdict with every reason; `mutate` gives the object as mutating
 * policies change it. The rest is what they are made of, for
 * callers with stores of their own: `PolicySet` and `evaluatePolicies`, what policies and bindings are refused for, what
 * their type check warns of, and policies of the early design turned into v1.
 */
export { builtinMutableKind, customMutableKind, mutableKindsFrom } from "../admission/mutable-kinds.ts";
export { type MutationWorld, mutate, policyMutator } from "../admission/mutate.ts";
export type {
  AdmissionAttributes,
  EquivalentResources,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
} from "./attributes.ts";
export { loadBinding, loadMutatingBinding, type PolicyBinding } from "./binding.ts";
export { decodeBinding, decodeMutatingBinding, decodeMutatingPolicy, decodePolicy } from "./decode.ts";
export { evaluatePolicies, type PolicyContext, type PolicyVerdict } from "./dispatch.ts";
export { convertEarlyPolicy, type EarlyConversion, type EarlyOptions } from "./early/convert.ts";
export type { Denial } from "./enforce.ts";
export { evaluate, type PolicyRequest, type PolicyUser, type PolicyWorld, policyEvaluator } from "./library.ts";
export { mutatingPolicySetFrom, namespacesFrom, paramsFrom, policySetFrom } from "./manifests.ts";
export { type MutationVerdict, mutateByPolicies, mutateFully } from "./mutating/dispatch.ts";
export type { MutationContext } from "./mutating/invoke.ts";
export type { MutableKind, MutableKinds } from "./mutating/kinds.ts";
export { loadMutatingPolicy, type MutatingPolicy } from "./mutating/policy.ts";
export { type MutationReport, reportMutation } from "./mutating/report.ts";
export { validateMutatingBinding, validateMutatingPolicy } from "./mutating/validate.ts";
export { NO_PARAMS, type ParamResource, type ParamSource } from "./params.ts";
export { type AdmissionPolicy, loadPolicy } from "./policy.ts";
export { PolicySet } from "./policy-set.ts";
export {
  type AnnotationReport,
  type BindingReport,
  type EvaluationReport,
  type ExpressionReport,
  type PassReport,
  type PolicyReport,
  reportVerdict,
  type VerdictReport,
} from "./report.ts";
export { checkPolicyTypes, type ExpressionWarning, type TypeResolver } from "./typecheck.ts";
export { validatePolicy, validatePolicyUpdate } from "./validate.ts";
export { validateBinding } from "./validate-binding.ts";
export type { PolicyValidationOptions } from "./validate-expressions.ts";

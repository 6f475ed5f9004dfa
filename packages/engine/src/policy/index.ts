/**
 * ValidatingAdmissionPolicy without a cluster.
 *
 * `evaluate` takes manifests and a request and gives the verdict with every reason. The rest is what it is made of, for
 * callers with stores of their own: `PolicySet` and `evaluatePolicies`, what policies and bindings are refused for, what
 * their type check warns of, and policies of the early design turned into v1.
 */
export type {
  AdmissionAttributes,
  EquivalentResources,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
} from "./attributes.ts";
export { loadBinding, type PolicyBinding } from "./binding.ts";
export { decodeBinding, decodePolicy } from "./decode.ts";
export { evaluatePolicies, type PolicyContext, type PolicyVerdict } from "./dispatch.ts";
export { convertEarlyPolicy, type EarlyConversion, type EarlyOptions } from "./early/convert.ts";
export type { Denial } from "./enforce.ts";
export { evaluate, type PolicyRequest, type PolicyUser, type PolicyWorld, policyEvaluator } from "./library.ts";
export { namespacesFrom, paramsFrom, policySetFrom } from "./manifests.ts";
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
export { type PolicyValidationOptions, validatePolicy, validatePolicyUpdate } from "./validate.ts";
export { validateBinding } from "./validate-binding.ts";

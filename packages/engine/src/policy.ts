/**
 * ValidatingAdmissionPolicy and MutatingAdmissionPolicy without a cluster.
 *
 * `evaluate` takes manifests and a request and returns the verdict with every reason; `mutate` returns the object as
 * mutating policies change it. `convertDraftPolicy` converts policies of the KEP-3488 draft to v1. Whether a policy itself
 * is accepted is a question for `check` of `@portcullis/engine`.
 */
export { mutate, type PolicyMutatorOptions, policyMutator } from "./admission/mutate.ts";
export type { EquivalentResources, GroupVersionKind, GroupVersionResource, Operation } from "./policy/attributes.ts";
export { convertDraftPolicy, type DraftConversion, type DraftOptions } from "./policy/draft/convert.ts";
export {
  evaluate,
  type PolicyEvaluatorOptions,
  type PolicyRequest,
  type PolicyUser,
  policyEvaluator,
} from "./policy/library.ts";
export type { MutationReport } from "./policy/mutating/report.ts";
export type {
  AnnotationReport,
  BindingReport,
  EvaluationReport,
  ExpressionReport,
  PassReport,
  PolicyReport,
  VerdictReport,
} from "./policy/report.ts";

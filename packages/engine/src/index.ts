/**
 * The validation and admission plane of the Kubernetes API server, as pure functions.
 *
 * Here stands what most callers begin with. Everything else is imported by path, such as
 * `@portcullis/engine/schema/validate`; `@portcullis/engine/kubecel` and `@portcullis/engine/policy` have fuller lists of
 * their own.
 */

// Admission policies.
export { mutate, type PolicyMutatorOptions, policyMutator } from "./admission/mutate.ts";
// Reading and writing data.
export { type DecodedDocument, decodeDocuments } from "./codec/documents.ts";
export { type Decoded, type DecodeFailure, decodeJson, encodeJson } from "./codec/json.ts";
export type { FieldValidation } from "./codec/strict.ts";
export { decodeYaml } from "./codec/yaml.ts";
// Definitions of custom resources: what they are refused for, and what their rules cost.
export { type CostReport, costReport } from "./crd/cost-report.ts";
export { type CustomResourceDefinition, readDefinition } from "./crd/definition.ts";
export { type DefinitionOptions, type DefinitionVerdict, validateDefinition } from "./crd/validate/validate.ts";
// What was found.
export type { FieldError } from "./field/error.ts";
export { formatFieldError, formatFieldErrors } from "./field/format.ts";
// CEL as the API server of a version has it.
export { kubernetesEnvironment } from "./kubecel/environment.ts";
export type { Authorizer } from "./kubecel/library/authz.ts";
export { KUBERNETES_VERSIONS, type KubernetesVersion, SERVER_VERSION } from "./kubecel/versions.ts";
export {
  evaluate,
  type PolicyEvaluatorOptions,
  type PolicyRequest,
  type PolicyUser,
  policyEvaluator,
} from "./policy/library.ts";
export type { MutationReport } from "./policy/mutating/report.ts";
export type { VerdictReport } from "./policy/report.ts";
// Who may do what, by roles and bindings.
export { type RbacSource, rbacAuthorizer, rbacSource, serverAuthorizer } from "./rbac/authorizer.ts";
// One write of any kind, from the request to what would be stored.
export type { ClusterView } from "./review/cluster-view.ts";
export {
  type CustomResource,
  compileResource,
  type EngineGates,
  type EngineOptions,
} from "./review/custom-resource/custom-resource.ts";
export type { Outcome } from "./review/outcome.ts";
export { review } from "./review/review.ts";
export type { SystemFields } from "./review/system.ts";
export type { Write } from "./review/write.ts";
// Refusals.
export { StatusError, statusBody } from "./status/error.ts";
// What a change of a definition does.
export type { UpgradeFinding } from "./upgrade/finding.ts";
export { compareDefinitions, type UpgradeReport } from "./upgrade/questions.ts";
export type { UpgradeOptions } from "./upgrade/upgrade-case.ts";
// Values.
export { fromPlain, type Plain, toPlain } from "./value/copy.ts";
export { Float64, type JsonObject, type JsonValue } from "./value/json.ts";

/**
 * The validation and admission plane of the Kubernetes API server, as pure functions.
 *
 * This module exports what most callers need. Everything else is imported by path, such as
 * `@portcullis/engine/schema/validate`; `@portcullis/engine/kubecel` and `@portcullis/engine/policy` have longer
 * lists.
 */

// Admission policies.
export { type MutationWorld, mutate, policyMutator } from "./admission/mutate.ts";
// The shortest way: manifests in, problems out.
export { type CheckOptions, type CheckProblem, check, type Manifests } from "./cluster/check.ts";
// Reading and writing data.
export { type DecodedDocument, decodeDocuments } from "./codec/documents.ts";
export { type Decoded, type DecodeFailure, decodeJson, encodeJson } from "./codec/json.ts";
export type { FieldValidation } from "./codec/strict.ts";
export { decodeYaml } from "./codec/yaml.ts";
// CRDs: validation, and what their rules cost.
export { type CostReport, costReport } from "./crd/cost-report.ts";
export { type CustomResourceDefinition, readDefinition } from "./crd/definition.ts";
export { type DefinitionOptions, type DefinitionVerdict, validateDefinition } from "./crd/validate.ts";
// Findings.
export type { FieldError } from "./field/error.ts";
export { formatFieldError, formatFieldErrors } from "./field/format.ts";
// CEL as the API server of a version has it.
export { kubernetesEnvironment } from "./kubecel/environment.ts";
export type { Authorizer } from "./kubecel/library/authz.ts";
export { KUBERNETES_VERSIONS, type KubernetesVersion, SERVER_VERSION } from "./kubecel/versions.ts";
export { evaluate, type PolicyRequest, type PolicyUser, type PolicyWorld, policyEvaluator } from "./policy/library.ts";
export type { MutationReport } from "./policy/mutating/report.ts";
export type { VerdictReport } from "./policy/report.ts";
// Authorization by roles and bindings.
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
// The effect of a CRD change.
export type { UpgradeFinding } from "./upgrade/finding.ts";
export { compareDefinitions, type UpgradeReport } from "./upgrade/questions.ts";
export type { UpgradeOptions } from "./upgrade/upgrade-case.ts";
// Values.
export { fromPlain, type Plain, toPlain } from "./value/copy.ts";
export { Float64, type JsonObject, type JsonValue } from "./value/json.ts";

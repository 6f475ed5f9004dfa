/**
 * The validation and admission plane of the Kubernetes API server, as pure functions.
 *
 * Here stands what most callers begin with. Everything else is imported by path, such as
 * `@portcullis/engine/schema/validate`; `@portcullis/engine/kubecel` and `@portcullis/engine/policy` have fuller lists of
 * their own.
 */

// Reading and writing data.
export { type DecodedDocument, decodeDocuments } from "./codec/documents.ts";
export { type Decoded, type DecodeFailure, decodeJson, encodeJson } from "./codec/json.ts";
export { decodeYaml } from "./codec/yaml.ts";
// Definitions of custom resources: what they are refused for, and what their rules cost.
export { type CostReport, costReport } from "./crd/cost-report.ts";
export { type CustomResourceDefinition, readDefinition } from "./crd/definition.ts";
export { type DefinitionOptions, type DefinitionVerdict, validateDefinition } from "./crd/validate.ts";
// What was found.
export type { FieldError } from "./field/error.ts";
export { formatFieldError, formatFieldErrors } from "./field/format.ts";
// CEL as the API server of a version has it.
export { kubernetesEnvironment } from "./kubecel/environment.ts";
export type { Authorizer } from "./kubecel/library/authz.ts";
export { KUBERNETES_VERSIONS, type KubernetesVersion, SERVER_VERSION } from "./kubecel/versions.ts";
// One write of a custom resource, from the decoded body to what would be stored.
export { type Reviewed, reviewCreate } from "./pipeline/create.ts";
export {
  type CustomResource,
  compileResource,
  type EngineGates,
  type EngineOptions,
} from "./pipeline/custom-resource.ts";
// Admission policies.
export { type MutationWorld, mutate, policyMutator } from "./pipeline/mutate.ts";
export type { SystemFields } from "./pipeline/prepare.ts";
export type { DecodedBody, FieldValidation, WriteRequest } from "./pipeline/request.ts";
export { reviewStatusUpdate, reviewUpdate } from "./pipeline/update.ts";
export { evaluate, type PolicyRequest, type PolicyUser, type PolicyWorld, policyEvaluator } from "./policy/library.ts";
export type { MutationReport } from "./policy/mutating/report.ts";
export type { VerdictReport } from "./policy/report.ts";
// Who may do what, by roles and bindings.
export { type RbacSource, rbacAuthorizer, rbacSource, serverAuthorizer } from "./rbac/authorizer.ts";
// Refusals.
export { StatusError, statusBody } from "./status/error.ts";
// What a change of a definition does.
export type { UpgradeFinding } from "./upgrade/finding.ts";
export { compareDefinitions, type UpgradeReport } from "./upgrade/questions.ts";
export type { UpgradeOptions } from "./upgrade/upgrade-case.ts";
// Values.
export { fromPlain, type Plain, toPlain } from "./value/copy.ts";
export { Float64, type JsonObject, type JsonValue } from "./value/json.ts";

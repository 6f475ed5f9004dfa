/**
 * The validation and admission plane of the Kubernetes API server, as pure functions.
 *
 * `check` answers for manifests in one call. `review` is the function behind it and behind every other surface: one write
 * of any kind, from the request to the object as it would be stored.
 */

export { type CheckedManifest, type CheckOptions, check, type Manifests } from "./check.ts";
export { MemoryCluster, type MemoryClusterOptions } from "./cluster/memory-cluster.ts";
export type { FieldFinding } from "./codec/field-findings.ts";
export type { FieldValidation } from "./codec/strict.ts";
export { type CostReport, costReport } from "./crd/cost-report.ts";
export type { FieldError } from "./field/error.ts";
export { formatFieldError, formatFieldErrors } from "./field/format.ts";
export { KUBERNETES_VERSIONS, type KubernetesVersion, SERVER_VERSION } from "./kubecel/versions.ts";
export type { User } from "./rbac/user.ts";
export type { Attributes, Authorizer, Decision } from "./review/authorizer.ts";
export type {
  AdmissionDecision,
  AdmissionPlugin,
  AdmissionRequest,
  ClusterView,
  Kinds,
} from "./review/cluster-view.ts";
export type { EngineGates, EngineOptions } from "./review/custom-resource/custom-resource.ts";
export type { Endpoint, GroupVersionKind, ResourceKind } from "./review/kind.ts";
export type { Outcome } from "./review/outcome.ts";
export { review } from "./review/review.ts";
export type { SystemFields } from "./review/system.ts";
export type { CreateAttempts, CreateWrite, DeleteWrite, PatchWrite, UpdateWrite, Write } from "./review/write.ts";
export type { RuleTimes } from "./rules/times.ts";
export { type StatusCause, StatusError, statusBody } from "./status/error.ts";
export { fromPlain, type Plain, toPlain } from "./value/copy.ts";
export { Float64, type JsonObject, type JsonValue } from "./value/json.ts";

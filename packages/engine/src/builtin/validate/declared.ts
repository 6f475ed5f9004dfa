/**
 * Declarative validation, which upstream generates from tags in the Go types (`+k8s:required`, `+k8s:minimum`).
 *
 * Since 1.37 rules of the stages stable and beta are enforced: such a rule replaces the handwritten error for the same
 * field, with a text of its own, after all handwritten errors. Upstream then joins equal handwritten errors, which
 * includes those that every update repeats for metadata. The table holds the enforced tags of k8s.io/api v0.37 that have
 * a handwritten counterpart. Follows apiserver pkg/registry/rest/validate.go.
 */
import { type FieldError, type FieldErrorType, invalid } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import { since } from "../../value/server-version.ts";

interface DeclaredRule {
  /** `rules[*].verbs`: the star is any index or key. */
  readonly path: string;
  readonly type: FieldErrorType;
  /** The rule of the handwritten error, where its type alone does not identify it. */
  readonly origin?: string;
  /** The text in place of the handwritten one; the same text if absent. */
  readonly detail?: string;
  /** Whether the value is not printed: a rule that compares with the old object shows null. */
  readonly isNull?: boolean;
}

const required = (path: string): DeclaredRule => ({ path, type: "FieldValueRequired", detail: "" });
const forbidden = (path: string): DeclaredRule => ({ path, type: "FieldValueForbidden", detail: "" });
const tooMany = (path: string): DeclaredRule => ({ path, type: "FieldValueTooMany" });
const minimum = (path: string): DeclaredRule => ({ path, type: "FieldValueInvalid", origin: "minimum" });
const enumeration = (path: string): DeclaredRule => ({ path, type: "FieldValueNotSupported" });
const format = (path: string): DeclaredRule => ({ path, type: "FieldValueInvalid", origin: "format" });
const unique = (path: string): DeclaredRule => ({ path: `${path}[*]`, type: "FieldValueDuplicate", origin: "unique" });
const union = (path: string): DeclaredRule => ({ path, type: "FieldValueInvalid", origin: "union" });
const limited = (path: string): DeclaredRule[] => [tooMany(path), unique(path)];
const immutable = (path: string): DeclaredRule => ({
  path,
  type: "FieldValueInvalid",
  origin: "immutable",
  detail: "field is immutable",
  isNull: true,
});

const CIDRS = ["ingress[*].from[*]", "egress[*].to[*]"].map((peer) => required(`spec.${peer}.ipBlock.cidr`));
const SUBJECTS = [required("subjects[*].name"), required("roleRef.name")];
const AUTOSCALER = [minimum("spec.minReplicas"), required("spec.maxReplicas"), minimum("spec.maxReplicas")];

const REQUESTS = ["exactly", "firstAvailable[*]"].map((kind) => `spec.devices.requests[*].${kind}`);

/** By group and kind, in the order of the Go types. */
const DECLARED: Readonly<Record<string, readonly DeclaredRule[]>> = {
  "/ReplicationController": [minimum("spec.replicas"), minimum("spec.minReadySeconds")],
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": [
    required("spec.policyName"),
    required("spec.validationActions"),
  ],
  "autoscaling/HorizontalPodAutoscaler": AUTOSCALER,
  "batch/CronJob": [required("spec.schedule")],
  "discovery.k8s.io/EndpointSlice": [
    immutable("addressType"),
    required("addressType"),
    enumeration("addressType"),
    required("endpoints[*].addresses"),
    tooMany("endpoints[*].addresses"),
  ],
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": [
    forbidden("spec.exempt"),
    forbidden("spec.limited"),
    required("spec.limited"),
    required("spec.type"),
    forbidden("spec.limited.limitResponse.queuing"),
    required("spec.limited.limitResponse.queuing"),
    required("spec.limited.limitResponse.type"),
  ],
  "networking.k8s.io/IPAddress": [
    required("spec.parentRef"),
    immutable("spec.parentRef"),
    required("spec.parentRef.resource"),
    required("spec.parentRef.name"),
  ],
  "networking.k8s.io/IngressClass": [required("spec.parameters.kind"), required("spec.parameters.name")],
  "networking.k8s.io/NetworkPolicy": CIDRS,
  "node.k8s.io/RuntimeClass": [immutable("handler"), required("handler"), format("handler")],
  "rbac.authorization.k8s.io/ClusterRole": [required("rules[*].verbs")],
  "rbac.authorization.k8s.io/ClusterRoleBinding": SUBJECTS,
  "rbac.authorization.k8s.io/Role": [required("rules[*].verbs")],
  "rbac.authorization.k8s.io/RoleBinding": SUBJECTS,
  "resource.k8s.io/DeviceClass": [
    required("spec.config[*].opaque.driver"),
    format("spec.config[*].opaque.driver"),
    format("spec.extendedResourceName"),
  ],
  "resource.k8s.io/ResourceClaim": [
    immutable("spec"),
    ...limited("spec.devices.requests"),
    ...REQUESTS.map((request) => format(`${request}.tolerations[*].key`)),
    ...limited("spec.devices.requests[*].firstAvailable"),
    tooMany("spec.devices.constraints"),
    ...limited("spec.devices.constraints[*].requests"),
    tooMany("spec.devices.config"),
    ...limited("spec.devices.config[*].requests"),
    required("spec.devices.config[*].opaque.driver"),
    format("spec.devices.config[*].opaque.driver"),
    tooMany("status.allocation.devices.results"),
    required("status.allocation.devices.results[*].driver"),
    required("status.allocation.devices.results[*].pool"),
    format("status.allocation.devices.results[*].shareID"),
    tooMany("status.allocation.devices.config"),
    required("status.allocation.devices.config[*].source"),
    enumeration("status.allocation.devices.config[*].source"),
    ...limited("status.allocation.devices.config[*].requests"),
    ...limited("status.reservedFor"),
    unique("status.devices"),
    ...limited("status.devices[*].networkData.ips"),
  ],
  "resource.k8s.io/ResourceSlice": [
    union("spec.devices[*].attributes[*]"),
    ...limited("spec.devices[*].consumesCounters"),
    ...limited("spec.sharedCounters"),
  ],
  "storage.k8s.io/StorageClass": [
    immutable("provisioner"),
    required("provisioner"),
    immutable("parameters"),
    immutable("reclaimPolicy"),
    immutable("volumeBindingMode"),
  ],
  "storage.k8s.io/VolumeAttachment": [immutable("spec"), required("spec.attacher"), format("spec.attacher")],
};

/** Kinds outside the scheme of built-in kinds: their errors stay as they are. */
const WITHOUT = new Set(["apiextensions.k8s.io/CustomResourceDefinition", "apiregistration.k8s.io/APIService"]);

/** The errors of a write as declarative validation leaves them. */
export function withDeclared(
  { group, kind }: { readonly group: string; readonly kind: string },
  errors: readonly FieldError[],
): readonly FieldError[] {
  const key = `${group}/${kind}`;
  if (errors.length === 0 || !since("1.37") || WITHOUT.has(key)) return errors;
  const rules = DECLARED[key] ?? [];
  const declared: { readonly error: FieldError; readonly rank: number }[] = [];
  const written: FieldError[] = [];
  for (const error of distinct(errors)) {
    const rank = rules.findIndex((rule) => covers(rule, error));
    const rule = rules[rank];
    if (rule === undefined) written.push(error);
    else declared.push({ error: restate(rule, error), rank });
  }
  declared.sort((a, b) => a.rank - b.rank);
  return [...written, ...distinct(declared.map(({ error }) => error))];
}

/**
 * Each message once. Values and details can be long and many errors can share one, so messages are only made where
 * everything but the value is equal, and a detail is only read once.
 */
function distinct(errors: readonly FieldError[]): FieldError[] {
  const groups = new Map<string, Alike>();
  const details = new Map<string, number>();
  return errors.filter((error) => {
    const detail = details.get(error.detail) ?? details.size;
    details.set(error.detail, detail);
    const key = `${error.type} ${error.path.toString()} ${detail}`;
    const alike = groups.get(key);
    if (alike === undefined) groups.set(key, { first: error, values: new Set([error.badValue]), texts: undefined });
    return alike === undefined || addsMessage(alike, error);
  });
}

/** Errors that differ in their values only. */
interface Alike {
  readonly first: FieldError;
  readonly values: Set<FieldError["badValue"]>;
  texts: Set<string> | undefined;
}

function addsMessage(alike: Alike, error: FieldError): boolean {
  if (alike.values.has(error.badValue)) return false;
  alike.values.add(error.badValue);
  alike.texts ??= new Set([formatFieldError(alike.first)]);
  const { size } = alike.texts;
  return alike.texts.add(formatFieldError(error)).size > size;
}

function covers({ path, type, origin }: DeclaredRule, error: FieldError): boolean {
  if (type !== error.type || (origin !== undefined && !error.origin.startsWith(origin))) return false;
  return error.path.toString().replace(/\[[^\]]*\]/g, "[*]") === path;
}

function restate({ detail, isNull }: DeclaredRule, error: FieldError): FieldError {
  if (isNull === true) return invalid(error.path, null, detail ?? error.detail, error.origin);
  return detail === undefined ? error : { ...error, detail };
}

/** Judging a whole object of a built-in kind: its metadata, then what its kind demands. */
import type { FieldError } from "../../field/error.ts";
import { invalid } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { type MetaRules, validateMeta, validateMetaUpdate } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import * as messages from "../messages.ts";
import { metaOf, textsOf } from "../object.ts";
import type { ResourceInfo } from "../resources.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { type KindRules, rulesOf } from "./table.ts";

const METADATA = newPath("metadata");

export function validateObject(object: JsonObject, info: ResourceInfo, strategy: Strategy): FieldError[] {
  const { namespaced } = info;
  const rules = rulesOf(info.group, info.kind);
  const checkName = rules?.checkName?.(object) ?? strategy.checkName;
  const first = rules?.first?.(object) ?? [];
  if (first.length > 0) return first;
  if (NO_META.has(`${info.group}/${info.kind}`)) return validateLoose(object, rules, { namespaced, checkName });
  return [
    ...validateMeta(metaOf(object), { namespaced, checkName }, METADATA),
    ...finalizerNames(object, info),
    ...(rules?.create(object) ?? []),
  ];
}

/** Kinds that do not look at metadata leave it to the generic rules, which come last. */
function validateLoose(object: JsonObject, rules: KindRules | undefined, meta: MetaRules): FieldError[] {
  const errors = rules?.create(object) ?? [];
  return errors.length > 0 ? errors : validateMeta(metaOf(object), meta, METADATA);
}

export function validateObjectUpdate(
  object: JsonObject,
  old: JsonObject,
  info: ResourceInfo,
  strategy: Strategy,
): FieldError[] {
  const rules = rulesOf(info.group, info.kind);
  const checkName = rules?.checkName?.(object) ?? strategy.checkName;
  const first = rules?.first?.(object, old) ?? [];
  if (first.length > 0) return first;
  const { namespaced } = info;
  const whole = WHOLE_META.has(`${info.group}/${info.kind}`);
  const alone = WHOLE_META_ALONE.has(`${info.group}/${info.kind}`);
  const isFree = NO_META.has(`${info.group}/${info.kind}`);
  return [
    ...(alone || isFree
      ? []
      : [...validateMetaUpdate(metaOf(object), metaOf(old), METADATA), ...finalizerNames(object, info)]),
    ...(whole || alone
      ? [...validateMeta(metaOf(object), { namespaced, checkName }, METADATA), ...finalizerNames(object, info)]
      : []),
    // Volumes are judged like new ones twice over.
    ...(info.group === "" && info.kind === "PersistentVolume" ? finalizerNames(object, info) : []),
    ...(rules?.update(object, old) ?? []),
  ];
}

/** Whoever changes metadata along with a status is judged for it; few kinds do not look. */
export function validateObjectStatus(object: JsonObject, old: JsonObject, info: ResourceInfo): FieldError[] {
  const rules = rulesOf(info.group, info.kind);
  const isLoose = STATUS_ALONE.has(`${info.group}/${info.kind}`);
  return [
    ...(isLoose ? [] : [...validateMetaUpdate(metaOf(object), metaOf(old), METADATA), ...finalizerNames(object, info)]),
    ...(rules?.status?.(object, old) ?? []),
  ];
}

const FLOW_CONTROL = ["FlowSchema", "PriorityLevelConfiguration"].map((kind) => `flowcontrol.apiserver.k8s.io/${kind}`);

const STATUS_ALONE = new Set(["policy/PodDisruptionBudget", ...FLOW_CONTROL]);

/** Their updates are judged like creates as well, metadata included: causes are told once more. */
const WHOLE_META = new Set([
  ...["/ConfigMap", "/Secret", "/Pod", "/ServiceAccount", "/Endpoints", "/PersistentVolumeClaim", "/Node", "batch/Job"],
  ...["node.k8s.io/RuntimeClass", "storage.k8s.io/StorageClass", "storage.k8s.io/CSIStorageCapacity", "/Namespace"],
  ...["apps/ControllerRevision", "resource.k8s.io/DeviceClass", "resource.k8s.io/ResourceClaimTemplate"],
  ...["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"].map((kind) => `rbac.authorization.k8s.io/${kind}`),
  ...["networking.k8s.io/Ingress", "networking.k8s.io/IngressClass", "certificates.k8s.io/ClusterTrustBundle"],
  "certificates.k8s.io/CertificateSigningRequest",
  ...["resource.k8s.io/ResourceClaim", "storage.k8s.io/VolumeAttributesClass"],
  ...["networking.k8s.io/IPAddress", "apiregistration.k8s.io/APIService"],
]);

/** Their updates are judged like creates and not by the change of metadata. */
const WHOLE_META_ALONE = new Set([
  ...["/PersistentVolume", "/LimitRange", "discovery.k8s.io/EndpointSlice"],
  ...["storage.k8s.io/VolumeAttachment", "storage.k8s.io/CSINode"],
  ...FLOW_CONTROL,
  ...["Validating", "Mutating"].map((which) => `admissionregistration.k8s.io/${which}WebhookConfiguration`),
]);

const STANDARD_FINALIZERS = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** Kinds that are judged by the generic rules alone take any finalizer. */
const ANY_FINALIZER = new Set([
  ...["coordination.k8s.io/Lease", "node.k8s.io/RuntimeClass", "apiregistration.k8s.io/APIService"],
]);

/** Their metadata is judged by the generic rules alone. */
const NO_META = new Set(["/Event", "policy/PodDisruptionBudget"]);

function finalizerNames(object: JsonObject, { group, kind }: ResourceInfo): FieldError[] {
  const names = textsOf(metaOf(object), "finalizers");
  if (names.length === 0 || ANY_FINALIZER.has(`${group}/${kind}`)) return [];
  return names.flatMap((name, index) => {
    if (name.includes("/") || STANDARD_FINALIZERS.has(name)) return [];
    return [invalid(METADATA.child("finalizers").index(index), name, messages.oddFinalizer(), "finalizer")];
  });
}

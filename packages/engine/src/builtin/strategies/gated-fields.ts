/**
 * Fields of features that may be off. What a new object says in them is dropped, unless the old object used them. Follows
 * dropDisabledFields of pkg/api and pkg/registry.
 *
 * A path leads through the object, `*` through the items of a list or the values of a map. Whether a gate is on depends on
 * the version and on the options of the server.
 */
import { isEnabled } from "../../value/gates.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { currentRules, type ServerRules, since } from "../../value/server-version.ts";
import { has, objectOf, objectsOf, textOf } from "../object.ts";

interface GatedField {
  readonly gate: string;
  readonly path: readonly string[];
}

const gated = (gate: string, ...paths: string[]): GatedField[] =>
  paths.map((path) => ({ gate, path: path.split(".") }));

const CONTAINER_LISTS = ["containers", "initContainers", "ephemeralContainers"];
const CONTAINERS = CONTAINER_LISTS.map((key) => `${key}.*`);
const inStatuses = (path: string): string[] =>
  ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"].map((key) => `status.${key}.*.${path}`);
const inContainers = (path: string): string[] => CONTAINERS.map((container) => `${container}.${path}`);
const AFFINITIES = ["podAffinity", "podAntiAffinity"].flatMap((kind) => [
  `affinity.${kind}.requiredDuringSchedulingIgnoredDuringExecution.*`,
  `affinity.${kind}.preferredDuringSchedulingIgnoredDuringExecution.*.podAffinityTerm`,
]);
const SOURCES = "volumes.*.projected.sources.*";
const FILES = ["secret", "configMap", "downwardAPI"];

/** Within the spec of a pod. */
const POD_FIELDS: readonly GatedField[] = [
  ...gated("GenericWorkload", "schedulingGroup", "workloadRef"),
  ...gated("ClusterTrustBundleProjection", `${SOURCES}.clusterTrustBundle`),
  ...gated("PodCertificateRequest", `${SOURCES}.podCertificate`),
  ...gated("ContainerStopSignals", ...inContainers("lifecycle.stopSignal")),
  ...gated("PodLevelResources", "resources"),
  ...gated("HostnameOverride", "hostnameOverride"),
  ...gated("ContainerRestartRules", ...inContainers("restartPolicyRules"), "containers.*.restartPolicy"),
  ...gated("InPlacePodVerticalScaling", ...inContainers("resizePolicy")),
  ...gated("SupplementalGroupsPolicy", "securityContext.supplementalGroupsPolicy"),
  ...gated("SELinuxChangePolicy", "securityContext.seLinuxChangePolicy"),
  ...gated("RecursiveReadOnlyMounts", ...inContainers("volumeMounts.*.recursiveReadOnly")),
  ...gated("UserNamespacesSupport", "hostUsers"),
  ...gated(
    "MatchLabelKeysInPodAffinity",
    ...AFFINITIES.flatMap((at) => [`${at}.matchLabelKeys`, `${at}.mismatchLabelKeys`]),
  ),
  ...gated("DynamicResourceAllocation", "resourceClaims", ...inContainers("resources.claims")),
  ...gated("EnvFiles", ...inContainers("env.*.valueFrom.fileKeyRef")),
  ...gated("EmptyDirVolumeMode", "volumes.*.emptyDir.mode"),
  ...gated("VolumeBindMountOptions", ...inContainers("volumeMounts.*.bindMountOptions")),
  ...gated("EvictionRequestAPI", "evictionResponders"),
  ...gated(
    "AtomicWriteVolumeUserFields",
    ...FILES.flatMap((kind) => [`volumes.*.${kind}.defaultUser`, `volumes.*.${kind}.items.*.user`]),
    "volumes.*.projected.defaultUser",
    ...FILES.map((kind) => `${SOURCES}.${kind}.items.*.user`),
    ...["serviceAccountToken", "clusterTrustBundle", "podCertificate"].map((kind) => `${SOURCES}.${kind}.user`),
  ),
];

const DEVICES = "spec.devices.*";
const RESULTS = "status.allocation.devices.results.*";

const CLAIM_STATUS: readonly GatedField[] = [
  ...gated("DRAAdminAccess", `${RESULTS}.adminAccess`),
  ...gated("DRAResourceClaimDeviceStatus", "status.devices"),
  ...gated(
    "DRADeviceBindingConditions",
    "status.allocation.allocationTimestamp",
    ...["bindingConditions", "bindingFailureConditions"].map((key) => `${RESULTS}.${key}`),
  ),
  ...gated(
    "DRAConsumableCapacity",
    ...["shareID", "consumedCapacity"].map((key) => `${RESULTS}.${key}`),
    "status.devices.*.shareID",
  ),
];

/** Within the whole object, by group and kind. */
const KIND_FIELDS: Readonly<Record<string, readonly GatedField[]>> = {
  PersistentVolume: gated("VolumeAttributesClass", "spec.volumeAttributesClassName"),
  PersistentVolumeClaim: gated("VolumeAttributesClass", "spec.volumeAttributesClassName"),
  Node: gated("NodeDeclaredFeatures", "status.declaredFeatures"),
  Pod: [
    ...gated("PodObservedGenerationTracking", "status.observedGeneration", "status.conditions.*.observedGeneration"),
    ...gated("DynamicResourceAllocation", "spec.resourceClaims", "status.resourceClaimStatuses"),
    ...gated("DRAExtendedResource", "status.extendedResourceClaimStatus"),
    ...gated("DRANodeAllocatableResources", "status.nodeAllocatableResourceClaimStatuses"),
    ...gated("ResourceHealthStatus", ...inStatuses("allocatedResourcesStatus")),
    ...gated("ResourceHealthStatusMessage", ...inStatuses("allocatedResourcesStatus.*.resources.*.message")),
    ...gated("ImageVolumeWithDigest", ...inStatuses("volumeMounts.*.volumeStatus")),
  ],
  Service: gated("ServiceTrafficDistribution", "spec.trafficDistribution"),
  "apps/StatefulSet": gated("MaxUnavailableStatefulSet", "spec.updateStrategy.rollingUpdate.maxUnavailable"),
  "autoscaling/HorizontalPodAutoscaler": gated(
    "HPAConfigurableTolerance",
    ...["scaleUp", "scaleDown"].map((direction) => `spec.behavior.${direction}.tolerance`),
  ),
  "batch/CronJob": jobFields("spec.jobTemplate.spec"),
  "batch/Job": jobFields("spec"),
  "coordination.k8s.io/Lease": gated("CoordinatedLeaderElection", "spec.strategy", "spec.preferredHolder"),
  "discovery.k8s.io/EndpointSlice": gated("PreferSameTrafficDistribution", "endpoints.*.hints.forNodes"),
  "resource.k8s.io/DeviceClass": gated("DRAExtendedResource", "spec.extendedResourceName"),
  "resource.k8s.io/ResourceClaim": [...claimFields("spec"), ...CLAIM_STATUS],
  "resource.k8s.io/ResourceClaimTemplate": claimFields("spec.spec"),
  "resource.k8s.io/ResourceSlice": [
    ...gated("DRADeviceTaints", `${DEVICES}.taints`),
    ...gated(
      "DRAPartitionableDevices",
      ...["sharedCounters", "perDeviceNodeSelection"].map((key) => `spec.${key}`),
      ...["consumesCounters", "nodeName", "nodeSelector", "allNodes"].map((key) => `${DEVICES}.${key}`),
    ),
    ...gated(
      "DRADeviceBindingConditions",
      ...["bindingConditions", "bindingFailureConditions", "bindsToNode"].map((key) => `${DEVICES}.${key}`),
    ),
    ...gated("DRAConsumableCapacity", `${DEVICES}.allowMultipleAllocations`, `${DEVICES}.capacity.*.requestPolicy`),
  ],
  "storage.k8s.io/VolumeAttachment": gated(
    "MutableCSINodeAllocatableCount",
    ...["attachError", "detachError"].map((key) => `status.${key}.errorCode`),
  ),
  "storage.k8s.io/CSIDriver": [
    ...gated("MutableCSINodeAllocatableCount", "spec.nodeAllocatableUpdatePeriodSeconds"),
    ...gated("CSIServiceAccountTokenSecrets", "spec.serviceAccountTokenInSecrets"),
    ...gated("VolumeLimitScaling", "spec.preventPodSchedulingIfMissing"),
  ],
};

function claimFields(spec: string): GatedField[] {
  const requests = `${spec}.devices.requests.*`;
  return [
    ...gated("DRAPrioritizedList", `${requests}.firstAvailable`),
    ...gated("DRAAdminAccess", `${requests}.exactly.adminAccess`),
    ...gated("DRADeviceTaints", `${requests}.exactly.tolerations`, `${requests}.firstAvailable.*.tolerations`),
    ...gated("DRAConsumableCapacity", `${requests}.exactly.capacity`, `${requests}.firstAvailable.*.capacity`),
    ...gated("DRAConsumableCapacity", `${spec}.devices.constraints.*.distinctAttribute`),
  ];
}

function jobFields(spec: string): GatedField[] {
  return [
    ...gated("JobManagedBy", `${spec}.managedBy`),
    ...gated("JobSuccessPolicy", `${spec}.successPolicy`),
    ...gated("WorkloadWithJob", `${spec}.scheduling`),
  ];
}

/** Gates that are asked about elsewhere. */
const OTHER_GATES = ["HPAScaleToZero", "ImageVolume", "ProcMountType", "RelaxedServiceNameValidation", "SELinuxMount"];

/** The gates that change how built-in kinds are written. */
export function effectiveGates(): ReadonlySet<string> {
  const fields = [...POD_FIELDS, ...Object.values(KIND_FIELDS).flat()];
  return new Set([...fields.map(({ gate }) => gate), ...OTHER_GATES]);
}

export function dropDisabledPodFields(spec: JsonObject | undefined, old: JsonObject | undefined): void {
  if (spec === undefined) return;
  dropFields(spec, old, POD_FIELDS);
  dropOtherPolicies(spec, old);
  if (!isEnabled("ProcMountType") && !usesProcMount(old)) resetProcMounts(spec);
  if (!isEnabled("ImageVolume") && !hasImageVolume(old)) dropImageVolumes(spec);
}

/** Where the rules are off, an init container may be a sidecar and nothing else. */
function dropOtherPolicies(spec: JsonObject, old: JsonObject | undefined): void {
  if (isEnabled("ContainerRestartRules") || !since("1.34")) return;
  if (old !== undefined && usesGate(old, "ContainerRestartRules", POD_FIELDS)) return;
  for (const container of objectsOf(spec, "initContainers")) {
    if (container["restartPolicy"] !== "Always") delete container["restartPolicy"];
  }
}

function securityContextsOf(spec: JsonObject | undefined): JsonObject[] {
  return CONTAINER_LISTS.flatMap((key) => objectsOf(spec, key)).flatMap((container) => {
    const context = objectOf(container, "securityContext");
    return context !== undefined && has(context, "procMount") ? [context] : [];
  });
}

function usesProcMount(spec: JsonObject | undefined): boolean {
  return securityContextsOf(spec).some((context) => textOf(context, "procMount") !== DEFAULT_PROC_MOUNT);
}

const DEFAULT_PROC_MOUNT = "Default";

/** Not dropped: what is said becomes the default. */
function resetProcMounts(spec: JsonObject): void {
  for (const context of securityContextsOf(spec)) context["procMount"] = DEFAULT_PROC_MOUNT;
}

function hasImageVolume(spec: JsonObject | undefined): boolean {
  return objectsOf(spec, "volumes").some((volume) => has(volume, "image"));
}

/** The volumes go, and with them where they are mounted. Upstream makes the lists anew: they are nil if nothing is left. */
function dropImageVolumes(spec: JsonObject): void {
  const volumes = objectsOf(spec, "volumes");
  const names = new Set(volumes.filter((volume) => has(volume, "image")).map((volume) => textOf(volume, "name")));
  keep(spec, "volumes", (volume) => !has(volume, "image"));
  for (const key of CONTAINER_LISTS) {
    for (const container of objectsOf(spec, key)) {
      keep(container, "volumeMounts", (mount) => !names.has(textOf(mount, "name")));
    }
  }
}

function keep(object: JsonObject, key: string, isKept: (item: JsonObject) => boolean): void {
  const items = objectsOf(object, key);
  const kept = items.filter(isKept);
  if (kept.length === 0) delete object[key];
  else if (kept.length < items.length) object[key] = kept;
}

/** `key` is that of the kind, such as `apps/v1/StatefulSet` or `v1/Service`. */
export function dropDisabledFields(object: JsonObject, old: JsonObject | undefined, key: string): void {
  const fields = fieldsOf(key);
  if (fields.length > 0) dropFields(object, old, fields);
}

const fieldsByKey = new Map<string, readonly GatedField[]>();

/** Gates are about kinds, whatever their version. */
function fieldsOf(key: string): readonly GatedField[] {
  const known = fieldsByKey.get(key);
  if (known !== undefined) return known;
  const parts = key.split("/");
  const fields = KIND_FIELDS[parts.filter((_, index) => index !== parts.length - 2).join("/")] ?? [];
  fieldsByKey.set(key, fields);
  return fields;
}

function dropFields(object: JsonObject, old: JsonObject | undefined, fields: readonly GatedField[]): void {
  for (const { gate, path } of disabledAmong(fields)) {
    if (!uses(object, path, 0)) continue;
    if (old === undefined || !usesGate(old, gate, fields)) remove(object, path, 0);
  }
}

const disabled = new WeakMap<ServerRules, Map<readonly GatedField[], readonly GatedField[]>>();

/** Kept for each server: most gates are on, and every object is asked about all of them. */
function disabledAmong(fields: readonly GatedField[]): readonly GatedField[] {
  const rules = currentRules();
  const byFields = disabled.get(rules) ?? new Map<readonly GatedField[], readonly GatedField[]>();
  disabled.set(rules, byFields);
  const known = byFields.get(fields);
  if (known !== undefined) return known;
  const found = fields.filter(({ gate, path }) => !isEnabled(gate) && !isKept(path));
  byFields.set(fields, found);
  return found;
}

/** Up to 1.33 the policies of single containers are refused; up to 1.34 some fields of claims of devices stay. */
function isKept(path: readonly string[]): boolean {
  const member = path.at(-1);
  if (member === "restartPolicy") return !since("1.34");
  return (member === "distinctAttribute" || member === "tolerations") && !since("1.35");
}

/** An object that uses one field of a feature may use all of them. */
function usesGate(object: JsonObject, gate: string, fields: readonly GatedField[]): boolean {
  return fields.some((field) => field.gate === gate && uses(object, field.path, 0));
}

function uses(value: JsonValue | undefined, path: readonly string[], depth: number): boolean {
  const key = path[depth];
  if (key === undefined) return value !== undefined && value !== null;
  if (key === "*") return itemsOf(value).some((item) => uses(item, path, depth + 1));
  return isObject(value) && uses(value[key], path, depth + 1);
}

function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

/** What is empty afterwards goes with it, where Go would not write it. */
function remove(value: JsonValue | undefined, path: readonly string[], depth: number): void {
  const key = path[depth];
  if (key === undefined) return;
  if (key === "*") {
    for (const item of itemsOf(value)) remove(item, path, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  if (depth === path.length - 1) delete value[key];
  else {
    remove(value[key], path, depth + 1);
    const inner = value[key];
    if (REMOVED_EMPTY.has(key) && isObject(inner) && Object.keys(inner).length === 0) delete value[key];
  }
}

const REMOVED_EMPTY: ReadonlySet<string> = new Set(["lifecycle"]);

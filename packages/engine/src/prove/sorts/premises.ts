/**
 * What is known of fields of built-in kinds beyond their Go types: defaults that are always filled in, and values that
 * native validation refuses. By Go type and field. Each row is attacked by a test that tries to write what it excludes.
 */
import type { Premise } from "./sort.ts";

/**
 * `undefaulted`: the fields of the struct itself get no defaults. `unchecked`: nothing at any depth is defaulted or
 * validated.
 */
export type Inside = "unchecked" | "undefaulted";

export interface FieldPremise {
  /** Filled in by defaulting, or required by validation. */
  readonly always?: Premise;
  readonly min?: bigint;
  readonly max?: bigint;
  /** The only accepted strings. */
  readonly listed?: readonly string[];
  readonly patterns?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  /** For a list or a map. */
  readonly minItems?: number;
  /** For a list: a key in which no two elements are equal. */
  readonly uniqueBy?: string;
  /** For a list: the only accepted elements. */
  readonly listedItems?: readonly string[];
  /** A pattern for the keys of a map. */
  readonly keyPattern?: string;
  readonly maxKeyLength?: number;
  /** Members that it never has. */
  readonly without?: readonly string[];
  /** Premises that do not hold for what is inside. */
  readonly inside?: Inside;
  /** Strings to try if an example is needed: most strings are refused. */
  readonly samples?: readonly string[];
}

const PORT: FieldPremise = { min: 1n, max: 65_535n };
const COUNT: FieldPremise = { always: "default", min: 0n };
const DNS_LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
const PROTOCOL: FieldPremise = { always: "default", listed: ["TCP", "UDP", "SCTP"] };
const DATA_KEYS: FieldPremise = { keyPattern: "^[-._a-zA-Z0-9]+$", maxKeyLength: 253 };

export const LABEL_VALUE: FieldPremise = {
  patterns: ["^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$"],
  maxLength: 63,
};

const QUALIFIED_NAME =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";

/** Keys of annotations are checked in lower case. */
export const ANNOTATION_KEYS: FieldPremise = {
  keyPattern: `(?i)${QUALIFIED_NAME}`,
  maxKeyLength: 317,
};

export const LABEL_KEYS: FieldPremise = { keyPattern: QUALIFIED_NAME, maxKeyLength: 317 };

const CONTAINER: Readonly<Record<string, FieldPremise>> = {
  name: { minLength: 1, maxLength: 63, patterns: [DNS_LABEL] },
  image: { always: "native-validation", minLength: 1 },
  imagePullPolicy: { always: "default", listed: ["Always", "IfNotPresent", "Never"] },
  terminationMessagePath: { always: "default", minLength: 1 },
  terminationMessagePolicy: { always: "default", listed: ["File", "FallbackToLogsOnError"] },
  ports: { uniqueBy: "name" },
  volumeMounts: { uniqueBy: "mountPath" },
};

const POD_SPEC: Readonly<Record<string, FieldPremise>> = {
  containers: { always: "native-validation", minItems: 1, uniqueBy: "name" },
  initContainers: { uniqueBy: "name" },
  ephemeralContainers: { uniqueBy: "name" },
  volumes: { uniqueBy: "name" },
  restartPolicy: { always: "default", listed: ["Always", "OnFailure", "Never"] },
  dnsPolicy: { always: "default", listed: ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"] },
  securityContext: { always: "default" },
  terminationGracePeriodSeconds: { always: "default" },
  schedulerName: { always: "default", minLength: 1 },
};

const PREMISES: Readonly<Record<string, Readonly<Record<string, FieldPremise>>>> = {
  "v1.PodSpec": POD_SPEC,
  "v1.PodTemplateSpec": { spec: { without: ["ephemeralContainers"] } },
  "v1.Container": CONTAINER,
  "v1.EphemeralContainer": CONTAINER,
  "v1.EphemeralContainerCommon": CONTAINER,
  "v1.Volume": { name: { minLength: 1, maxLength: 63, patterns: [DNS_LABEL] } },
  "v1.HostPathVolumeSource": { path: { minLength: 1, samples: ["/data", "/var/run"] } },
  "v1.ContainerPort": { containerPort: PORT, protocol: PROTOCOL },
  "v1.DeploymentSpec": {
    replicas: COUNT,
    selector: { always: "native-validation" },
    revisionHistoryLimit: COUNT,
    progressDeadlineSeconds: { always: "default", min: 1n },
  },
  "v1.DeploymentStrategy": { type: { always: "default", listed: ["Recreate", "RollingUpdate"] } },
  "v1.ReplicaSetSpec": { replicas: COUNT, selector: { always: "native-validation" } },
  "v1.StatefulSetSpec": {
    replicas: COUNT,
    selector: { always: "native-validation" },
    revisionHistoryLimit: { always: "default" },
    podManagementPolicy: { always: "default", listed: ["OrderedReady", "Parallel"] },
    volumeClaimTemplates: { inside: "unchecked" },
  },
  "v1.DaemonSetSpec": { selector: { always: "native-validation" }, revisionHistoryLimit: COUNT },
  "v1.ReplicationControllerSpec": { replicas: COUNT },
  "v1.JobSpec": {
    parallelism: COUNT,
    backoffLimit: COUNT,
    completionMode: { always: "default", listed: ["NonIndexed", "Indexed"] },
    suspend: { always: "default" },
  },
  "v1.JobTemplateSpec": { spec: { inside: "undefaulted" } },
  "v1.CronJobSpec": {
    schedule: { minLength: 1, samples: ["0 * * * *", "*/5 * * * *", "*/1 * * * *", "1,2 * * * *", "@daily"] },
    timeZone: { samples: ["Etc/UTC", "Europe/Berlin"] },
    concurrencyPolicy: { always: "default", listed: ["Allow", "Forbid", "Replace"] },
    suspend: { always: "default" },
    successfulJobsHistoryLimit: COUNT,
    failedJobsHistoryLimit: COUNT,
  },
  "v1.HorizontalPodAutoscalerSpec": { minReplicas: COUNT, maxReplicas: { min: 1n } },
  "v2.HorizontalPodAutoscalerSpec": { minReplicas: COUNT, maxReplicas: { min: 1n } },
  "v1.ObjectReference": { apiVersion: { samples: ["v1"] } },
  "v1.IngressSpec": { ingressClassName: { samples: ["nginx", "other"] } },
  "v1.SeccompProfile": { type: { listed: ["Localhost", "RuntimeDefault", "Unconfined"] } },
  "v1.Subject": { kind: { listed: ["User", "Group", "ServiceAccount"] } },
  "v1.ServiceSpec": {
    type: { always: "default", listed: ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"] },
    sessionAffinity: { always: "default", listed: ["None", "ClientIP"] },
    ports: { uniqueBy: "name" },
  },
  "v1.ServicePort": { port: PORT, protocol: PROTOCOL, targetPort: { always: "default" } },
  "v1.ConfigMap": { data: DATA_KEYS, binaryData: DATA_KEYS },
  "v1.Secret": { data: DATA_KEYS, type: { always: "default", minLength: 1 } },
  "v1.PersistentVolumeClaimSpec": {
    accessModes: {
      always: "native-validation",
      minItems: 1,
      listedItems: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"],
    },
    volumeMode: { always: "default", listed: ["Block", "Filesystem"] },
  },
  "v1.StorageClass": {
    reclaimPolicy: { always: "default", listed: ["Delete", "Retain", ""] },
    volumeBindingMode: { always: "default", listed: ["Immediate", "WaitForFirstConsumer"] },
  },
  "v1.NetworkPolicySpec": { policyTypes: { always: "default", minItems: 1 } },
  "v1.RoleRef": {
    apiGroup: { always: "default", listed: ["rbac.authorization.k8s.io"] },
    kind: { listed: ["Role", "ClusterRole"] },
  },
  "v1.PriorityClass": { preemptionPolicy: { always: "default", listed: ["PreemptLowerPriority", "Never"] } },
  "v1.ScaleSpec": { replicas: { min: 0n } },
};

export function premiseOf(struct: string, field: string): FieldPremise | undefined {
  return PREMISES[struct]?.[field];
}

/** For the test that attacks them. */
export const ALL_PREMISES = PREMISES;

/** An update of a pod changes images, tolerations and deadlines, and what its scheduling gates wait for. */
const POD_CONSTANTS: readonly string[] = [
  "nodeName",
  "hostNetwork",
  "hostPID",
  "hostIPC",
  "hostname",
  "serviceAccountName",
  "automountServiceAccountToken",
  "restartPolicy",
  "dnsPolicy",
  "securityContext",
  "shareProcessNamespace",
  "volumes",
  "imagePullSecrets",
  "runtimeClassName",
  "priorityClassName",
  "schedulerName",
].map((field) => `spec.${field}`);

/** Fields that no update changes, by kind; both objects hold one value there. */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  "apps/Deployment": ["spec.selector"],
  "apps/ReplicaSet": ["spec.selector"],
  "apps/DaemonSet": ["spec.selector"],
  "apps/StatefulSet": ["spec.selector", "spec.serviceName", "spec.podManagementPolicy"],
  "batch/Job": ["spec.selector", "spec.completionMode"],
  "/Secret": ["type"],
  "/Pod": POD_CONSTANTS,
  "/PersistentVolumeClaim": ["spec.accessModes", "spec.volumeMode", "spec.selector"],
  "rbac.authorization.k8s.io/RoleBinding": ["roleRef"],
  "rbac.authorization.k8s.io/ClusterRoleBinding": ["roleRef"],
  "storage.k8s.io/StorageClass": ["provisioner", "reclaimPolicy", "parameters", "volumeBindingMode"],
};

export function immutablePaths(group: string, kind: string): readonly string[] {
  return IMMUTABLE[`${group}/${kind}`] ?? [];
}

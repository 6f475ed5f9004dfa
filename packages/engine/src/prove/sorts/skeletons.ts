/** Minimal objects that the API server accepts: the base of examples. */
import type { GroupVersionKind } from "../../policy/attributes.ts";
import { fromPlain } from "../../value/copy.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { apiVersionOf } from "./kinds.ts";

const CONTAINER = { name: "c", image: "registry.example.com/app:1.0" };
const POD_SPEC = { containers: [CONTAINER] };
const LABELS = { app: "web" };
const TEMPLATE = { metadata: { labels: LABELS }, spec: POD_SPEC };
const WORKLOAD = { selector: { matchLabels: LABELS }, template: TEMPLATE };
const JOB_TEMPLATE = { spec: { template: { spec: { ...POD_SPEC, restartPolicy: "Never" } } } };
const TARGET = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const ROLE_REF = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const STORAGE = { resources: { requests: { storage: "1Gi" } } };

/** By group and kind; without apiVersion, kind and metadata. */
const BODIES: Readonly<Record<string, object>> = {
  "/Pod": { spec: POD_SPEC },
  "/PodTemplate": { template: TEMPLATE },
  "/ReplicationController": { spec: { selector: LABELS, template: TEMPLATE } },
  "/Service": { spec: { ports: [{ port: 80 }] } },
  "/PersistentVolumeClaim": { spec: { accessModes: ["ReadWriteOnce"], ...STORAGE } },
  "/PersistentVolume": {
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/data" } },
  },
  "/LimitRange": { spec: { limits: [] } },
  "/Binding": { target: { kind: "Node", name: "node" } },
  "apps/Deployment": { spec: WORKLOAD },
  "apps/ReplicaSet": { spec: WORKLOAD },
  "apps/DaemonSet": { spec: WORKLOAD },
  "apps/StatefulSet": { spec: { ...WORKLOAD, serviceName: "web" } },
  "apps/ControllerRevision": { revision: 1, data: {} },
  "batch/Job": { spec: JOB_TEMPLATE.spec },
  "batch/CronJob": { spec: { schedule: "0 * * * *", jobTemplate: JOB_TEMPLATE } },
  "autoscaling/HorizontalPodAutoscaler": { spec: { maxReplicas: 3, scaleTargetRef: TARGET } },
  "autoscaling/Scale": { spec: { replicas: 1 }, status: { replicas: 1 } },
  "policy/PodDisruptionBudget": { spec: { selector: { matchLabels: LABELS } } },
  "networking.k8s.io/Ingress": { spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } } },
  "networking.k8s.io/NetworkPolicy": { spec: { podSelector: {} } },
  "networking.k8s.io/IngressClass": { spec: { controller: "example.com/ingress" } },
  "rbac.authorization.k8s.io/RoleBinding": { roleRef: ROLE_REF },
  "rbac.authorization.k8s.io/ClusterRoleBinding": { roleRef: ROLE_REF },
  "storage.k8s.io/StorageClass": { provisioner: "example.com/disk" },
  "storage.k8s.io/CSIDriver": { spec: {} },
  "scheduling.k8s.io/PriorityClass": { value: 1 },
  "authentication.k8s.io/TokenRequest": { spec: { audiences: ["api"] } },
  "discovery.k8s.io/EndpointSlice": { addressType: "IPv4", endpoints: [] },
  "node.k8s.io/RuntimeClass": { handler: "runc" },
  "coordination.k8s.io/Lease": { spec: {} },
  "apiextensions.k8s.io/CustomResourceDefinition": {
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  },
};

/** Items of lists, by the name of the list; the number makes each of them distinct. */
const ITEMS: Readonly<Record<string, (index: number) => JsonValue | object>> = {
  containers: (index) => ({ ...CONTAINER, name: `c${index}` }),
  initContainers: (index) => ({ ...CONTAINER, name: `init${index}` }),
  ephemeralContainers: (index) => ({ ...CONTAINER, name: `debug${index}` }),
  volumes: (index) => ({ name: `v${index}`, emptyDir: {} }),
  volumeMounts: (index) => ({ name: "v0", mountPath: `/mnt/${index}` }),
  env: (index) => ({ name: `E${index}` }),
  imagePullSecrets: (index) => ({ name: `pull${index}` }),
  tolerations: () => ({ operator: "Exists" }),
  accessModes: () => "ReadWriteOnce",
  finalizers: (index) => `example.com/f${index}`,
  ownerReferences: (index) => ({ apiVersion: "v1", kind: "ConfigMap", name: `owner${index}`, uid: `u${index}` }),
  subjects: (index) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `user${index}` }),
  hostAliases: (index) => ({ ip: `10.0.0.${index + 1}` }),
  tls: () => ({}),
  externalIPs: (index) => `203.0.113.${index + 1}`,
  sysctls: (index) => ({ name: `kernel.shm_rmid_forced${index === 0 ? "" : index}`, value: "1" }),
  policyTypes: () => "Ingress",
  verbs: () => "get",
  apiGroups: () => "",
  resources: () => "pods",
};

export function skeletonOf(kind: GroupVersionKind): JsonObject {
  const body = BODIES[`${kind.group}/${kind.kind}`] ?? {};
  return plainObject({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: "example" }, ...body });
}

/** An item of a list that has no other; `place` is the path of the list. */
export function skeletonItem(list: string, index: number, place: string): JsonValue | undefined {
  if (list === "ports")
    return fromPlain(isOfContainer(place) ? { containerPort: 8080 + index } : { name: `p${index}`, port: 80 + index });
  if (list === "rules")
    return fromPlain(place.includes("spec") ? {} : { apiGroups: [""], resources: ["pods"], verbs: ["get"] });
  const make = ITEMS[list];
  return make === undefined ? undefined : fromPlain(make(index));
}

function isOfContainer(place: string): boolean {
  return /ontainers/.test(place);
}

function plainObject(plain: object): JsonObject {
  const copied = fromPlain(plain);
  return isObject(copied) ? copied : newObject();
}

/** The minimal object of each kind, with a name and with generateName: shows defaults and strategies. */
import { apis, cluster, core, meta } from "./mistakes.mjs";

const pod = { containers: [{ name: "a", image: "i" }] };
const template = { metadata: { labels: { app: "x" } }, spec: pod };
const selected = { selector: { matchLabels: { app: "x" } }, template };
const job = { template: { spec: { ...pod, restartPolicy: "Never" } } };

const LEAST = [
  [core("configmaps"), "v1", "ConfigMap", {}],
  [core("secrets"), "v1", "Secret", {}],
  [core("serviceaccounts"), "v1", "ServiceAccount", {}],
  [core("pods"), "v1", "Pod", { spec: pod }],
  [core("podtemplates"), "v1", "PodTemplate", { template }],
  [core("replicationcontrollers"), "v1", "ReplicationController", { spec: { template } }],
  [core("services"), "v1", "Service", { spec: { ports: [{ port: 80 }] } }],
  [core("endpoints"), "v1", "Endpoints", {}],
  [core("events"), "v1", "Event", { involvedObject: { namespace: "default" } }],
  ["/api/v1/namespaces/kube-public/limitranges", "v1", "LimitRange", {}],
  ["/api/v1/namespaces/kube-public/resourcequotas", "v1", "ResourceQuota", {}],
  [
    core("persistentvolumeclaims"),
    "v1",
    "PersistentVolumeClaim",
    { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } },
  ],
  [
    "/api/v1/persistentvolumes",
    "v1",
    "PersistentVolume",
    { spec: { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } },
  ],
  ["/api/v1/nodes", "v1", "Node", {}],
  ["/api/v1/namespaces", "v1", "Namespace", {}],
  [apis("apps/v1", "deployments"), "apps/v1", "Deployment", { spec: selected }],
  [apis("apps/v1", "replicasets"), "apps/v1", "ReplicaSet", { spec: selected }],
  [apis("apps/v1", "daemonsets"), "apps/v1", "DaemonSet", { spec: selected }],
  [apis("apps/v1", "statefulsets"), "apps/v1", "StatefulSet", { spec: selected }],
  [apis("apps/v1", "controllerrevisions"), "apps/v1", "ControllerRevision", { data: {} }],
  [apis("batch/v1", "jobs"), "batch/v1", "Job", { spec: job }],
  [apis("batch/v1", "cronjobs"), "batch/v1", "CronJob", { spec: { schedule: "@daily", jobTemplate: { spec: job } } }],
  [
    apis("autoscaling/v1", "horizontalpodautoscalers"),
    "autoscaling/v1",
    "HorizontalPodAutoscaler",
    { spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } } },
  ],
  [
    apis("autoscaling/v2", "horizontalpodautoscalers"),
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    { spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } } },
  ],
  [apis("coordination.k8s.io/v1", "leases"), "coordination.k8s.io/v1", "Lease", {}],
  [
    apis("discovery.k8s.io/v1", "endpointslices"),
    "discovery.k8s.io/v1",
    "EndpointSlice",
    { addressType: "IPv4", endpoints: [] },
  ],
  [
    apis("events.k8s.io/v1", "events"),
    "events.k8s.io/v1",
    "Event",
    {
      eventTime: "2020-01-01T00:00:00.000000Z",
      reportingController: "a.b/c",
      reportingInstance: "i",
      action: "a",
      reason: "r",
      type: "Normal",
      regarding: { namespace: "default" },
    },
  ],
  [
    apis("networking.k8s.io/v1", "ingresses"),
    "networking.k8s.io/v1",
    "Ingress",
    { spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } } },
  ],
  [apis("networking.k8s.io/v1", "networkpolicies"), "networking.k8s.io/v1", "NetworkPolicy", {}],
  [
    cluster("networking.k8s.io/v1", "ingressclasses"),
    "networking.k8s.io/v1",
    "IngressClass",
    { spec: { controller: "a.b/c" } },
  ],
  [apis("policy/v1", "poddisruptionbudgets"), "policy/v1", "PodDisruptionBudget", {}],
  [apis("rbac.authorization.k8s.io/v1", "roles"), "rbac.authorization.k8s.io/v1", "Role", {}],
  [
    apis("rbac.authorization.k8s.io/v1", "rolebindings"),
    "rbac.authorization.k8s.io/v1",
    "RoleBinding",
    { roleRef: { kind: "Role", name: "r" } },
  ],
  [cluster("rbac.authorization.k8s.io/v1", "clusterroles"), "rbac.authorization.k8s.io/v1", "ClusterRole", {}],
  [
    cluster("rbac.authorization.k8s.io/v1", "clusterrolebindings"),
    "rbac.authorization.k8s.io/v1",
    "ClusterRoleBinding",
    { roleRef: { kind: "ClusterRole", name: "r" } },
  ],
  [cluster("node.k8s.io/v1", "runtimeclasses"), "node.k8s.io/v1", "RuntimeClass", { handler: "h" }],
  [cluster("scheduling.k8s.io/v1", "priorityclasses"), "scheduling.k8s.io/v1", "PriorityClass", {}],
  [cluster("storage.k8s.io/v1", "storageclasses"), "storage.k8s.io/v1", "StorageClass", { provisioner: "a.b/c" }],
  [cluster("storage.k8s.io/v1", "csidrivers"), "storage.k8s.io/v1", "CSIDriver", {}],
  [cluster("storage.k8s.io/v1", "csinodes"), "storage.k8s.io/v1", "CSINode", {}],
  [
    cluster("storage.k8s.io/v1", "volumeattachments"),
    "storage.k8s.io/v1",
    "VolumeAttachment",
    { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "v" } } },
  ],
  [
    cluster("storage.k8s.io/v1", "volumeattributesclasses"),
    "storage.k8s.io/v1",
    "VolumeAttributesClass",
    { driverName: "a.b", parameters: { a: "b" } },
  ],
  [
    apis("storage.k8s.io/v1", "csistoragecapacities"),
    "storage.k8s.io/v1",
    "CSIStorageCapacity",
    { storageClassName: "c" },
  ],
  [
    cluster("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations"),
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    {},
  ],
  [
    cluster("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations"),
    "admissionregistration.k8s.io/v1",
    "MutatingWebhookConfiguration",
    {},
  ],
  [cluster("resource.k8s.io/v1", "deviceclasses"), "resource.k8s.io/v1", "DeviceClass", { spec: {} }],
  [
    apis("resource.k8s.io/v1", "resourceclaims"),
    "resource.k8s.io/v1",
    "ResourceClaim",
    { spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c" } }] } } },
  ],
  [
    apis("resource.k8s.io/v1", "resourceclaimtemplates"),
    "resource.k8s.io/v1",
    "ResourceClaimTemplate",
    { spec: { spec: {} } },
  ],
  [
    cluster("resource.k8s.io/v1", "resourceslices"),
    "resource.k8s.io/v1",
    "ResourceSlice",
    {
      spec: {
        driver: "a.b",
        nodeName: "n",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        devices: [{ name: "d" }],
      },
    },
  ],
];

export const leastProbes = LEAST.map(([path, apiVersion, kind, members]) => ({
  path,
  object: { apiVersion, kind, metadata: meta(), ...members },
  mistakes: { "metadata.uid": [undefined], status: [{ x: 1 }], "metadata.generation": [7] },
  changes: {
    "metadata.annotations": [{ a: "b" }],
    "metadata.resourceVersion": [undefined],
    "metadata.finalizers": [["noslash"]],
  },
}));

/** Cases that random changes of objects found. */
import { apis, cluster, core, meta, metaMistakes, nameMistakes } from "./mistakes.mjs";

const object = (apiVersion, kind, members) => ({ apiVersion, kind, metadata: meta(), ...members });
const container = { name: "a", image: "i" };
const regarding = { namespace: "default", kind: "Pod", name: "p" };

export const foundProbes = [
  {
    path: apis("events.k8s.io/v1", "events"),
    object: object("events.k8s.io/v1", "Event", {
      eventTime: "2020-01-01T00:00:00.000000Z",
      reportingController: "a.b/c",
      reportingInstance: "i",
      action: "a",
      reason: "r",
      type: "Normal",
      regarding,
    }),
    mistakes: {
      ...metaMistakes,
      ...nameMistakes,
      series: [{}, { count: 1, lastObservedTime: "2020-01-01T00:00:00.000000Z" }],
      deprecatedSource: [{ component: "c" }, { host: "h" }],
    },
    changes: {
      regarding: [{ ...regarding, name: "q" }],
      related: [regarding],
      reason: ["s", ""],
      note: ["n"],
      type: ["Warning"],
      action: ["b", undefined],
      reportingController: ["a.b/d"],
      reportingInstance: ["j", undefined],
      eventTime: ["2020-01-01T00:00:01.000000Z"],
      deprecatedCount: [1],
      deprecatedSource: [{ component: "c" }],
      deprecatedFirstTimestamp: ["2020-01-01T00:00:00Z"],
      series: [{ count: 2, lastObservedTime: "2020-01-01T00:00:00.000000Z" }, { count: 1 }],
    },
  },
  {
    path: core("events"),
    object: object("v1", "Event", { involvedObject: { namespace: "default" } }),
    mistakes: { ...metaMistakes, ...nameMistakes },
  },
  {
    path: apis("policy/v1", "poddisruptionbudgets"),
    object: object("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: 1 } }),
    mistakes: { ...metaMistakes, ...nameMistakes },
  },
  {
    path: apis("policy/v1", "poddisruptionbudgets"),
    object: object("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: -1 } }),
    mistakes: { ...metaMistakes },
  },
  {
    path: core("serviceaccounts"),
    object: object("v1", "ServiceAccount", {}),
    mistakes: { secrets: [[{ name: "s", namespace: "n", kind: "Secret" }, {}]] },
    changes: { secrets: [[{ name: "s", uid: "u" }]] },
  },
  {
    path: apis("coordination.k8s.io/v1", "leases"),
    object: object("coordination.k8s.io/v1", "Lease", { spec: {} }),
    changes: { "spec.preferredHolder": ["x"], "spec.strategy": ["OldestEmulationVersion"] },
  },
  {
    path: cluster("storage.k8s.io/v1", "storageclasses"),
    object: object("storage.k8s.io/v1", "StorageClass", { provisioner: "a.b/c" }),
    mistakes: { allowedTopologies: [[{}], [{}, {}]] },
  },
  {
    path: cluster("storage.k8s.io/v1", "volumeattributesclasses"),
    object: object("storage.k8s.io/v1", "VolumeAttributesClass", { driverName: "a.b", parameters: { a: "b" } }),
    changes: { driverName: ["", "a b"], parameters: [undefined, { "": "x" }] },
  },
  {
    path: cluster("storage.k8s.io/v1", "csidrivers"),
    object: object("storage.k8s.io/v1", "CSIDriver", {}),
    changes: { "spec.preventPodSchedulingIfMissing": [true] },
  },
  {
    path: apis("batch/v1", "jobs"),
    object: object("batch/v1", "Job", {
      spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } },
    }),
    mistakes: { spec: [{ completionMode: "Indexed", completions: -1, template: {} }] },
  },
  {
    path: core("persistentvolumeclaims"),
    object: object("v1", "PersistentVolumeClaim", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    changes: { "spec.resources": [{}] },
  },
  {
    path: cluster("v1", "nodes").replace("/apis", "/api"),
    object: object("v1", "Node", {}),
    mistakes: {
      "spec.podCIDRs": [
        ["x", "1.2.3.0/24"],
        ["1.2.3.0/24", "x"],
        ["1.2.3.0/24", "2001:db8::/64"],
      ],
    },
  },
  {
    path: core("services"),
    object: object("v1", "Service", { spec: { type: "NodePort", ports: [{ port: 80 }] } }),
    mistakes: {
      "spec.ports.0.nodePort": [1, 29999, 32768],
      "spec.clusterIPs": [["10.0.0.99"]],
      "spec.internalTrafficPolicy": [""],
      "spec.ipFamilyPolicy": [""],
      "spec.ipFamilies": [["IPv6", "IPv4"]],
    },
    changes: { "spec.ports.0.nodePort": [1], "spec.clusterIPs": [["10.0.0.98"]] },
  },
  {
    path: core("pods"),
    object: object("v1", "Pod", { spec: { containers: [container] } }),
    mistakes: {
      "spec.initContainers": [
        [{ ...container, name: "b", restartPolicy: "" }],
        [{ ...container, name: "b", restartPolicyRules: [{}] }],
      ],
      "spec.containers.0.restartPolicyRules": [[{}]],
      spec: [{ containers: [{ ...container, resources: { claims: [{ name: "x" }] } }], resourceClaims: [{}] }],
    },
  },
  {
    path: apis("apps/v1", "deployments"),
    object: object("apps/v1", "Deployment", {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
      },
    }),
    mistakes: { "spec.strategy": [{ type: "Foo", rollingUpdate: { maxSurge: 80 } }] },
  },
  {
    path: core("replicationcontrollers"),
    object: object("v1", "ReplicationController", {
      spec: {
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container], imagePullSecrets: [{}] } },
      },
    }),
    changes: { "spec.template.spec.imagePullSecrets": [[], [{}, {}]], "spec.replicas": [2] },
  },
  {
    path: apis("discovery.k8s.io/v1", "endpointslices"),
    object: object("discovery.k8s.io/v1", "EndpointSlice", { addressType: "IPv4", endpoints: [] }),
    mistakes: { ports: [[{ protocol: "" }]] },
  },
  {
    path: "/api/v1/nodes",
    object: object("v1", "Node", {}),
    mistakes: {
      "status.declaredFeatures": [["a.b/c"], ["B", "A"], ["A", "A"], ["A/b", "C"], [`A${"x".repeat(253)}`]],
      "status.nodeInfo.swap": [{ capacity: 0 }, { capacity: -1 }],
      "status.config": [{ active: { configMap: { name: "c", namespace: "n", kubeletConfigKey: "k" } } }],
    },
    statuses: {
      "status.declaredFeatures": [["*"], ["B", "A", "A"]],
      "status.config": [{ assigned: { configMap: { name: "c" } } }],
    },
  },
  {
    path: core("pods"),
    object: object("v1", "Pod", { spec: { restartPolicy: "Never", containers: [container] } }),
    statuses: {
      "status.resourceClaimStatuses": [[{ name: "x" }, { name: "x", resourceClaimName: "A b" }]],
      "status.extendedResourceClaimStatus": [
        {},
        { resourceClaimName: "a=b", requestMappings: [{ containerName: "z", resourceName: "r", requestName: "" }] },
        { resourceClaimName: "c", requestMappings: [{ containerName: "a", resourceName: "r", requestName: "q" }] },
      ],
      "status.nodeAllocatableResourceClaimStatuses": [[{ resourceClaimName: "x" }]],
      "status.containerStatuses": [
        [{ name: "a", user: { linux: { uid: -1, gid: 2147483648, supplementalGroups: [-5] } } }],
        [
          {
            name: "a",
            allocatedResourcesStatus: [{ name: "x", resources: [{ resourceID: "r" }, { resourceID: "r" }] }],
          },
        ],
        [{ name: "a", allocatedResourcesStatus: [{ name: "claim:c/r" }] }],
        [{ name: "b", allocatedResourcesStatus: [{ name: "x", resources: [{ resourceID: "r", health: "Healthy" }] }] }],
        [{ name: "a", volumeMounts: [{ name: "v", mountPath: "/v", volumeStatus: { image: { imageRef: "i" } } }] }],
      ],
      "status.ephemeralContainerStatuses": [[{ name: "e", allocatedResourcesStatus: [{ name: "x" }] }]],
    },
  },
  {
    path: core("persistentvolumeclaims"),
    object: object("v1", "PersistentVolumeClaim", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    statuses: {
      "status.allocatedResourceStatuses": [{ "Bad Key": "x" }, { "kubernetes.io/x": "NodeResizePending" }],
      "status.allocatedResources": [{ "a/b/c": "1" }, { cpu: "1" }],
    },
  },
  {
    path: cluster("certificates.k8s.io/v1", "certificatesigningrequests"),
    object: object("certificates.k8s.io/v1", "CertificateSigningRequest", {}),
    mistakes: { spec: [undefined, { request: "" }] },
  },
  {
    path: apis("apps/v1", "statefulsets"),
    object: object("apps/v1", "StatefulSet", {
      spec: {
        selector: { matchLabels: { a: "b" } },
        serviceName: "s",
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
        volumeClaimTemplates: [
          {
            metadata: { name: "v" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    }),
    mistakes: {
      "spec.volumeClaimTemplates.0.kind": ["X"],
      "spec.updateStrategy": ["10x", "10", "00%", "-5%"].map((maxUnavailable) => ({
        type: "RollingUpdate",
        rollingUpdate: { maxUnavailable },
      })),
    },
    changes: { "spec.volumeClaimTemplates.0.apiVersion": ["x"] },
  },
  {
    path: apis("apps/v1", "daemonsets"),
    object: object("apps/v1", "DaemonSet", {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
      },
    }),
    mistakes: {
      "spec.updateStrategy.rollingUpdate": [
        { maxUnavailable: "10", maxSurge: 1 },
        { maxUnavailable: "x", maxSurge: "0" },
        { maxUnavailable: "-5%", maxSurge: "5%" },
      ],
    },
  },
  {
    path: apis("batch/v1", "jobs"),
    object: object("batch/v1", "Job", {
      spec: {
        template: { metadata: { labels: { a: "b" } }, spec: { restartPolicy: "Never", containers: [container] } },
      },
    }),
    mistakes: { "metadata.labels": [undefined, { a: "b" }, {}, { c: "d" }] },
  },
  {
    path: cluster("node.k8s.io/v1", "runtimeclasses"),
    object: object("node.k8s.io/v1", "RuntimeClass", { handler: "h" }),
    mistakes: { overhead: [{ podFixed: { cpu: "1n", "example.com/x": "1n" } }, { podFixed: { memory: "0.5" } }] },
  },
];

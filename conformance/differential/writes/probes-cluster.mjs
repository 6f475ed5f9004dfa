/** Nodes, quotas, limits, classes and revisions with typical mistakes. */
import { apis, cluster, core, meta, nameMistakes, template } from "./mistakes.mjs";

/** Objects that limit others in their namespace are written to a namespace without others. */
const apart = (plural) => `/api/v1/namespaces/kube-public/${plural}`;
const claimRequest = { name: "r", exactly: { deviceClassName: "c.x" } };

export const clusterProbes = [
  {
    path: "/api/v1/nodes",
    object: { apiVersion: "v1", kind: "Node", metadata: meta(), spec: { podCIDR: "10.1.0.0/24", providerID: "p://1" } },
    mistakes: {
      ...nameMistakes,
      "spec.podCIDRs": [
        ["10.1.0.0/24", "10.2.0.0/24"],
        ["10.1.0.0/24", "fd00::/64"],
        ["10.01.0.0/24"],
        ["10.1.0.5/24"],
      ],
      "spec.taints": [[{ key: "a", value: "b d", effect: "NoSchedule" }], [{ key: "a" }]],
      "spec.unschedulable": [true],
      "spec.externalID": ["x"],
      "spec.configSource": [{}, { configMap: { name: "a", namespace: "b", kubeletConfigKey: "c" } }],
      status: [{ capacity: { cpu: "-1" } }, { capacity: { pods: "1.5" } }, { capacity: { cpu: "1", memory: "1Gi" } }],
    },
    changes: {
      "spec.providerID": ["p://2", undefined],
      "spec.podCIDR": [undefined],
      "spec.unschedulable": [true],
      "spec.taints": [[{ key: "a", effect: "Foo" }]],
      "metadata.labels": [{ "b d": "x" }],
    },
    statuses: {
      "status.capacity": [{ cpu: "-1" }, { "x.y/z": "1.5" }, { cpu: "4" }],
      "status.addresses": [
        [
          { type: "Hostname", address: "a" },
          { type: "Hostname", address: "a" },
        ],
      ],
      "spec.unschedulable": [true],
    },
  },
  {
    path: apart("resourcequotas"),
    object: {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: meta(),
      spec: { hard: { pods: "5", "requests.cpu": "1", "count/deployments.apps": "2" } },
    },
    mistakes: {
      ...nameMistakes,
      "spec.hard": [{ foo: "1" }, { "x.y/z": "1.5" }, { storage: "1" }, { "requests.x.y/z": "1" }, undefined],
      "spec.scopes": [["Terminating"], ["BestEffort"], ["PriorityClass"], ["Terminating", "NotTerminating"]],
      "spec.scopeSelector": [
        { matchExpressions: [{ scopeName: "Foo", operator: "Exists" }] },
        { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] },
        { matchExpressions: [{ scopeName: "PriorityClass", operator: "Exists", values: ["a"] }] },
        { matchExpressions: [{ scopeName: "PriorityClass", operator: "Foo" }] },
        { matchExpressions: [{ scopeName: "Terminating", operator: "In", values: ["a"] }] },
        {},
      ],
    },
    changes: { "spec.hard": [{ pods: "6" }, { pods: "-1" }] },
    statuses: {
      "status.hard": [{ pods: "-1" }, { foo: "1" }, { pods: "3" }],
      "status.used": [{ pods: "1.5" }],
    },
  },
  {
    path: apart("limitranges"),
    object: {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: meta(),
      spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { cpu: "1" } }] },
    },
    mistakes: {
      ...nameMistakes,
      spec: [undefined, { limits: [] }],
      "spec.limits.0.max": [{ foo: "1" }, { "Bad Name": "1" }, { cpu: "500m" }],
      "spec.limits.0.maxLimitRequestRatio": [{ cpu: "3" }, { cpu: "1" }],
      "spec.limits.0.default": [{ "hugepages-2Mi": "4Mi" }, { cpu: "500m" }],
      "spec.limits.0.defaultRequest": [{ cpu: "3" }],
      "spec.limits.1": [
        { type: "Container", max: { memory: "1" } },
        { type: "PersistentVolumeClaim", max: { storage: "1" } },
      ],
    },
    changes: { "spec.limits": [[{ type: "Foo" }], []] },
  },
  {
    path: cluster("scheduling.k8s.io/v1", "priorityclasses"),
    object: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: meta(), value: 5 },
    mistakes: {
      ...nameMistakes,
      value: [-2147483648, 3000000000],
      "metadata.name": ["system-node-critical"],
      preemptionPolicy: ["Never", ""],
      description: ["x"],
    },
    changes: { preemptionPolicy: ["Never"], description: ["x"], "metadata.labels": [{ "b d": "x" }] },
  },
  {
    path: cluster("node.k8s.io/v1", "runtimeclasses"),
    object: { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata: meta(), handler: "h" },
    mistakes: {
      ...nameMistakes,
      handler: ["", undefined, "Bad_", "a.b"],
      overhead: [{ podFixed: { cpu: "-1" } }, { podFixed: { foo: "1" } }, { podFixed: { cpu: "1" } }, {}],
      scheduling: [
        { nodeSelector: { "b d": "x" } },
        { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
        { tolerations: [{ key: "a", operator: "Foo" }] },
        { tolerations: [{ key: "a" }, { key: "a", tolerationSeconds: 1, effect: "NoExecute" }, { key: "a" }] },
      ],
    },
    changes: { handler: ["i", ""], overhead: [{ podFixed: { cpu: "1" } }] },
  },
  {
    path: apis("apps/v1", "controllerrevisions"),
    object: { apiVersion: "apps/v1", kind: "ControllerRevision", metadata: meta(), revision: 1, data: { a: 1 } },
    mistakes: { ...nameMistakes, data: [undefined, null, 5, "x", [1]], revision: [-1] },
    changes: { data: [{ a: 2 }], revision: [2, -1] },
  },
  {
    path: core("podtemplates"),
    object: { apiVersion: "v1", kind: "PodTemplate", metadata: meta(), template },
    mistakes: {
      "template.spec.nodeSelector": [{ "beta.kubernetes.io/arch": "x" }],
      "template.spec.containers.0.stopSignal": ["x"],
      "template.spec.containers.0.lifecycle": [{ stopSignal: "SIGTERM" }],
    },
    changes: {
      "template.spec.containers.0.image": ["", "j"],
      "template.spec.nodeSelector": [{ "beta.kubernetes.io/arch": "x" }],
    },
  },
  {
    path: cluster("resource.k8s.io/v1", "deviceclasses"),
    object: { apiVersion: "resource.k8s.io/v1", kind: "DeviceClass", metadata: meta(), spec: {} },
    mistakes: {
      ...nameMistakes,
      "spec.selectors": [
        [{}],
        [{ cel: { expression: "" } }],
        [{ cel: { expression: "1" } }],
        [{ cel: { expression: "device.driver ==" } }],
        [{ cel: { expression: 'device.driver == "a.b"' } }],
      ],
      "spec.config": [
        [{}],
        [{ opaque: { driver: "", parameters: {} } }],
        [{ opaque: { driver: "a.b", parameters: 5 } }],
      ],
      "spec.extendedResourceName": ["cpu", "a.b/c"],
    },
    changes: { "spec.selectors": [[{ cel: { expression: "1" } }]], "spec.extendedResourceName": ["a.b/c"] },
  },
  {
    path: apis("resource.k8s.io/v1", "resourceclaims"),
    object: {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaim",
      metadata: meta(),
      spec: { devices: { requests: [claimRequest] } },
    },
    mistakes: {
      ...nameMistakes,
      spec: [undefined, {}],
      "spec.devices.requests": [
        [{}],
        [{ name: "Bad_", exactly: { deviceClassName: "c" } }],
        [claimRequest, claimRequest],
        [{ name: "r", exactly: { deviceClassName: "" } }],
        [{ name: "r", exactly: { deviceClassName: "c", allocationMode: "Foo" } }],
        [{ name: "r", exactly: { deviceClassName: "c", allocationMode: "All", count: 2 } }],
        [{ name: "r", exactly: { deviceClassName: "c", count: -1 } }],
        [{ name: "r", exactly: { deviceClassName: "c", selectors: [{}] } }],
        [{ name: "r", exactly: { deviceClassName: "c", selectors: [{ cel: { expression: "1" } }] } }],
        [{ name: "r", firstAvailable: [] }],
        [{ name: "r", firstAvailable: [{ name: "s", deviceClassName: "c" }] }],
        [{ name: "r", exactly: { deviceClassName: "c" }, firstAvailable: [{ name: "s", deviceClassName: "c" }] }],
      ],
      "spec.devices.constraints": [[{}], [{ requests: ["x"], matchAttribute: "a.b/c" }], [{ matchAttribute: "a" }]],
      "spec.devices.config": [[{}], [{ requests: ["x"], opaque: { driver: "a.b", parameters: {} } }]],
    },
    changes: { "spec.devices.requests.0.name": ["s"] },
  },
  {
    path: apis("resource.k8s.io/v1", "resourceclaimtemplates"),
    object: {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaimTemplate",
      metadata: meta(),
      spec: { spec: { devices: { requests: [claimRequest] } } },
    },
    mistakes: { "spec.spec.devices.requests": [[{}]], "spec.metadata": [{ labels: { "b d": "x" } }] },
    changes: { "spec.spec.devices.requests.0.name": ["s"] },
  },
];

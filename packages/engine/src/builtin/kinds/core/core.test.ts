import { expect, test } from "vitest";
import { asVersion, type KubernetesVersion } from "../../../value/server-version.ts";
import { create, resourceOf, testKinds, update, updateStatus } from "../kind.testing.ts";
import { podSpec, podTemplate } from "../pod-template.testing.ts";

const volume = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };

testKinds({
  "v1/ConfigMap": {
    valid: { data: { a: "b" } },
    wrong: { data: { a: "b" }, binaryData: { a: "eA==" } },
    errors: ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  },
  "v1/Endpoints": {
    valid: { subsets: [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 80 }] }] },
    wrong: { subsets: [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ port: 80 }] }] },
    errors: [
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  },
  "v1/LimitRange": {
    valid: { spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } },
    wrong: { spec: { limits: [{ type: "Pod", default: { cpu: "1" } }] } },
    errors: ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
  },
  "v1/Namespace": {
    valid: {},
    wrong: { spec: { finalizers: ["x"] } },
    errors: [
      'spec.finalizers: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
  },
  "v1/Node": {
    valid: {},
    wrong: { spec: { taints: [{ key: "a", effect: "Never" }] } },
    errors: [
      'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  },
  "v1/PersistentVolume": {
    valid: { spec: { ...volume, hostPath: { path: "/a" } } },
    wrong: { spec: volume },
    errors: ["spec: Required value: must specify a volume type"],
  },
  "v1/PersistentVolumeClaim": {
    valid: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
    wrong: { spec: { accessModes: ["ReadWriteOnce"] } },
    errors: ["spec.resources[storage]: Required value"],
  },
  "v1/Pod": {
    valid: { spec: podSpec },
    wrong: { spec: { ...podSpec, restartPolicy: "Sometimes" } },
    errors: ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
  },
  "v1/PodTemplate": {
    valid: { template: podTemplate },
    wrong: { template: { spec: { containers: [] } } },
    errors: ["template.spec.containers: Required value"],
  },
  "v1/ReplicationController": {
    valid: { spec: { template: podTemplate } },
    wrong: { spec: { replicas: -1, template: podTemplate } },
    errors: ["spec.replicas: Invalid value: -1: must be greater than or equal to 0"],
  },
  "v1/ResourceQuota": {
    valid: { spec: { hard: { pods: "1" } } },
    wrong: { spec: { hard: { pods: "-1" } } },
    errors: ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
  },
  "v1/Secret": {
    valid: { stringData: { a: "b" } },
    wrong: { type: "kubernetes.io/basic-auth" },
    errors: ["data[username]: Required value", "data[password]: Required value"],
  },
});

test("the secrets of a service account keep only their names", () => {
  const { object } = create("v1/ServiceAccount", { secrets: [{ name: "s", namespace: "other" }] });
  expect(object["secrets"]).toEqual([{ name: "s" }]);
});

test("an annotation of a service account that is deprecated causes a warning when it is new", () => {
  const account = { metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } };
  expect(create("v1/ServiceAccount", account).warnings).toHaveLength(1);
  expect(update("v1/ServiceAccount", account, account).warnings).toEqual([]);
});

test("the strings of a secret are stored as bytes", () => {
  const { object } = create("v1/Secret", { stringData: { a: "b" } });
  expect(object).toMatchObject({ type: "Opaque", data: { a: "Yg==" } });
  expect(object).not.toHaveProperty("stringData");
});

test("an update of a volume reports an unqualified finalizer twice", () => {
  const spec = { ...volume, hostPath: { path: "/a" } };
  const { errors } = update("v1/PersistentVolume", { spec }, { metadata: { finalizers: ["x"] }, spec });
  expect(errors.map((error) => error.split(":")[0])).toEqual(["metadata.finalizers[0]", "metadata.finalizers[0]"]);
});

test("some kinds are stored under another name than their plural", () => {
  const prefixes = (["v1/Node", "v1/Service", "v1/Endpoints", "v1/ReplicationController", "v1/Pod"] as const).map(
    (key) => resourceOf(key).storagePrefix,
  );
  expect(prefixes).toEqual([
    "/registry/minions/",
    "/registry/services/specs/",
    "/registry/services/endpoints/",
    "/registry/controllers/",
    "/registry/pods/",
  ]);
});

test("features of a node are names in order", () => {
  const of = (declaredFeatures: readonly string[]) => create("v1/Node", { status: { declaredFeatures } }).errors;
  expect(of(["A/b", "B"])).toEqual([]);
  expect(of(["B", "A", "A"])).toEqual([
    'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
    'status.declaredFeatures[2]: Duplicate value: "A"',
  ]);
  expect(of(["a"])[0]).toMatch(
    /^status.declaredFeatures\[0\]: Invalid value: "a": invalid feature name "a": must start/,
  );
});

test("a claim as a whole excludes its parts, whichever comes first", () => {
  const claims = [
    { name: "a", request: "x" },
    { name: "a", request: "y" },
    { name: "a" },
    { name: "a" },
    { name: "b" },
  ];
  const resourceClaims = ["a", "c"].map((name) => ({ name, resourceClaimName: "r" }));
  const { errors } = create("v1/Pod", {
    spec: { containers: [{ name: "c", image: "i", resources: { claims } }], resourceClaims },
  });
  const at = (index: number): string => `spec.containers[0].resources.claims[${index}]`;
  expect(errors).toEqual([
    `${at(2)}: Duplicate value: "a"`,
    `${at(2)}: Duplicate value: "a"`,
    `${at(3)}: Duplicate value: "a"`,
    `${at(4)}: Not found: "b": must be one of the names in pod.spec.resourceClaims: a, c`,
  ]);
});

test("the status of a pod names claims, containers and resources that the pod has", () => {
  const pod = { spec: { containers: [{ name: "a", image: "i" }] } };
  const status = {
    resourceClaimStatuses: [{ name: "x" }],
    extendedResourceClaimStatus: {
      resourceClaimName: "c",
      requestMappings: [{ containerName: "a", resourceName: "r", requestName: "q" }],
    },
    containerStatuses: [
      {
        name: "a",
        user: { linux: { uid: -1, gid: 0 } },
        allocatedResourcesStatus: [{ name: "claim:c", resources: [] }],
      },
    ],
    ephemeralContainerStatuses: [{ name: "e", allocatedResourcesStatus: [{ name: "r" }] }],
  };
  expect(updateStatus("v1/Pod", pod, status).errors).toEqual([
    'status.resourceClaimStatuses[0].name: Invalid value: "x": must match the name of an entry in `spec.resourceClaims`',
    'status.extendedResourceClaimStatus.requestMappings[0].resourceName: Invalid value: "r": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
    "status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 4294967295, inclusive",
    "status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: \"claim:c\": must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty",
    "status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in container status",
  ]);
});

test.each<[KubernetesVersion, boolean]>([
  ["1.32", true],
  ["1.33", false],
])("in %s, fields of features that are off stay in the status of a pod: %s", (version, isKept) => {
  const pod = { spec: { containers: [{ name: "a", image: "i" }] } };
  const status = { containerStatuses: [{ name: "b", allocatedResourcesStatus: [{ name: "x" }] }] };
  const { object, errors } = asVersion(version, () => updateStatus("v1/Pod", pod, status));
  expect(errors).toEqual([]);
  expect(JSON.stringify(object).includes("allocatedResourcesStatus")).toBe(isKept);
});

/**
 * Attacks the premises of proofs about built-in kinds: objects that would break a premise do not reach admission
 * unchanged.
 */
import { KUBERNETES_VERSIONS } from "@portcullis/engine/internal/kubecel/versions";
import { scenariosOf } from "@portcullis/engine/internal/prove/sorts/kinds";
import { ALL_PREMISES } from "@portcullis/engine/internal/prove/sorts/premises";
import { skeletonOf } from "@portcullis/engine/internal/prove/sorts/skeletons";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { describe, expect, test } from "vitest";
import { kindCatalog } from "../policy/kinds.ts";
import { admitter } from "./proof-admit.ts";
import { proofKinds } from "./proof-kinds.ts";
import { PROOF_ENGINE } from "./proof-mutants.testing.ts";

/** Premises hold in every version. */
const CLUSTERS = KUBERNETES_VERSIONS.map((version) => {
  const catalog = kindCatalog([], { ...PROOF_ENGINE, version });
  return { version, kinds: proofKinds([], catalog), admit: admitter(catalog) };
});
type Cluster = (typeof CLUSTERS)[number];
const KINDS = CLUSTERS.flatMap(({ kinds }) => kinds);

type Value = readonly [group: string, kind: string, path: string, value: JsonValue];

/** The object as admission sees it; undefined if it is refused. */
function prepared({ kinds, admit }: Cluster, [group, kind, path, value]: Value): JsonObject | undefined {
  const served = kinds.find((each) => each.group === group && each.kind === kind);
  const scenario = served && scenariosOf(served).find(({ operation }) => operation === "CREATE");
  if (served === undefined || scenario === undefined) throw new Error(`no kind ${kind}`);
  const object = written(skeletonOf(served), path.split("."), value);
  const user = { name: "u", uid: "", groups: ["g"], extra: new Map() };
  const request = {
    scenario,
    name: "example",
    namespace: "default",
    object,
    oldObject: undefined,
    user,
    dryRun: false,
  };
  return admit({ ...request, namespaceObject: undefined, params: [], isExact: true })?.object;
}

/** An object as admission sees it when it replaces another one; undefined if it is refused. */
function updated(
  { kinds, admit }: Cluster,
  group: string,
  kind: string,
  oldObject: JsonObject,
  object: JsonObject,
): JsonObject | undefined {
  const served = kinds.find((each) => each.group === group && each.kind === kind);
  const scenario = served && scenariosOf(served).find((each) => each.operation === "UPDATE" && each.subresource === "");
  if (scenario === undefined) throw new Error(`no updates of ${kind}`);
  const user = { name: "u", uid: "", groups: ["g"], extra: new Map() };
  const request = { scenario, name: "example", namespace: "default", object, oldObject, user, dryRun: false };
  return admit({ ...request, namespaceObject: undefined, params: [], isExact: true })?.object;
}

/** Null removes a field. */
function written(object: JsonObject, [first = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  const before = object[first];
  const index = Number(rest[0]);
  if (rest.length === 0) return changed(object, first, value);
  if (Array.isArray(before) && Number.isInteger(index)) {
    const items = before.map((item, at) =>
      at === index && isObject(item) ? written(item, rest.slice(1), value) : item,
    );
    return changed(object, first, items);
  }
  return changed(object, first, written(isObject(before) ? before : {}, rest, value));
}

function changed(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const made = fromPlain({ ...object, [key]: value });
  if (!isObject(made)) throw new Error("an object stays one");
  if (value === null) delete made[key];
  return made;
}

function read(object: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split(".").reduce<JsonValue | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) ? value[key] : undefined;
  }, object);
}

// biome-ignore format: a table
const REFUSED: readonly Value[] = [
  ["", "Pod", "spec.containers", []],
  ["", "Pod", "spec.containers.0.name", ""],
  ["", "Pod", "spec.containers.0.name", "A_b"],
  ["", "Pod", "spec.containers.0.image", ""],
  ["", "Pod", "spec.containers.0.imagePullPolicy", "Sometimes"],
  ["", "Pod", "spec.containers.0.terminationMessagePolicy", "Other"],
  ["", "Pod", "spec.restartPolicy", "Maybe"],
  ["", "Pod", "spec.dnsPolicy", "Other"],
  ["", "Pod", "spec.containers.0.ports", [{ containerPort: 0 }]],
  ["", "Pod", "spec.containers.0.ports", [{ containerPort: 70000 }]],
  ["", "Pod", "spec.volumes", [{ name: "", emptyDir: {} }]],
  ["", "Pod", "spec.volumes", [{ name: "A_b", emptyDir: {} }]],
  ["", "Pod", "spec.volumes", [{ name: "v", hostPath: { path: "" } }]],
  ["", "PersistentVolume", "spec.hostPath.path", ""],
  ["apps", "Deployment", "spec.template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["apps", "ReplicaSet", "spec.template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["apps", "StatefulSet", "spec.template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["apps", "DaemonSet", "spec.template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["", "ReplicationController", "spec.template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["", "PodTemplate", "template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["batch", "Job", "spec.template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["batch", "CronJob", "spec.jobTemplate.spec.template.spec.ephemeralContainers", [{ name: "e", image: "i" }]],
  ["", "Pod", "metadata.labels", { a: "b c" }],
  ["", "Pod", "metadata.labels", { "a b": "c" }],
  ["", "Pod", "metadata.annotations", { "a b": "c" }],
  ["", "ConfigMap", "data", { "a/b": "c" }],
  ["", "Secret", "data", { "a/b": "YQ==" }],
  ["", "Service", "spec.type", "Other"],
  ["", "Service", "spec.sessionAffinity", "Other"],
  ["", "Service", "spec.ports.0.port", 0],
  ["", "PersistentVolumeClaim", "spec.accessModes", []],
  ["apps", "Deployment", "spec.replicas", -1],
  ["apps", "Deployment", "spec.revisionHistoryLimit", -1],
  ["apps", "Deployment", "spec.progressDeadlineSeconds", 0],
  ["apps", "Deployment", "spec.selector", null],
  ["apps", "Deployment", "spec.strategy", { type: "Other" }],
  ["apps", "Deployment", "spec.template.spec.containers", []],
  ["apps", "Deployment", "spec.template.spec.containers.0.image", ""],
  ["apps", "ReplicaSet", "spec.replicas", -1],
  ["apps", "StatefulSet", "spec.replicas", -1],
  ["apps", "StatefulSet", "spec.podManagementPolicy", "Other"],
  ["apps", "DaemonSet", "spec.revisionHistoryLimit", -1],
  ["", "ReplicationController", "spec.replicas", -1],
  ["batch", "Job", "spec.parallelism", -1],
  ["batch", "Job", "spec.backoffLimit", -1],
  ["batch", "Job", "spec.completionMode", "Other"],
  ["batch", "CronJob", "spec.schedule", ""],
  ["batch", "CronJob", "spec.concurrencyPolicy", "Other"],
  ["batch", "CronJob", "spec.successfulJobsHistoryLimit", -1],
  ["autoscaling", "HorizontalPodAutoscaler", "spec.minReplicas", 0],
  ["autoscaling", "HorizontalPodAutoscaler", "spec.maxReplicas", 0],
  ["storage.k8s.io", "StorageClass", "reclaimPolicy", "Recycle"],
  ["storage.k8s.io", "StorageClass", "volumeBindingMode", "Other"],
  ["scheduling.k8s.io", "PriorityClass", "preemptionPolicy", "Other"],
  ["rbac.authorization.k8s.io", "RoleBinding", "roleRef.apiGroup", "other"],
  ["rbac.authorization.k8s.io", "RoleBinding", "roleRef.kind", "Other"],
  ["rbac.authorization.k8s.io", "RoleBinding", "subjects", [{ kind: "Other", name: "a" }]],
  ["", "PersistentVolumeClaim", "spec.accessModes", ["Other"]],
];

test.each(REFUSED)("%s/%s with %s: %j is refused", (...value) => {
  for (const cluster of CLUSTERS) expect(prepared(cluster, value), cluster.version).toBeUndefined();
});

const container = (name: string, more: object = {}) => ({ name, image: "i", ...more });
const mounting = (...paths: readonly string[]) => ({
  containers: [container("c", { volumeMounts: paths.map((mountPath) => ({ name: "v", mountPath })) })],
  volumes: [{ name: "v", emptyDir: {} }],
});
const opening = (...names: readonly string[]) => ({
  containers: [container("c", { ports: names.map((name, at) => ({ name, containerPort: at + 1 })) })],
});

// biome-ignore format: a table
const UNIQUE: readonly (readonly [path: string, group: string, kind: string, equal: object, different: object])[] = [
  ["spec", "", "Pod", { containers: [container("a"), container("a")] }, { containers: [container("a"), container("b")] }],
  ["spec", "", "Pod", { containers: [container("c")], initContainers: [container("a"), container("a")] }, { containers: [container("c")], initContainers: [container("a"), container("b")] }],
  ["spec", "", "Pod", { containers: [container("c")], volumes: [{ name: "a", emptyDir: {} }, { name: "a", emptyDir: {} }] }, { containers: [container("c")], volumes: [{ name: "a", emptyDir: {} }, { name: "b", emptyDir: {} }] }],
  ["spec", "", "Pod", mounting("/a", "/a"), mounting("/a", "/b")],
  ["spec", "", "Pod", opening("a", "a"), opening("a", "b")],
  ["spec.template.spec.containers", "apps", "Deployment", [container("a"), container("a")], [container("a"), container("b")]],
  ["spec.ports", "", "Service", [{ name: "a", port: 1 }, { name: "a", port: 2 }], [{ name: "a", port: 1 }, { name: "b", port: 2 }]],
];

test.each(UNIQUE)("elements of %s of %s/%s differ in their keys", (path, group, kind, equal, different) => {
  for (const cluster of CLUSTERS) {
    expect(prepared(cluster, [group, kind, path, fromPlain(equal)]), cluster.version).toBeUndefined();
    expect(prepared(cluster, [group, kind, path, fromPlain(different)]), cluster.version).toBeDefined();
  }
});

// biome-ignore format: a table
const CONSTANT: readonly (readonly [path: string, group: string, kind: string, before: unknown, after: unknown])[] = [
  ["spec.nodeName", "", "Pod", "a", "b"], ["spec.hostNetwork", "", "Pod", null, true], ["spec.hostPID", "", "Pod", null, true],
  ["spec.hostIPC", "", "Pod", null, true], ["spec.hostname", "", "Pod", "a", "b"],
  ["spec.serviceAccountName", "", "Pod", "a", "b"], ["spec.automountServiceAccountToken", "", "Pod", true, false],
  ["spec.restartPolicy", "", "Pod", "Always", "Never"], ["spec.dnsPolicy", "", "Pod", "Default", "ClusterFirst"],
  ["spec.securityContext", "", "Pod", {}, { runAsUser: 1 }], ["spec.shareProcessNamespace", "", "Pod", null, true],
  ["spec.volumes", "", "Pod", null, [{ name: "a", emptyDir: {} }]], ["spec.imagePullSecrets", "", "Pod", null, [{ name: "a" }]],
  ["spec.runtimeClassName", "", "Pod", "a", "b"], ["spec.priorityClassName", "", "Pod", "a", "b"],
  ["spec.schedulerName", "", "Pod", "a", "b"],
  ["spec.accessModes", "", "PersistentVolumeClaim", ["ReadWriteOnce"], ["ReadOnlyMany"]],
  ["spec.volumeMode", "", "PersistentVolumeClaim", "Block", "Filesystem"],
  ["spec.selector", "", "PersistentVolumeClaim", null, { matchLabels: { a: "b" } }],
];

test.each(CONSTANT)("no update changes %s of %s/%s", (path, group, kind, before, after) => {
  for (const cluster of CLUSTERS) {
    const [old, next] = [before, after].map((value) => prepared(cluster, [group, kind, path, fromPlain(value)]));
    if (old === undefined || next === undefined) throw new Error("both objects are valid");
    expect(updated(cluster, group, kind, old, next), cluster.version).toBeUndefined();
    expect(updated(cluster, group, kind, old, old), cluster.version).toBeDefined();
  }
});

// biome-ignore format: a table
const FILLED: readonly (readonly [group: string, kind: string, path: string])[] = [
  ["", "Pod", "spec.restartPolicy"], ["", "Pod", "spec.dnsPolicy"], ["", "Pod", "spec.securityContext"],
  ["", "Pod", "spec.terminationGracePeriodSeconds"], ["", "Pod", "spec.schedulerName"],
  ["", "Pod", "spec.containers.0.imagePullPolicy"], ["", "Pod", "spec.containers.0.terminationMessagePath"],
  ["", "Pod", "spec.containers.0.terminationMessagePolicy"], ["", "Pod", "spec.containers.0.resources"],
  ["", "Service", "spec.type"], ["", "Service", "spec.sessionAffinity"], ["", "Service", "spec.ports.0.protocol"],
  ["", "Service", "spec.ports.0.targetPort"],
  ["", "Secret", "type"], ["", "PersistentVolumeClaim", "spec.volumeMode"],
  ["apps", "Deployment", "spec.replicas"], ["apps", "Deployment", "spec.strategy.type"],
  ["apps", "Deployment", "spec.revisionHistoryLimit"], ["apps", "Deployment", "spec.progressDeadlineSeconds"],
  ["apps", "ReplicaSet", "spec.replicas"], ["apps", "StatefulSet", "spec.replicas"],
  ["apps", "StatefulSet", "spec.podManagementPolicy"], ["apps", "DaemonSet", "spec.revisionHistoryLimit"],
  ["batch", "Job", "spec.parallelism"], ["batch", "Job", "spec.backoffLimit"], ["batch", "Job", "spec.suspend"],
  ["batch", "CronJob", "spec.concurrencyPolicy"], ["batch", "CronJob", "spec.suspend"],
  ["batch", "CronJob", "spec.successfulJobsHistoryLimit"], ["batch", "CronJob", "spec.failedJobsHistoryLimit"],
  ["autoscaling", "HorizontalPodAutoscaler", "spec.minReplicas"],
  ["networking.k8s.io", "NetworkPolicy", "spec.policyTypes"], ["storage.k8s.io", "StorageClass", "reclaimPolicy"],
  ["storage.k8s.io", "StorageClass", "volumeBindingMode"], ["scheduling.k8s.io", "PriorityClass", "preemptionPolicy"],
  ["rbac.authorization.k8s.io", "RoleBinding", "roleRef.apiGroup"],
];

test.each(FILLED)("%s/%s always has %s", (group, kind, path) => {
  for (const cluster of CLUSTERS) {
    for (const value of [null, ""]) {
      const object = prepared(cluster, [group, kind, path, value]);
      if (object !== undefined) expect(read(object, path), cluster.version).toBeDefined();
    }
    expect(prepared(cluster, [group, kind, path, null]), cluster.version).toBeDefined();
  }
});

describe("fields that are omitted when they are zero never reach admission as zero", () => {
  test.each([
    ["", "Pod", "spec.hostNetwork", false],
    ["", "Pod", "spec.hostPID", false],
    ["", "Pod", "metadata.labels", {}],
    ["", "Pod", "metadata.annotations", {}],
    ["", "Pod", "spec.initContainers", []],
    ["", "ConfigMap", "data", {}],
    ["apps", "Deployment", "spec.paused", false],
    ["apps", "Deployment", "spec.minReadySeconds", 0],
  ] as const)("%s/%s with %s: %j", (group, kind, path, value) => {
    for (const cluster of CLUSTERS) {
      const object = prepared(cluster, [group, kind, path, fromPlain(value)]);
      expect(object, cluster.version).toBeDefined();
      expect(read(object, path), cluster.version).toBeUndefined();
    }
  });
});

test("each premise about a field names a field that exists", () => {
  const names = new Set<string>();
  const visit = (shape: { kind: string }, seen: Set<unknown>): void => {
    if (!("fields" in shape) || typeof shape.fields !== "function" || seen.has(shape)) {
      if ("of" in shape && isShape(shape.of)) visit(shape.of, seen);
      return;
    }
    seen.add(shape);
    for (const [field, { shape: inner }] of shape.fields()) {
      if ("go" in shape) names.add(`${String(shape.go)}.${field}`);
      visit(inner, seen);
    }
  };
  const seen = new Set<unknown>();
  for (const { shape, subresources } of KINDS) {
    if (shape !== undefined) visit(shape(), seen);
    for (const { shape: inner } of subresources.values()) {
      const found = inner?.();
      if (found !== undefined) visit(found, seen);
    }
  }
  const unknown = Object.entries(ALL_PREMISES).flatMap(([struct, fields]) =>
    Object.keys(fields)
      .filter((field) => !names.has(`${struct}.${field}`))
      .map((field) => `${struct}.${field}`),
  );
  expect(unknown.filter((name) => !name.startsWith("v1.EphemeralContainerCommon"))).toEqual([]);
});

function isShape(value: unknown): value is { kind: string } {
  return typeof value === "object" && value !== null && "kind" in value;
}

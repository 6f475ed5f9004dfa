import { expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import type { AppOptions } from "../app/options.ts";

const PODS = "/api/v1/namespaces/default/pods";

const pod = (spec: object = {}, name = "p"): object => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});

function open(plugin: string, options: Partial<AppOptions> = {}): Promise<Client> {
  return openClient({ admissionPlugins: { enable: [plugin], disable: ["ServiceAccount"] }, ...options });
}

test("NamespaceAutoProvision creates a missing namespace, but not for a dry run", async () => {
  const api = await open("NamespaceAutoProvision");
  const maps = "/api/v1/namespaces/fresh/configmaps";
  expect((await api.post(`${maps}?dryRun=All`, { metadata: { name: "a" } })).code).toBe(404);
  expect((await api.post(maps, { metadata: { name: "a" } })).code).toBe(201);
  expect((await api.get("/api/v1/namespaces/fresh")).json.status).toEqual({ phase: "Active" });
});

test("NamespaceExists refuses requests in a namespace that is missing", async () => {
  const api = await openClient({ admissionPlugins: { enable: ["NamespaceExists"], disable: ["NamespaceLifecycle"] } });
  const { code, json } = await api.post("/api/v1/namespaces/none/configmaps", { metadata: { name: "a" } });
  expect([code, json.message]).toEqual([404, 'namespaces "none" not found']);
});

test("ExtendedResourceToleration tolerates the taints of requested resources", async () => {
  const api = await open("ExtendedResourceToleration");
  const resources = { limits: { "example.com/gpu": "1", "example.com/a": "1" } };
  const { json } = await api.post(PODS, pod({ containers: [{ name: "c", image: "i", resources }] }));
  expect(json.spec.tolerations.slice(-2)).toEqual(
    ["example.com/a", "example.com/gpu"].map((key) => ({ key, operator: "Exists", effect: "NoSchedule" })),
  );
});

test("LimitPodHardAntiAffinityTopology allows host names only", async () => {
  const api = await open("LimitPodHardAntiAffinityTopology");
  const affinity = (topologyKey: string) => ({
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }] },
  });
  expect((await api.post(PODS, pod({ affinity: affinity("kubernetes.io/hostname") }))).code).toBe(201);
  const { code, json } = await api.post(PODS, pod({ affinity: affinity("zone") }, "q"));
  expect([code, json.message]).toEqual([
    403,
    'pods "q" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  ]);
});

test("PodNodeSelector merges the selector of the namespace, and refuses conflicts", async () => {
  const api = await open("PodNodeSelector", {
    nodeSelectors: { clusterDefaultNodeSelector: "env=test", strict: "env=test" },
  });
  expect((await api.post(PODS, pod())).json.spec.nodeSelector).toEqual({ env: "test" });
  const conflict = await api.post(PODS, pod({ nodeSelector: { env: "prod" } }, "q"));
  expect(conflict.json.message).toBe(
    'pods "q" is forbidden: pod node label selector conflicts with its namespace node label selector',
  );
  await api.post("/api/v1/namespaces", { metadata: { name: "strict" } });
  const other = await api.post("/api/v1/namespaces/strict/pods", pod({ nodeSelector: { disk: "ssd" } }));
  expect(other.json.message).toBe(
    'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist',
  );
});

test("EventRateLimit refuses events beyond the burst until time has passed", async () => {
  let now = Date.now();
  const eventLimits = [{ type: "Namespace", qps: 1, burst: 2, cacheSize: 0 }] as const;
  const api = await open("EventRateLimit", { eventLimits, now: () => now });
  const post = (name: string) =>
    api.post("/api/v1/namespaces/default/events", { metadata: { name }, involvedObject: { namespace: "default" } });
  expect([(await post("a")).code, (await post("b")).code]).toEqual([201, 201]);
  const { code, json } = await post("c");
  expect([code, json.message]).toEqual([429, "Too many requests: limit reached on type Namespace for key default"]);
  now += 1000;
  expect((await post("c")).code).toBe(201);
});

test("OwnerReferencesPermissionEnforcement checks the rights to delete and to block", async () => {
  const api = await open("OwnerReferencesPermissionEnforcement");
  await api.post("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
    metadata: { name: "writer" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "update"] }],
  });
  await api.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "writer" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "writer" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "joe" }],
  });
  const headers = { "impersonate-user": "joe" };
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "1" };
  const map = (name: string, options: object): object => ({
    metadata: { name, ownerReferences: [{ ...owner, ...options }] },
  });
  const maps = "/api/v1/namespaces/default/configmaps";
  expect((await api.post(maps, map("a", {}), { headers })).code).toBe(201);
  const blocking = await api.post(maps, map("b", { blockOwnerDeletion: true }), { headers });
  expect([blocking.code, blocking.json.message]).toEqual([
    403,
    `configmaps "b" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>`,
  ]);
  const changed = await api.put(`${maps}/a`, map("a", { uid: "2" }), { headers });
  expect(changed.json.message).toBe(
    `configmaps "a" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>`,
  );
});

test("PodTolerationRestriction adds the tolerations of the namespace and limits all others", async () => {
  const api = await open("PodTolerationRestriction", {
    podTolerations: { default: [{ key: "cluster", operator: "Exists" }], whitelist: [] },
  });
  const keys = (spec: { tolerations: { key: string }[] }) => spec.tolerations.map(({ key }) => key);
  expect(keys((await api.post(PODS, pod())).json.spec)).toContain("cluster");
  const annotations = {
    "scheduler.alpha.kubernetes.io/defaultTolerations": '[{"key":"own","operator":"Exists"}]',
    "scheduler.alpha.kubernetes.io/tolerationsWhitelist":
      '[{"key":"own","operator":"Exists"},{"effect":"NoExecute","operator":"Exists"}]',
  };
  await api.post("/api/v1/namespaces", { metadata: { name: "strict", annotations } });
  const pods = "/api/v1/namespaces/strict/pods";
  const { json } = await api.post(pods, pod());
  expect(keys(json.spec)).toEqual(["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "own"]);
  const refused = await api.post(pods, pod({ tolerations: [{ key: "other", operator: "Exists" }] }, "q"));
  expect([refused.code, refused.json.message]).toEqual([
    500,
    "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist",
  ]);
});

import { expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import { openTokenKey } from "../auth/token-key.ts";
import { MemoryStore } from "../storage/memory.ts";

const PODS = "/api/v1/namespaces/default/pods";
const headers = { "impersonate-user": "system:node:n", "impersonate-group": "system:nodes" };

/** Nodes may do everything here but what the plugin refuses. */
async function open(): Promise<Client> {
  const tokenKey = await openTokenKey(new MemoryStore());
  const api = await openClient({ admissionPlugins: { enable: ["NodeRestriction"] }, tokenKey });
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" }];
  await api.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "nodes" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects,
  });
  for (const name of ["n", "other"]) await api.post("/api/v1/nodes", { metadata: { name } });
  return api;
}

const pod = (spec: object, metadata: object = {}): object => ({
  metadata: { name: "p", ...metadata },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});

async function refusal(answer: ReturnType<Client["post"]>): Promise<string> {
  const { code, json } = await answer;
  expect(code).toBe(403);
  return json.message;
}

test("a node creates only mirror pods that are bound to itself", async () => {
  const api = await open();
  const create = (spec: object, metadata: object) => api.post(PODS, pod(spec, metadata), { headers });
  expect(await refusal(create({ nodeName: "n" }, {}))).toBe(
    'pods "p" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "n" can only create mirror pods',
  );
  const annotations = { "kubernetes.io/config.mirror": "x" };
  expect(await refusal(create({ nodeName: "other" }, { annotations }))).toBe(
    'pods "p" is forbidden: node "n" can only create pods with spec.nodeName set to itself',
  );
  const { uid } = (await api.get("/api/v1/nodes/n")).json.metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "Node", name: "n", uid, controller: true }];
  const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "c" } }];
  expect(await refusal(create({ nodeName: "n", volumes }, { annotations, ownerReferences }))).toBe(
    'pods "p" is forbidden: node "n" can not create pods that reference persistentvolumeclaims',
  );
  expect((await create({ nodeName: "n" }, { annotations, ownerReferences })).code).toBe(201);
});

test("a node changes only the status of its own pods", async () => {
  const api = await open();
  await api.post(PODS, pod({ nodeName: "other" }));
  const status = { status: { phase: "Running" } };
  expect(await refusal(api.patch(`${PODS}/p/status`, status, { headers }))).toBe(
    'pods "p" is forbidden: node "n" can only update pod status for pods with spec.nodeName set to itself',
  );
  expect(await refusal(api.delete(`${PODS}/p`, { headers }))).toBe(
    'pods "p" is forbidden: node "n" can only delete pods with spec.nodeName set to itself',
  );
});

test("a node changes itself, but neither its taints nor labels that attract pods", async () => {
  const api = await open();
  const patch = (name: string, body: object) => api.patch(`/api/v1/nodes/${name}`, body, { headers });
  expect(await refusal(patch("other", {}))).toBe(
    'nodes "other" is forbidden: node "n" is not allowed to modify node "other"',
  );
  expect(await refusal(patch("n", { spec: { taints: [] } }))).toBe(
    'nodes "n" is forbidden: node "n" is not allowed to modify taints',
  );
  const labels = { "node-restriction.kubernetes.io/x": "1", "node-role.kubernetes.io/x": "" };
  expect(await refusal(patch("n", { metadata: { labels } }))).toBe(
    'nodes "n" is forbidden: is not allowed to modify labels: node-restriction.kubernetes.io/x, node-role.kubernetes.io/x',
  );
  const own = { "kubernetes.io/os": "linux", "example.com/x": "1", "node.kubernetes.io/y": "2" };
  expect((await patch("n", { metadata: { labels: own } })).code).toBe(200);
});

test("a node gets tokens only for pods that run on it, and for audiences that they use", async () => {
  const api = await open();
  await api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "a" } });
  const sources = [{ serviceAccountToken: { path: "t", audience: "vault" } }];
  const volumes = [{ name: "v", projected: { sources } }];
  const { uid } = (await api.post(PODS, pod({ nodeName: "n", serviceAccountName: "a", volumes }))).json.metadata;
  const ask = (spec: object) => api.post("/api/v1/namespaces/default/serviceaccounts/a/token", { spec }, { headers });
  expect(await refusal(ask({ audiences: ["vault"] }))).toBe(
    'serviceaccounts "a" is forbidden: node requested token not bound to a pod',
  );
  const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "p", uid };
  expect(await refusal(ask({ audiences: ["a", "b"], boundObjectRef }))).toBe(
    'serviceaccounts "a" is forbidden: node may only request 0 or 1 audiences',
  );
  expect((await ask({ audiences: ["vault"], boundObjectRef })).code).toBe(201);
});

test("leases, CSI nodes and slices have to be the node's own", async () => {
  const api = await open();
  const lease = { metadata: { name: "n" }, spec: {} };
  const leases = (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  expect(await refusal(api.post(leases("default"), lease, { headers }))).toBe(
    'leases.coordination.k8s.io "n" is forbidden: can only access leases in the "kube-node-lease" system namespace',
  );
  const csi = { metadata: { name: "x" }, spec: { drivers: [] } };
  expect(await refusal(api.post("/apis/storage.k8s.io/v1/csinodes", csi, { headers }))).toBe(
    'csinodes.storage.k8s.io "x" is forbidden: can only access CSINode with the same name as the requesting node',
  );
});

test("others are not restricted", async () => {
  const api = await open();
  expect((await api.patch("/api/v1/nodes/n", { spec: { taints: [] } })).code).toBe(200);
});

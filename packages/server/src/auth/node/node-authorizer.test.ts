import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../node/start.ts";

let api: RunningServer;

beforeAll(async () => {
  api = await startServer({
    tls: "none",
    tokenFile:
      'n1,system:node:n1,1,"system:nodes"\nn2,system:node:n2,2,"system:nodes"\nnone,system:node:,3,"system:nodes"',
    authorizationModes: ["Node", "RBAC"],
  });
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default" },
    spec: {
      nodeName: "n1",
      serviceAccountName: "sa",
      containers: [{ name: "a", image: "i", envFrom: [{ configMapRef: { name: "env" } }] }],
      volumes: [
        { name: "s", secret: { secretName: "s" } },
        { name: "c", persistentVolumeClaim: { claimName: "claim" } },
        { name: "e", ephemeral: { volumeClaimTemplate: { spec: claimSpec } } },
      ],
    },
  };
  const volume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "v" },
    spec: {
      capacity: { storage: "1" },
      accessModes: ["ReadWriteOnce"],
      claimRef: { namespace: "default", name: "claim" },
      csi: { driver: "d", volumeHandle: "h", nodeStageSecretRef: { namespace: "default", name: "stage" } },
    },
  };
  for (const object of [pod, volume]) expect((await api.create(object)).code).toBe(201);
  await api.app.settled();
});

afterAll(() => api.stop());

const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } };

/** "allowed", or the reason of the refusal. */
async function ask(token: string, method: string, path: string): Promise<string> {
  const response = await fetch(`${api.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  const { message = "" } = (await response.json()) as { message?: string };
  return response.status === 403 ? message.slice(message.lastIndexOf(": ") + 2) : "allowed";
}

const within = "/api/v1/namespaces/default";
const unrelated = (node: string) => `no relationship found between node '${node}' and this object`;

test.each([
  ["a secret of a volume", `${within}/secrets/s`],
  ["a config map of the environment", `${within}/configmaps/env`],
  ["a claim", `${within}/persistentvolumeclaims/claim`],
  ["an ephemeral claim", `${within}/persistentvolumeclaims/p-e`],
  ["a bound volume", "/api/v1/persistentvolumes/v"],
  ["a secret of a bound volume", `${within}/secrets/stage`],
  ["the pod", `${within}/pods/p`],
  ["the service account", `${within}/serviceaccounts/sa`],
])("only the node of the pod reads %s", async (_, path) => {
  expect([await ask("n1", "GET", path), await ask("n2", "GET", path)]).toEqual(["allowed", unrelated("n2")]);
});

test.each([
  ["GET", `${within}/secrets`, "No Object name found"],
  ["GET", `${within}/secrets?fieldSelector=metadata.name=s`, "allowed"],
  ["DELETE", `${within}/secrets/s`, "can only read resources of this type"],
  ["GET", "/api/v1/persistentvolumes", "can only get individual resources of this type"],
  ["GET", "/api/v1/nodes", "node 'n1' cannot read all nodes, only its own Node object"],
  ["GET", "/api/v1/nodes/n2", "node 'n1' cannot read 'n2', only its own Node object"],
  ["GET", "/api/v1/nodes/n1", "allowed"],
  ["GET", "/api/v1/pods", "can only list/watch pods with spec.nodeName field selector"],
  ["GET", "/api/v1/pods?fieldSelector=spec.nodeName=n1", "allowed"],
  ["GET", "/api/v1/services", "allowed"],
  [
    "GET",
    "/apis/coordination.k8s.io/v1/namespaces/default/leases/n1",
    'can only access leases in the "kube-node-lease" system namespace',
  ],
  [
    "GET",
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2",
    "can only access node lease with the same name as the requesting node",
  ],
  ["GET", "/apis/storage.k8s.io/v1/csinodes/n1", "allowed"],
  [
    "GET",
    "/apis/resource.k8s.io/v1/resourceslices",
    "can only list/watch/deletecollection resourceslices with nodeName field selector",
  ],
])("%s %s", async (method, path, expected) => {
  expect(await ask("n1", method, path)).toBe(expected);
});

test("a node without a name is refused with that reason", async () => {
  expect(await ask("none", "GET", "/api/v1/services")).toBe('unknown node for user "system:node:"');
});

test("what a deleted pod needed is no longer readable", async () => {
  const token = { authorization: `Bearer ${api.token}` };
  await fetch(`${api.url}${within}/pods/p?gracePeriodSeconds=0`, { method: "DELETE", headers: token });
  await api.app.settled();
  expect(await ask("n1", "GET", `${within}/secrets/s`)).toBe(unrelated("n1"));
  expect(await ask("n1", "GET", "/api/v1/persistentvolumes/v")).toBe(unrelated("n1"));
});

test("the rules of a node cannot be listed", async () => {
  const response = await fetch(`${api.url}/apis/authorization.k8s.io/v1/selfsubjectrulesreviews`, {
    method: "POST",
    headers: { authorization: "Bearer n1", "content-type": "application/json" },
    body: JSON.stringify({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectRulesReview",
      spec: { namespace: "default" },
    }),
  });
  expect(await response.json()).toMatchObject({
    status: { incomplete: true, evaluationError: "node authorizer does not support user rule resolution" },
  });
});

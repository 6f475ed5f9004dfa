/** Whatever happens between the server and etcd, nothing is decided by roles, policies or CRDs that are out of date. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, openClient } from "../../app/app.testing.ts";
import { closing, scratchFolder, sleep } from "../scratch.testing.ts";
import { type EtcdProcess, hasEtcd, startEtcd, waitReady } from "./etcd.testing.ts";
import { openEtcdStore } from "./open.ts";
import { CuttableLine } from "./proxy.testing.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const MAPS = "/api/v1/namespaces/default/configmaps";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const POLICIES = "/apis/admissionregistration.k8s.io/v1";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

/** Snapshots are restored by etcd's own tool, which is a package of its own. */
const hasEtcdctl = spawnSync("etcdctl", ["version"]).status === 0;

describe.skipIf(!hasEtcd)("with a real etcd", () => {
  test("a server that was cut off until etcd compacted what it missed decides by the present state", async () => {
    const etcd = await startOne();
    const line = closing(await CuttableLine.open(etcd.endpoint));
    const [cutOff, other] = [await openServer(line.endpoint), await openServer(etcd.endpoint)];
    await allowAlice(other);
    await untilCode(cutOff, SECRETS, 200, "alice");
    line.cut(true);
    expect((await cutOff.get("/readyz")).code).toBe(500);
    await change(other);
    const { store } = other.app.context;
    await store.compact(await store.revision());
    line.cut(false);
    await checkChanged(cutOff);
  });

  test.skipIf(!hasEtcdctl)(
    "a server whose etcd was restored from a snapshot decides by what the snapshot has",
    async () => {
      const etcd = await startOne();
      const folder = scratchFolder();
      const snapshot = path.join(folder, "snapshot.db");
      const changing = await openServer(etcd.endpoint);
      await allowAlice(changing);
      await change(changing);
      run("etcdctl", ["--endpoints", etcd.endpoint, "snapshot", "save", snapshot]);
      // What came after the snapshot gives back what the snapshot takes away.
      await allowAlice(changing);
      await changing.delete(`${POLICIES}/validatingadmissionpolicybindings/closed`);
      await changing.delete(`${DEFINITIONS}/widgets.example.com`);
      await untilCode(changing, WIDGETS, 404);
      await untilCode(changing, SECRETS, 200, "alice");
      const restored = path.join(folder, "restored");
      await etcd.kill();
      run("etcdctl", ["snapshot", "restore", snapshot, "--data-dir", restored, ...etcd.identity]);
      const replaced = etcd.replaceData(restored);
      expect((await changing.get("/readyz")).code).toBe(500);
      await replaced;
      await waitReady(etcd.endpoint);
      await checkChanged(changing);
    },
  );
});

async function startOne(): Promise<EtcdProcess> {
  const [etcd] = await startEtcd({ folder: scratchFolder() });
  if (etcd === undefined) throw new Error("no member");
  onTestFinished(() => etcd.kill());
  return etcd;
}

async function openServer(endpoint: string): Promise<Client> {
  const store = await openEtcdStore({ endpoints: [endpoint], timeout: 3_000 });
  const client = await openClient({ store });
  onTestFinished(() => client.app.close());
  return client;
}

function run(command: string, parameters: readonly string[]): void {
  const { status, stderr } = spawnSync(command, parameters, { env: { ...process.env, ETCDCTL_API: "3" } });
  if (status !== 0) throw new Error(`${command}: ${stderr?.toString()}`);
}

async function allowAlice({ post }: Client): Promise<void> {
  const apiGroup = "rbac.authorization.k8s.io";
  const binding = {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "alice" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup, kind: "User", name: "alice" }],
  };
  expect((await post(`${RBAC}/clusterrolebindings`, binding)).code).toBe(201);
}

/** Alice loses her rights, config maps are closed to everybody, widgets are defined. */
async function change(client: Client): Promise<void> {
  const { post } = client;
  expect((await client.delete(`${RBAC}/clusterrolebindings/alice`)).code).toBe(200);
  const kindOf = (kind: string) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "closed" },
  });
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  const policy = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "false" }] };
  const binding = { policyName: "closed", validationActions: ["Deny"] };
  await post(`${POLICIES}/validatingadmissionpolicies`, { ...kindOf("ValidatingAdmissionPolicy"), spec: policy });
  await post(`${POLICIES}/validatingadmissionpolicybindings`, {
    ...kindOf("ValidatingAdmissionPolicyBinding"),
    spec: binding,
  });
  const schema = { openAPIV3Schema: { type: "object" } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  expect((await post(DEFINITIONS, definition)).code).toBe(201);
  await untilCode(client, WIDGETS, 200);
}

/** The first answers that are no failure of the store are right already. */
async function checkChanged(client: Client): Promise<void> {
  const alice = await firstAnswer(() => client.get(SECRETS, { token: "alice" }));
  expect([alice.code, alice.json?.message]).toEqual([
    403,
    expect.stringContaining('User "alice" cannot list resource "secrets"'),
  ]);
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const refused = await firstAnswer(() => client.post(MAPS, map));
  expect([refused.code, refused.json?.message]).toEqual([
    422,
    expect.stringContaining("ValidatingAdmissionPolicy 'closed'"),
  ]);
  expect((await firstAnswer(() => client.get(WIDGETS))).code).toBe(200);
  expect((await client.get("/readyz")).code).toBe(200);
}

async function firstAnswer(ask: () => ReturnType<Client["get"]>): ReturnType<Client["get"]> {
  for (;;) {
    const answer = await ask();
    if (answer.code < 500) return answer;
    await sleep(20);
  }
}

async function untilCode(client: Client, where: string, code: number, token = "admin"): Promise<void> {
  while ((await client.get(where, { token })).code !== code) await sleep(10);
}

describe.skipIf(!hasEtcd)("with several servers on one etcd", () => {
  test("services never get the same address or node port", async () => {
    const etcd = await startOne();
    const servers = [await openServer(etcd.endpoint), await openServer(etcd.endpoint)];
    const spec = { type: "NodePort", ports: [{ port: 80 }] };
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        servers[index % 2]?.post("/api/v1/namespaces/default/services", { metadata: { name: `s${index}` }, spec }),
      ),
    );
    expect(made.map((each) => each?.code)).toEqual(Array(60).fill(201));
    expect(new Set(made.map((each) => each?.json.spec.clusterIP)).size).toBe(60);
    expect(new Set(made.map((each) => each?.json.spec.ports[0].nodePort)).size).toBe(60);
  });
});

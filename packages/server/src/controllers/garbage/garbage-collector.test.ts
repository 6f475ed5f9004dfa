import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, DEFINITIONS, openClient, widgetDefinition } from "../../app/app.testing.ts";

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

afterEach(() => api.app.close());

const MAPS = "/api/v1/namespaces/default/configmaps";
const NODES = "/api/v1/nodes";

interface Reference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
}

async function create(name: string, owners: readonly Reference[] = [], extra: object = {}): Promise<Reference> {
  const ownerReferences = owners.map((owner) => ({ apiVersion: "v1", kind: "ConfigMap", ...owner }));
  const { code, json } = await api.post(MAPS, { metadata: { name, ownerReferences, ...extra } });
  expect(code).toBe(201);
  await api.app.settled();
  return { name, uid: json.metadata.uid };
}

const remove = async (name: string, body: object = {}): Promise<number> => {
  const { code } = await api.delete(`${MAPS}/${name}`, { body });
  await api.app.settled();
  return code;
};

const names = async (): Promise<string[]> =>
  (await api.get(MAPS)).json.items
    .map((each: { metadata: { name: string } }) => each.metadata.name)
    .filter((name: string) => name !== "kube-root-ca.crt");

describe("in the background", () => {
  test("dependents of a deleted owner are deleted, and theirs", async () => {
    const owner = await create("owner");
    const child = await create("child", [owner]);
    await create("grandchild", [child]);
    await remove("owner");
    expect(await names()).toEqual([]);
  });

  test("a dependent with another owner stays and loses the reference", async () => {
    const [first, second] = [await create("first"), await create("second")];
    await create("child", [first, second]);
    await remove("first");
    const { json } = await api.get(`${MAPS}/child`);
    expect(json.metadata.ownerReferences).toMatchObject([{ name: "second" }]);
  });

  test("an owner that never was is absent", async () => {
    await create("child", [{ name: "nobody", uid: "1" }]);
    expect(await names()).toEqual([]);
  });

  test("clients that write at once see nothing of it yet", async () => {
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "nobody", uid: "1" }];
    await api.post(MAPS, { metadata: { name: "child", ownerReferences } });
    for (let turn = 0; turn < 20; turn++) expect((await api.get(`${MAPS}/child`)).code).toBe(200);
    await api.app.settled();
    expect((await api.get(`${MAPS}/child`)).code).toBe(404);
  });

  test("an owner with another uid is another object", async () => {
    await create("owner");
    await create("child", [{ name: "owner", uid: "1" }]);
    expect(await names()).toEqual(["owner"]);
  });

  test("an owner that was replaced under its name is gone", async () => {
    const owner = await create("owner");
    await create("child", [owner]);
    await api.delete(`${MAPS}/owner`);
    await create("owner");
    expect(await names()).toEqual(["owner"]);
  });

  test("a finalizer of others keeps the dependent in deletion", async () => {
    const owner = await create("owner");
    await create("child", [owner], { finalizers: ["example.com/x"] });
    await remove("owner");
    expect((await api.get(`${MAPS}/child`)).json.metadata.deletionTimestamp).toBeDefined();
    await api.patch(`${MAPS}/child`, { metadata: { finalizers: null } });
    expect(await names()).toEqual([]);
  });

  test("admission is asked, as the service account of the collector", async () => {
    const { code } = await api.post("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", {
      metadata: { name: "keep" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] }],
        },
        validations: [
          { expression: "request.userInfo.username != 'system:serviceaccount:kube-system:generic-garbage-collector'" },
        ],
      },
    });
    expect(code).toBe(201);
    await api.post("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", {
      metadata: { name: "keep" },
      spec: { policyName: "keep", validationActions: ["Deny"] },
    });
    const owner = await create("owner");
    await create("child", [owner]);
    await remove("owner");
    expect(await names()).toEqual(["child"]);
  });
});

describe("across scopes", () => {
  test("a cluster-scoped dependent of a namespaced owner is left alone", async () => {
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "nobody", uid: "1" }];
    await api.post(NODES, { metadata: { name: "n", ownerReferences } });
    await api.app.settled();
    expect((await api.get(`${NODES}/n`)).code).toBe(200);
  });

  test("a namespaced dependent may have a cluster-scoped owner", async () => {
    const { json } = await api.post(NODES, { metadata: { name: "n" } });
    await create("child", [{ kind: "Node", name: "n", uid: json.metadata.uid }]);
    expect(await names()).toEqual(["child"]);
    await api.delete(`${NODES}/n`);
    await api.app.settled();
    expect(await names()).toEqual([]);
  });

  test("an owner in another namespace is absent", async () => {
    await api.post("/api/v1/namespaces", { metadata: { name: "other" } });
    const { json } = await api.post("/api/v1/namespaces/other/configmaps", { metadata: { name: "owner" } });
    await create("child", [{ name: "owner", uid: json.metadata.uid }]);
    expect(await names()).toEqual([]);
  });

  test("an owner of a kind that is not served is waited for", async () => {
    const owner = { apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "1" };
    await create("child", [owner]);
    expect(await names()).toEqual(["child"]);
    await api.post(DEFINITIONS, widgetDefinition());
    await api.app.settled();
    await api.app.settled();
    expect(await names()).toEqual([]);
  });
});

describe("in the foreground", () => {
  const FOREGROUND = { propagationPolicy: "Foreground" };

  test("an owner is deleted after its dependents", async () => {
    const owner = await create("owner");
    await create("child", [{ ...owner, blockOwnerDeletion: true }], { finalizers: ["example.com/x"] });
    expect(await remove("owner", FOREGROUND)).toBe(200);
    const { json } = await api.get(`${MAPS}/owner`);
    expect(json.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(await names()).toEqual(["child", "owner"]);
    await api.patch(`${MAPS}/child`, { metadata: { finalizers: null } });
    await api.app.settled();
    expect(await names()).toEqual([]);
  });

  test("a dependent that does not block is deleted and not waited for", async () => {
    const owner = await create("owner");
    await create("child", [owner], { finalizers: ["example.com/x"] });
    await remove("owner", FOREGROUND);
    expect(await names()).toEqual(["child"]);
  });

  test("an owner whose dependent stops to block it is deleted", async () => {
    const owner = await create("owner");
    await create("child", [{ ...owner, blockOwnerDeletion: true }], { finalizers: ["example.com/x"] });
    await remove("owner", FOREGROUND);
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", ...owner, blockOwnerDeletion: false }];
    await api.patch(`${MAPS}/child`, { metadata: { ownerReferences } });
    await api.app.settled();
    expect(await names()).toEqual(["child"]);
  });

  test("the dependents of dependents are deleted first too", async () => {
    const owner = await create("owner");
    const child = await create("child", [{ ...owner, blockOwnerDeletion: true }]);
    await create("grandchild", [{ ...child, blockOwnerDeletion: true }], { finalizers: ["example.com/x"] });
    await remove("owner", FOREGROUND);
    expect(await names()).toEqual(["child", "grandchild", "owner"]);
    await api.patch(`${MAPS}/grandchild`, { metadata: { finalizers: null } });
    await api.app.settled();
    expect(await names()).toEqual([]);
  });
});

describe("leaving dependents alone", () => {
  test("orphans lose their reference and stay", async () => {
    const owner = await create("owner");
    await create("child", [owner]);
    await remove("owner", { propagationPolicy: "Orphan" });
    expect(await names()).toEqual(["child"]);
    const { metadata } = (await api.get(`${MAPS}/child`)).json;
    expect(metadata.ownerReferences).toBeUndefined();
  });

  test("a job orphans its pods unless the request asks otherwise", async () => {
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const { json } = await api.post(jobs, { metadata: { name: "j" }, spec: { template } });
    await create("child", [{ apiVersion: "batch/v1", kind: "Job", name: "j", uid: json.metadata.uid }]);
    const deleted = await api.delete(`${jobs}/j`);
    expect(deleted.json.metadata.finalizers).toEqual(["orphan"]);
    await api.app.settled();
    expect((await api.get(`${jobs}/j`)).code).toBe(404);
    expect(await names()).toEqual(["child"]);
  });
});

test("without the controller nothing is collected", async () => {
  await api.app.close();
  api = await openClient({ controllers: ["*", "-garbage-collector-controller"] });
  const owner = await create("owner");
  await create("child", [owner]);
  await remove("owner");
  expect(await names()).toEqual(["child"]);
});

import { afterEach, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import type { AppOptions } from "../app/options.ts";
import { openTokenKey } from "../auth/token-key.ts";
import { MemoryStore } from "../storage/memory.ts";

const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
const SECRETS = "/api/v1/namespaces/default/secrets";
const NAME = "kubernetes.io/service-account.name";
const UID = "kubernetes.io/service-account.uid";

let api: Client;
afterEach(() => api.app.close());

async function open(options: Partial<AppOptions> = {}): Promise<string> {
  const tokenKey = await openTokenKey(new MemoryStore());
  const controllers = ["serviceaccount-token-controller"];
  api = await openClient({ tokenKey, rootCertificate: "a certificate", controllers, ...options });
  return (await api.post(ACCOUNTS, { metadata: { name: "robot" } })).json.metadata.uid;
}

const secretOf = (annotations: object, data?: object) => ({
  metadata: { name: "robot-token", annotations },
  type: "kubernetes.io/service-account-token",
  data,
});
const create = (annotations: object = { [NAME]: "robot" }, data?: object) =>
  api.post(SECRETS, secretOf(annotations, data));

async function read() {
  await api.app.settled();
  return (await api.get(`${SECRETS}/robot-token`)).json;
}

test("a Secret gets a token that authenticates its ServiceAccount", async () => {
  const uid = await open();
  await create();
  const { metadata, data } = await read();
  expect(metadata.annotations).toEqual({ [NAME]: "robot", [UID]: uid });
  expect(metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toContain(
    "kube-controller-manager",
  );
  expect([atob(data["ca.crt"]), atob(data.namespace)]).toEqual(["a certificate", "default"]);
  const token = atob(data.token);
  expect(JSON.parse(atob(token.split(".")[1] ?? ""))).toEqual({
    iss: "kubernetes/serviceaccount",
    "kubernetes.io/serviceaccount/namespace": "default",
    "kubernetes.io/serviceaccount/secret.name": "robot-token",
    "kubernetes.io/serviceaccount/service-account.name": "robot",
    "kubernetes.io/serviceaccount/service-account.uid": uid,
    sub: "system:serviceaccount:default:robot",
  });
  const { json } = await api.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { token });
  expect(json.status.userInfo.username).toBe("system:serviceaccount:default:robot");
});

test("what a Secret has already is kept, but not another certificate", async () => {
  await open();
  await create(undefined, { token: btoa("t"), namespace: btoa("n"), "ca.crt": btoa("old"), more: btoa("m") });
  expect((await read()).data).toEqual({
    token: btoa("t"),
    namespace: btoa("n"),
    "ca.crt": btoa("a certificate"),
    more: btoa("m"),
  });
});

test("a token that is removed from its Secret is replaced", async () => {
  await open({ rootCertificate: "" });
  await create();
  const before = await read();
  expect(Object.keys(before.data).sort()).toEqual(["namespace", "token"]);
  await api.patch(`${SECRETS}/robot-token`, { data: { token: null } });
  expect(Object.keys((await read()).data).sort()).toEqual(["namespace", "token"]);
});

test("a Secret is deleted with its ServiceAccount, also where that is replaced", async () => {
  await open();
  await create();
  await read();
  await api.delete(`${ACCOUNTS}/robot`);
  expect((await read()).code).toBe(404);
  const uid = (await api.post(ACCOUNTS, { metadata: { name: "robot" } })).json.metadata.uid;
  await create({ [NAME]: "robot", [UID]: `${uid}-old` });
  expect((await read()).code).toBe(404);
  await create({ [NAME]: "nobody" });
  expect((await read()).code).toBe(404);
});

test("a ServiceAccount no longer lists a Secret that is deleted", async () => {
  await open();
  await create();
  await api.patch(`${ACCOUNTS}/robot`, { secrets: [{ name: "robot-token" }, { name: "other" }] });
  await read();
  await api.delete(`${SECRETS}/robot-token`);
  await api.app.settled();
  expect((await api.get(`${ACCOUNTS}/robot`)).json.secrets).toEqual([{ name: "other" }]);
});

test("Secrets of other types, and of servers without the controller, are left alone", async () => {
  await open();
  await api.post(SECRETS, { ...secretOf({ [NAME]: "nobody" }), type: "Opaque" });
  expect((await read()).data).toBeUndefined();
  await api.app.close();
  await open({ controllers: ["*", "-serviceaccount-token"] });
  await create();
  expect((await read()).data).toBeUndefined();
});

import { expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";
import { type CallWebhook, type WebhookRequest, WebhookUnreachable } from "../conversion/call-webhook.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string, data: object = {}): object => ({ metadata: { name }, data });

/** A webhook that responds with the result of a function; it allows if there is none. */
class Hook {
  readonly requests: (WebhookRequest & { readonly request: Json })[] = [];
  answer: (request: Json) => object | undefined = () => undefined;

  readonly call: CallWebhook = async (sent) => {
    const { apiVersion, kind, request } = JSON.parse(sent.body);
    this.requests.push({ ...sent, request });
    const response = { uid: request.uid, allowed: true, ...this.answer(request) };
    const body = new TextEncoder().encode(JSON.stringify({ apiVersion, kind, response }));
    return { code: 200, contentType: "application/json", body };
  };
}

const URL = "https://hooks.example.com//a/../review";

function configuration(kind: "Mutating" | "Validating", webhook: object = {}): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: "c" },
    webhooks: [
      {
        name: "a.b.c",
        clientConfig: { url: URL },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        ...webhook,
      },
    ],
  };
}

async function open(kind: "Mutating" | "Validating", webhook: object = {}): Promise<{ api: Client; hook: Hook }> {
  const hook = new Hook();
  const api = await openClient({ callWebhook: hook.call });
  const { code } = await api.post(`${GROUP}/${kind.toLowerCase()}webhookconfigurations`, configuration(kind, webhook));
  expect(code).toBe(201);
  return { api, hook };
}

const patch = (...operations: object[]): object => ({
  patchType: "JSONPatch",
  patch: btoa(JSON.stringify(operations)),
});

test("a configuration applies as soon as its write is answered, until it is deleted", async () => {
  const { api, hook } = await open("Validating");
  hook.answer = () => ({ allowed: false, status: { message: "no" } });
  const { code, json } = await api.post(MAPS, map("a"));
  expect([code, json.message, json.reason]).toEqual([
    400,
    'admission webhook "a.b.c" denied the request: no',
    undefined,
  ]);
  await api.delete(`${GROUP}/validatingwebhookconfigurations/c`);
  expect((await api.post(MAPS, map("a"))).code).toBe(201);
});

test("waiting for a slow webhook does not count as work that is too long for a small object", async () => {
  const hook = new Hook();
  const callWebhook: CallWebhook = async (sent) => {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    return hook.call(sent);
  };
  const heavyWorker = { perform: () => Promise.reject(new Error("unused")), metrics: async () => undefined };
  const api = await openClient({ callWebhook, heavyWorker });
  const conditions = { matchConditions: [{ name: "all", expression: "object.kind == 'ConfigMap'" }] };
  await api.post(`${GROUP}/mutatingwebhookconfigurations`, configuration("Mutating", conditions));
  await api.post(`${GROUP}/validatingwebhookconfigurations`, configuration("Validating", conditions));
  expect((await api.post(MAPS, map("slow"))).code).toBe(201);
  expect(hook.requests).toHaveLength(2);
});

test("the path is cleaned, and the time rounded up to seconds", async () => {
  const { api, hook } = await open("Validating");
  await api.post(MAPS, map("a"));
  await api.post(`${MAPS}?timeout=1500ms`, map("b"));
  expect(hook.requests.map(({ url }) => url)).toEqual([
    "https://hooks.example.com/review?timeout=10s",
    "https://hooks.example.com/review?timeout=2s",
  ]);
});

test("mutating webhooks see no uid, validating ones see the completed object", async () => {
  const { api, hook } = await open("Mutating");
  await api.post(`${GROUP}/validatingwebhookconfigurations`, configuration("Validating"));
  await api.post(MAPS, map("a", { x: "1" }));
  expect(hook.requests.map(({ request }) => Object.keys(request.object.metadata))).toEqual([
    ["name", "namespace", "managedFields"],
    ["name", "namespace", "uid", "creationTimestamp", "managedFields"],
  ]);
});

test("a patched object is decoded and defaulted", async () => {
  const { api, hook } = await open("Mutating");
  hook.answer = () => patch({ op: "add", path: "/data/b", value: "2" }, { op: "add", path: "/unknown", value: 1 });
  const { code, json } = await api.post(`${MAPS}?fieldValidation=Strict`, map("a", { a: "1" }));
  expect([code, json.data, json.unknown]).toEqual([201, { a: "1", b: "2" }, undefined]);
});

test("a patch that makes the object invalid is an internal error", async () => {
  const { api, hook } = await open("Mutating", { failurePolicy: "Ignore" });
  hook.answer = () => patch({ op: "add", path: "/data/b", value: 2 });
  const { code, json } = await api.post(MAPS, map("a", { x: "1" }));
  expect([code, json.message]).toEqual([
    500,
    "Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
  ]);
});

test("webhooks are called for every kind of write: update, patch, apply, delete, a collection", async () => {
  const { api, hook } = await open("Validating");
  await api.post(MAPS, map("a"));
  await api.put(`${MAPS}/a`, map("a", { x: "1" }));
  await api.patch(`${MAPS}/a`, { data: { x: "2" } });
  await api.send("PATCH", `${MAPS}/b?fieldManager=me`, {
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } },
    type: "application/apply-patch+yaml",
  });
  await api.delete(`${MAPS}/a?dryRun=All`);
  await api.delete(`${MAPS}/a`);
  await api.delete(`${MAPS}?fieldSelector=metadata.name%3Db`);
  const seen = hook.requests.map(({ request }) => [request.operation, request.name, request.options.kind]);
  expect(seen).toEqual([
    ["CREATE", "a", "CreateOptions"],
    ["UPDATE", "a", "UpdateOptions"],
    ["UPDATE", "a", "UpdateOptions"],
    ["CREATE", "b", "CreateOptions"],
    ["DELETE", "a", "DeleteOptions"],
    ["DELETE", "a", "DeleteOptions"],
    ["DELETE", undefined, "DeleteOptions"],
  ]);
  expect(hook.requests[4]?.request.dryRun).toBe(true);
});

test("a service is reached at its configured address", async () => {
  const hook = new Hook();
  const services = new Map([["hook.default", { host: "127.0.0.1", port: 9443 }]]);
  const api = await openClient({ callWebhook: hook.call, services });
  const clientConfig = { service: { name: "hook", namespace: "default", path: "/x" } };
  await api.post(`${GROUP}/validatingwebhookconfigurations`, configuration("Validating", { clientConfig }));
  await api.post(MAPS, map("a"));
  expect(hook.requests[0]).toMatchObject({
    url: "https://hook.default.svc:443/x?timeout=10s",
    connect: { host: "127.0.0.1", port: 9443 },
  });
});

test.each([
  { name: "no PEM", caBundle: btoa("nothing"), reason: "unable to parse bytes as PEM block" },
  {
    name: "a broken certificate",
    caBundle: btoa("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
    reason: "failed to parse certificate: x509: malformed certificate",
  },
])("a bundle with $name is noticed when the webhook is called", async ({ caBundle, reason }) => {
  const { api } = await open("Validating", { clientConfig: { url: URL, caBundle } });
  const { json } = await api.post(MAPS, map("a"));
  expect(json.message).toBe(
    `Internal error occurred: failed calling webhook "a.b.c": could not get REST client: unable to load root certificates: ${reason}`,
  );
});

test("a failure is counted, and ignored if the configuration allows it", async () => {
  const call: CallWebhook = async () => {
    throw new WebhookUnreachable("EOF");
  };
  const api = await openClient({ callWebhook: call });
  await api.post(`${GROUP}/validatingwebhookconfigurations`, configuration("Validating", { failurePolicy: "Ignore" }));
  expect((await api.post(MAPS, map("a"))).code).toBe(201);
  const { text } = await api.get("/metrics");
  expect(text).toContain('apiserver_admission_webhook_fail_open_count{name="a.b.c",type="validating"} 1');
  expect(text).toContain(
    'apiserver_admission_webhook_request_total{code="503",name="a.b.c",operation="CREATE",rejected="false",type="validating"} 1',
  );
});

test("webhooks are called for access reviews and tokens, not for configurations", async () => {
  const everything = { rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }] };
  const { api, hook } = await open("Mutating", everything);
  const spec = { resourceAttributes: { verb: "get", resource: "pods" } };
  await api.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { spec });
  await api.patch(`${GROUP}/mutatingwebhookconfigurations/c`, { metadata: { labels: { a: "b" } } });
  expect(hook.requests.map(({ request }) => request.resource.resource)).toEqual(["selfsubjectaccessreviews"]);
});

test("a thousand configurations for other objects slow down a write little", async () => {
  const hook = new Hook();
  const api = await openClient({ callWebhook: hook.call });
  for (let index = 0; index < 1000; index++) {
    const objectSelector = { matchLabels: { only: `x${index}` } };
    const body = { ...configuration("Validating", { objectSelector }), metadata: { name: `c${index}` } };
    await api.post(`${GROUP}/validatingwebhookconfigurations`, body);
  }
  // Processor time: a busy machine must not decide.
  const start = process.cpuUsage();
  for (let index = 0; index < 20; index++) expect((await api.post(MAPS, map(`m${index}`))).code).toBe(201);
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
  expect(hook.requests).toEqual([]);
}, 60_000);

test.each([
  { path: "/apis/authentication.k8s.io/v1/tokenreviews", body: { metadata: { name: "p" }, spec: { token: "x" } } },
  { path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", body: { metadata: { name: "p" } } },
  { path: "/api/v1/namespaces/default/bindings", body: { metadata: { name: "p" }, target: { name: "n" } } },
])("webhooks are asked about $path, by the name of the object", async ({ path, body }) => {
  const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }];
  for (const kind of ["Mutating", "Validating"] as const) {
    const { api, hook } = await open(kind, { rules });
    await api.post(path, body);
    expect(hook.requests.map(({ request }) => [request.operation, request.name])).toEqual([["CREATE", "p"]]);
  }
});

test("a generated name that is taken repeats validating admission only", async () => {
  const hook = new Hook();
  const suffixes = ["aaaaa", "aaaaa", "bbbbb"];
  const system = { uid: () => "u", now: () => "2026-01-02T03:04:05Z", suffix: () => suffixes.shift() ?? "ccccc" };
  const api = await openClient({ callWebhook: hook.call, system });
  for (const kind of ["Mutating", "Validating"] as const) {
    await api.post(`${GROUP}/${kind.toLowerCase()}webhookconfigurations`, configuration(kind));
  }
  const generated = { metadata: { generateName: "g-" } };
  expect((await api.post(MAPS, generated)).json.metadata.name).toBe("g-aaaaa");
  hook.requests.length = 0;
  expect((await api.post(MAPS, generated)).json.metadata.name).toBe("g-bbbbb");
  expect(hook.requests.map(({ request }) => request.name ?? "")).toEqual(["", "g-aaaaa", "g-bbbbb"]);
});

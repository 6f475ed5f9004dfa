import { expect, test } from "vitest";
import {
  type Client,
  DEFINITIONS,
  type Json,
  openWithWidgets,
  WIDGETS,
  widget,
  widgetDefinition,
} from "../app/app.testing.ts";

/** A server with widgets and one mutating webhook that answers with a patch; `requests` is what it was sent. */
async function openWithHook(
  rule: object,
  patch: readonly object[],
): Promise<{ readonly api: Client; readonly requests: Json[] }> {
  const requests: Json[] = [];
  const api = await openWithWidgets({
    callWebhook: async ({ body: sent }) => {
      const { apiVersion, kind, request } = JSON.parse(sent);
      requests.push(request);
      const response = { uid: request.uid, allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(patch)) };
      const body = new TextEncoder().encode(JSON.stringify({ apiVersion, kind, response }));
      return { code: 200, contentType: "application/json", body };
    },
  });
  await api.post("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", {
    metadata: { name: "c" },
    webhooks: [
      {
        name: "a.b.c",
        clientConfig: { url: "https://hooks.example.com/" },
        rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE", "UPDATE"], ...rule }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        reinvocationPolicy: "IfNeeded",
      },
    ],
  });
  return { api, requests };
}

test("a version of a CRD that is not served is equivalent too", async () => {
  const patch = [{ op: "add", path: "/spec/color", value: "blue" }];
  const { api, requests } = await openWithHook({ apiVersions: ["v3"], resources: ["widgets"] }, patch);
  const { spec } = widgetDefinition();
  const versions = [...spec.versions, { ...spec.versions[1], name: "v3", served: false }];
  await api.patch(`${DEFINITIONS}/widgets.example.com`, { spec: { versions } });
  await api.app.settled();
  const { code, json } = await api.post(WIDGETS, widget("a", { spec: { size: 1 } }));
  expect([code, json.apiVersion, json.spec.color]).toEqual([201, "example.com/v1", "blue"]);
  expect(requests.map(({ object, resource }) => [object.apiVersion, resource.version])).toEqual([
    ["example.com/v3", "v3"],
  ]);
});

// biome-ignore format: a table
test.each([
  { field: "deletionGracePeriodSeconds", value: 9,                      kept: 9 },
  { field: "deletionTimestamp",          value: "2020-01-01T00:00:00Z", kept: "2020-01-01T00:00:00Z" },
  { field: "deletionTimestamp",          value: "soon",                 kept: undefined },
])("a custom resource that a webhook gives $field $value has $kept", async ({ field, value, kept }) => {
  const patch = [{ op: "add", path: `/metadata/${field}`, value }];
  const { api } = await openWithHook({ resources: ["widgets"] }, patch);
  expect((await api.post(WIDGETS, widget("a"))).code).toBe(201);
  expect((await api.get(`${WIDGETS}/a`)).json.metadata[field]).toBe(kept);
  expect((await api.patch(`${WIDGETS}/a`, { spec: { size: 2 } })).code).toBe(200);
});

test("a pod whose priority a webhook removes has none", async () => {
  const patch = [
    { op: "add", path: "/spec/priorityClassName", value: "system-node-critical" },
    { op: "remove", path: "/spec/priority" },
  ];
  const { api, requests } = await openWithHook({ resources: ["pods"] }, patch);
  const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  const { json } = await api.post("/api/v1/namespaces/kube-system/pods", pod);
  expect([json.spec.priorityClassName, json.spec.priority]).toEqual(["system-node-critical", undefined]);
  expect(requests.map(({ object }) => object.spec.priority)).toEqual([0, 2_000_001_000]);
});

test("an empty map that a webhook leaves is none for later webhooks, and shown by messages", async () => {
  const patch = [
    { op: "add", path: "/metadata/annotations", value: {} },
    { op: "replace", path: "/spec/template/metadata/labels", value: {} },
  ];
  const { api, requests } = await openWithHook({ resources: ["deployments"] }, patch);
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
  const { json } = await api.post("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "d" },
    spec: { selector: { matchLabels: { a: "b" } }, template },
  });
  expect(json.details.causes.map(({ message }: Json) => message)).toEqual([
    "Invalid value: {}: `selector` does not match template `labels`",
  ]);
  expect(requests.map(({ object }) => object.metadata.annotations)).toEqual([undefined]);
});

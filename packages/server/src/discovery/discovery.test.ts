import { compareVersions } from "@portcullis/engine/internal/crd/version-order";
import { beforeEach, describe, expect, test } from "vitest";
import { type Client, DEFINITIONS, type Json, openWithWidgets, widgetDefinition } from "../app/app.testing.ts";

let api: Client;

beforeEach(async () => {
  api = await openWithWidgets();
});

test("a group lists its versions, the preferred one first", async () => {
  const { json } = await api.get("/apis/example.com");
  expect(json).toMatchObject({ kind: "APIGroup", name: "example.com", preferredVersion: { version: "v2" } });
});

test("versions are preferred as Kubernetes orders them", () => {
  const names = ["foo", "v1alpha2", "v1", "v2beta1", "v10", "v2", "v1beta3", "bar"];
  expect(names.sort(compareVersions)).toEqual(["v10", "v2", "v1", "v2beta1", "v1beta3", "v1alpha2", "bar", "foo"]);
});

test("a version lists resources and subresources", async () => {
  const { json } = await api.get("/apis/example.com/v1");
  expect(json.resources.map(({ name }: { name: string }) => name)).toEqual([
    "widgets",
    "widgets/status",
    "widgets/scale",
  ]);
  expect(json.resources[0]).toMatchObject({ kind: "Widget", shortNames: ["wd"], namespaced: true });
  expect(json.resources[2]).toMatchObject({ group: "autoscaling", version: "v1", kind: "Scale" });
});

test("a CRD does not take the place of built-in kinds of its group", async () => {
  const { spec } = widgetDefinition();
  const approval = { "api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes/pull/1" };
  const names = { plural: "ingresses", singular: "custom", kind: "Custom", listKind: "CustomList" };
  const versions = ["v1", "v9"].map((name) => ({ ...spec.versions[0], name, storage: name === "v9" }));
  const metadata = { name: "ingresses.networking.k8s.io", annotations: approval };
  const group = "networking.k8s.io";
  expect((await api.post(DEFINITIONS, { metadata, spec: { ...spec, group, names, versions } })).code).toBe(201);
  await api.app.settled();
  const path = (version: string) => `/apis/${group}/${version}/namespaces/default/ingresses`;
  expect([(await api.get(path("v1"))).json.kind, (await api.get(path("v9"))).code]).toEqual(["IngressList", 404]);
  expect((await api.get(`/apis/${group}`)).json.versions.map(({ version }: Json) => version)).toEqual(["v9", "v1"]);
  expect((await api.get(`/apis/${group}/v9`)).code).toBe(404);
  await api.delete(`${DEFINITIONS}/${metadata.name}`);
  await api.app.settled();
  expect((await api.get(path("v1"))).json.kind).toBe("IngressList");
});

test("pods, services and nodes list what connects to them, by name", async () => {
  const { json } = await api.get("/api/v1");
  const names: string[] = json.resources.map(({ name }: { name: string }) => name);
  expect(names.filter((name) => /^(pods|services|nodes)\//.test(name))).toEqual([
    "nodes/proxy",
    "nodes/status",
    "pods/attach",
    "pods/binding",
    "pods/ephemeralcontainers",
    "pods/eviction",
    "pods/exec",
    "pods/log",
    "pods/portforward",
    "pods/proxy",
    "pods/resize",
    "pods/status",
    "services/proxy",
    "services/status",
  ]);
});

// As v1.36.4 and v1.37.0-rc.1 list them.
test.each([
  { path: "/api/v1", name: "configmaps", hash: "qFsyl6wFWjQ=" },
  { path: "/apis/events.k8s.io/v1", name: "events", hash: "r2yiGXH7wu8=" },
  { path: "/apis/autoscaling/v1", name: "horizontalpodautoscalers", hash: "qwQve8ut294=" },
  { path: "/apis/apiextensions.k8s.io/v1", name: "customresourcedefinitions", hash: "jfWCUB31mvA=" },
])("$name of $path are stored in the version with the hash $hash", async ({ path, name, hash }) => {
  const { json } = await api.get(path);
  const found = json.resources.find((resource: { name: string }) => resource.name === name);
  expect(found.storageVersionHash).toBe(hash);
});

describe("aggregated", () => {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  test("discovery returns everything at once and can be cached", async () => {
    const { json, headers } = await api.get("/apis", { headers: { accept } });
    expect(json.kind).toBe("APIGroupDiscoveryList");
    const names = json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(names).toContain("apiextensions.k8s.io");
    expect(names.at(-1)).toBe("example.com");
    const etag = headers.get("etag") ?? "";
    expect((await api.get("/apis", { headers: { accept, "if-none-match": etag } })).code).toBe(304);
  });

  test("discovery of a version that is no longer served is not acceptable", async () => {
    const older = accept.replace("v=v2", "v=v2beta1");
    expect((await api.get("/apis", { headers: { accept: older } })).code).toBe(406);
  });
});

test.each([
  { path: "/nope", text: "404 page not found\n" },
  { path: "/apis/nope.example.com/v1", text: "404 page not found\n" },
  { path: "/apis/example.com/v1/namespaces/default/gadgets", text: "404 page not found\n" },
])("$path is not served", async ({ path, text }) => {
  const answer = await api.get(path);
  expect([answer.code, answer.text]).toEqual([404, text]);
});

test("an unknown resource of a built-in group returns a Status", async () => {
  const { code, json } = await api.get("/api/v1/namespaces/default/nopes");
  expect([code, json.message]).toEqual([404, "the server could not find the requested resource"]);
});

describe("protobuf", () => {
  const text = async (path: string, accept: string): Promise<string> => {
    const answer = await api.app.fetch(
      new Request(`http://test${path}`, { headers: { authorization: "Bearer admin", accept, host: "test" } }),
    );
    expect(answer.headers.get("content-type")).toBe(accept);
    return Buffer.from(await answer.arrayBuffer()).toString("hex");
  };

  // What is expected was recorded from kube-apiserver, whose document of this group is the same.
  test("of a group is what Go writes", async () => {
    expect(await text("/apis/apps", "application/vnd.kubernetes.protobuf")).toBe(
      "6b3873000a0e0a02763112084150494772" +
        "6f757012240a0461707073120d0a07617070732f7631120276311a0d0a07617070732f7631120276311a002200",
    );
  });

  test("of everything has the same hash as the text, and names every resource", async () => {
    const accept = "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const hex = await text("/apis", accept);
    expect(hex).toContain(Buffer.from("widgets").toString("hex"));
    const etags = await Promise.all(
      [accept, accept.replace("vnd.kubernetes.protobuf", "json")].map(async (each) => {
        return (await api.get("/apis", { headers: { accept: each } })).headers.get("etag");
      }),
    );
    expect(etags[0]).toBe(etags[1]);
  });
});

test("built-in resources leave out the group and version of their kinds, others name them", async () => {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const { json } = await api.get("/apis", { headers: { accept } });
  const kinds = (group: string) =>
    json.items
      .find((item: { metadata: { name: string } }) => item.metadata.name === group)
      .versions[0].resources.map((each: { responseKind: object }) => each.responseKind);
  expect(kinds("apps")).toContainEqual({ group: "", version: "", kind: "Deployment" });
  expect(kinds("example.com")).toEqual([{ group: "example.com", version: "v2", kind: "Widget" }]);
});

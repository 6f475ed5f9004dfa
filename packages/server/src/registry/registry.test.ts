import { namespaceKind } from "@portcullis/engine/internal/review/kinds/namespace";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type Client,
  DEFINITIONS,
  openClient,
  openWithWidgets,
  WIDGETS,
  widget,
  widgetDefinition,
} from "../app/app.testing.ts";
import { Registry } from "./registry.ts";

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

function conditions(json: { status: { conditions: { type: string; status: string }[] } }): Record<string, string> {
  return Object.fromEntries(json.status.conditions.map(({ type, status }) => [type, status]));
}

describe("CRDs", () => {
  test("are established as soon as their names are accepted", async () => {
    const made = await api.post(DEFINITIONS, widgetDefinition());
    expect(made.json.status).toEqual({
      acceptedNames: { kind: "", plural: "" },
      conditions: null,
      storedVersions: ["v1"],
    });
    await api.app.settled();
    const { json } = await api.get(`${DEFINITIONS}/widgets.example.com`);
    expect(conditions(json)).toEqual({ NamesAccepted: "True", Established: "True" });
    expect((await api.get(WIDGETS)).code).toBe(200);
  });

  test("with names that are taken are not served until the names are free", async () => {
    await api.post(DEFINITIONS, widgetDefinition());
    const other = widgetDefinition();
    other.metadata.name = "others.example.com";
    other.spec.names = { plural: "others", kind: "Widget", listKind: "OtherList" };
    await api.post(DEFINITIONS, other);
    await api.app.settled();
    const { json } = await api.get(`${DEFINITIONS}/others.example.com`);
    expect(conditions(json)).toEqual({ NamesAccepted: "False", Established: "False" });
    expect(json.status.conditions[0]).toMatchObject({ reason: "KindConflict", message: '"Widget" is already in use' });
    await api.delete(`${DEFINITIONS}/widgets.example.com`);
    await api.app.settled();
    expect(conditions((await api.get(`${DEFINITIONS}/others.example.com`)).json)["Established"]).toBe("True");
  });

  test("in groups of Kubernetes itself say whether they were approved", async () => {
    const definition = widgetDefinition();
    definition.metadata = {
      name: "widgets.x.k8s.io",
      annotations: { "api-approved.kubernetes.io": "unapproved, a test" },
    };
    definition.spec.group = "x.k8s.io";
    await api.post(DEFINITIONS, definition);
    await api.app.settled();
    const { json } = await api.get(`${DEFINITIONS}/widgets.x.k8s.io`);
    expect(json.status.conditions.at(-1)).toMatchObject({
      type: "KubernetesAPIApprovalPolicyConformant",
      reason: "UnapprovedAnnotation",
    });
  });

  test("delete their objects when they are deleted", async () => {
    api = await openWithWidgets();
    await api.post(WIDGETS, widget("a"));
    const { json } = await api.delete(`${DEFINITIONS}/widgets.example.com`);
    expect(json.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    await api.app.settled();
    expect((await api.get(`${DEFINITIONS}/widgets.example.com`)).code).toBe(404);
    expect((await api.get(WIDGETS)).code).toBe(404);
    expect((await api.store.list("/registry/example.com/")).entries).toEqual([]);
  });

  test("wait for objects with finalizers, and nothing new is created meanwhile", async () => {
    api = await openWithWidgets();
    await api.post(WIDGETS, widget("a", { metadata: { finalizers: ["e.com/f"] } }));
    await api.delete(`${DEFINITIONS}/widgets.example.com`);
    await api.app.settled();
    const refused = await api.post(WIDGETS, widget("b"));
    const text =
      'widgets.example.com "b" is forbidden: create not allowed while custom resource definition is terminating';
    expect([refused.code, refused.json.message]).toEqual([403, text]);
    const { json } = await api.get("/apis/example.com/v1");
    expect(json.resources[0].verbs).toEqual(["delete", "deletecollection", "get", "list", "watch"]);
    await api.patch(`${WIDGETS}/a`, { metadata: { finalizers: null } });
    await api.app.settled();
    expect((await api.get(`${DEFINITIONS}/widgets.example.com`)).code).toBe(404);
  });

  test("take effect immediately when they change", async () => {
    api = await openWithWidgets();
    const { json } = await api.get(`${DEFINITIONS}/widgets.example.com`);
    json.spec.versions[1].served = false;
    expect((await api.put(`${DEFINITIONS}/widgets.example.com`, json)).code).toBe(200);
    expect((await api.get(WIDGETS.replace("v1", "v2"))).text).toBe("404 page not found\n");
  });
});

describe("namespaces", () => {
  test("four exist from the start, each with a service account", async () => {
    const { json } = await api.get("/api/v1/namespaces");
    const names = json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(names).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    expect((await api.get("/api/v1/namespaces/default/serviceaccounts/default")).code).toBe(200);
  });

  test("start active and labelled", async () => {
    const made = await api.post("/api/v1/namespaces", { metadata: { name: "n" } });
    expect(made.json).toMatchObject({
      metadata: { labels: { "kubernetes.io/metadata.name": "n" } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  });

  test("delete their objects when they terminate", async () => {
    api = await openWithWidgets();
    await api.post("/api/v1/namespaces", { metadata: { name: "n" } });
    const inside = WIDGETS.replace("default", "n");
    await api.post(inside, widget("a"));
    const { json } = await api.delete("/api/v1/namespaces/n");
    expect(json).toMatchObject({ kind: "Namespace", status: { phase: "Terminating" } });
    await api.app.settled();
    expect((await api.get("/api/v1/namespaces/n")).code).toBe(404);
    expect((await api.get(inside)).json.items).toEqual([]);
  });

  test("that are terminating accept nothing new", async () => {
    api = await openWithWidgets();
    await api.post("/api/v1/namespaces", { metadata: { name: "n" } });
    const inside = WIDGETS.replace("default", "n");
    await api.post(inside, widget("a", { metadata: { finalizers: ["e.com/f"] } }));
    await api.delete("/api/v1/namespaces/n");
    const { code, json } = await api.post(inside, widget("b"));
    expect(code).toBe(403);
    expect(json.message).toContain("because it is being terminated");
    expect(json.details.causes[0].reason).toBe("NamespaceTerminating");
    await api.app.close();
  });

  test("that the server needs cannot be deleted", async () => {
    const { code, json } = await api.delete("/api/v1/namespaces/default");
    expect([code, json.message]).toEqual([403, 'namespaces "default" is forbidden: this namespace may not be deleted']);
  });
});

test("a watch that begins when its kind is already retired ends", () => {
  const registry = new Registry();
  let ends = 0;
  const end = (): void => void ends++;
  registry.untilRetired(namespaceKind, end);
  registry.retire(namespaceKind);
  registry.untilRetired(namespaceKind, end);
  expect(ends).toBe(2);
});

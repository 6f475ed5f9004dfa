import { beforeEach, describe, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";

const deployment = (containers: object[] = [{ name: "a", image: "a:1" }]): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { app: "d" } },
    template: { metadata: { labels: { app: "d" } }, spec: { containers } },
  },
});

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

test("a new object is defaulted, counted and owned by its writer", async () => {
  const { code, json } = await api.post(`${DEPLOYMENTS}?fieldManager=me`, deployment());
  expect(code).toBe(201);
  expect(json.metadata.generation).toBe(1);
  expect(json.spec).toMatchObject({ replicas: 1, revisionHistoryLimit: 10, strategy: { type: "RollingUpdate" } });
  expect(json.metadata.managedFields).toMatchObject([{ manager: "me", operation: "Update", apiVersion: "apps/v1" }]);
});

test("the validation of the kind applies", async () => {
  const { code, json } = await api.post(DEPLOYMENTS, { ...deployment(), spec: { selector: {} } });
  expect([code, json.reason]).toEqual([422, "Invalid"]);
  expect(json.details).toMatchObject({ group: "apps", kind: "Deployment", name: "d" });
});

describe("strategic merge patch", () => {
  beforeEach(async () => {
    await api.post(DEPLOYMENTS, deployment());
  });

  test("merges lists by their key", async () => {
    const patch = { spec: { template: { spec: { containers: [{ name: "b", image: "b:1" }] } } } };
    const { code, json } = await api.patch(`${DEPLOYMENTS}/d`, patch, { type: STRATEGIC });
    const names = json.spec.template.spec.containers.map(({ name }: { name: string }) => name);
    expect([code, names, json.metadata.generation]).toEqual([200, ["b", "a"], 2]);
  });

  test("is refused in strict mode if it adds unknown fields", async () => {
    const path = `${DEPLOYMENTS}/d?fieldValidation=Strict`;
    const { code, json } = await api.patch(path, { spec: { nope: 1 } }, { type: STRATEGIC });
    expect([code, json.message]).toEqual([
      422,
      ' "" is invalid: patch: Invalid value: "map[spec:map[nope:1]]": strict decoding error: unknown field "spec.nope"',
    ]);
  });

  test("patches CRDs too", async () => {
    const names = { plural: "things", kind: "Thing" };
    const schema = { openAPIV3Schema: { type: "object" } };
    await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names,
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";
    const { code, json } = await api.patch(path, { metadata: { labels: { a: "b" } } }, { type: STRATEGIC });
    expect([code, json.metadata.labels]).toEqual([200, { a: "b" }]);
  });
});

test("an apply conflicts with another applier of the same field", async () => {
  const path = `${DEPLOYMENTS}/d`;
  const image = (text: string): object => deployment([{ name: "a", image: text }]);
  expect((await api.patch(`${path}?fieldManager=one`, image("a:1"), { type: APPLY })).code).toBe(201);
  const { code, json } = await api.patch(`${path}?fieldManager=two`, image("a:2"), { type: APPLY });
  expect([code, json.details.causes[0].field]).toEqual([409, '.spec.template.spec.containers[name="a"].image']);
});

describe("subresources", () => {
  beforeEach(async () => {
    await api.post(`${DEPLOYMENTS}?fieldManager=me`, deployment());
  });

  test("a scale sets the replicas and takes their ownership", async () => {
    const scale = await api.get(`${DEPLOYMENTS}/d/scale`);
    expect(scale.json).toMatchObject({ kind: "Scale", spec: { replicas: 1 }, status: { selector: "app=d" } });
    await api.patch(`${DEPLOYMENTS}/d/scale?fieldManager=scaler`, { spec: { replicas: 3 } });
    const { json } = await api.get(`${DEPLOYMENTS}/d`);
    expect(json.spec.replicas).toBe(3);
    const owners = json.metadata.managedFields.filter(
      (entry: { fieldsV1: { "f:spec": object } }) => "f:replicas" in entry.fieldsV1["f:spec"],
    );
    expect(owners).toMatchObject([{ manager: "scaler", subresource: "scale" }]);
  });

  test("a status update keeps the rest of the object", async () => {
    const patch = { spec: { replicas: 9 }, status: { replicas: 2 } };
    const { json } = await api.patch(`${DEPLOYMENTS}/d/status`, patch);
    expect([json.spec.replicas, json.status.replicas, json.metadata.generation]).toEqual([1, 2, 1]);
  });
});

test("events of both groups are the same objects", async () => {
  const event = {
    metadata: { name: "e", namespace: "default" },
    involvedObject: { kind: "Pod", namespace: "default", name: "p" },
    message: "hello",
  };
  expect((await api.post("/api/v1/namespaces/default/events", event)).code).toBe(201);
  const { json } = await api.get("/apis/events.k8s.io/v1/namespaces/default/events/e");
  expect(json).toMatchObject({ apiVersion: "events.k8s.io/v1", note: "hello", regarding: { name: "p" } });
});

test("services get unique addresses", async () => {
  const service = (name: string): object => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
  const first = await api.post("/api/v1/namespaces/default/services", service("a"));
  const second = await api.post("/api/v1/namespaces/default/services", service("b"));
  expect(first.json.spec.clusterIP).toMatch(/^10\.0\.0\.\d+$/);
  expect(second.json.spec.clusterIP).not.toBe(first.json.spec.clusterIP);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, DEFINITIONS, openClient, WIDGETS, widgetDefinition } from "../app/app.testing.ts";

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

afterEach(() => api.app.close());

const PODS = "/api/v1/namespaces/default/pods";
const pod = { metadata: { name: "p", labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };

test("members of a built-in kind are in the order of the Go struct", async () => {
  const { json } = await api.post(PODS, pod);
  expect(Object.keys(json)).toEqual(["kind", "apiVersion", "metadata", "spec", "status"]);
  expect(Object.keys(json.metadata)).toEqual([
    ...["name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "labels", "managedFields"],
  ]);
  expect(Object.keys(json.spec)).toEqual([
    ...["containers", "restartPolicy", "terminationGracePeriodSeconds", "dnsPolicy", "securityContext"],
    ...["schedulerName", "tolerations", "priority", "enableServiceLinks", "preemptionPolicy"],
  ]);
  expect(Object.keys(json.spec.containers[0])).toEqual([
    ...["name", "image", "resources", "terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy"],
  ]);
});

test("so are those of lists, tables, watches and indented answers", async () => {
  await api.post(PODS, pod);
  const list = (await api.get(PODS)).json;
  expect(Object.keys(list)).toEqual(["kind", "apiVersion", "metadata", "items"]);
  expect(Object.keys(list.items[0])).toEqual(["metadata", "spec", "status"]);
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const table = (await api.get(PODS, { headers: { accept } })).json;
  expect(Object.keys(table)).toEqual(["kind", "apiVersion", "metadata", "columnDefinitions", "rows"]);
  expect(Object.keys(table.rows[0])).toEqual(["cells", "object"]);
  expect(Object.keys(table.rows[0].object)).toEqual(["kind", "apiVersion", "metadata"]);
  const pretty = (await api.get(`${PODS}/p?pretty=true`)).text;
  expect(pretty.startsWith('{\n  "kind": "Pod",\n  "apiVersion": "v1",\n  "metadata": {\n    "name": "p",\n')).toBe(
    true,
  );
  expect(JSON.parse(pretty)).toEqual((await api.get(`${PODS}/p`)).json);
  expect(pretty.endsWith("}")).toBe(true);
  const watch = await api.watch(`${PODS}?watch=1&resourceVersion=0`);
  expect(Object.keys((await watch.next()).object)).toEqual(["kind", "apiVersion", "metadata", "spec", "status"]);
  await watch.close();
});

test("errors and discovery have the order of their types", async () => {
  const { json } = await api.get(`${PODS}/nope`);
  expect(Object.keys(json)).toEqual([
    ...["kind", "apiVersion", "metadata", "status", "message", "reason", "details", "code"],
  ]);
  const resources = (await api.get("/apis/apps/v1")).json;
  expect(Object.keys(resources)).toEqual(["kind", "apiVersion", "groupVersion", "resources"]);
  expect(Object.keys(resources.resources[0]).slice(0, 4)).toEqual(["name", "singularName", "namespaced", "kind"]);
});

test("members of custom resources are sorted", async () => {
  await api.post(DEFINITIONS, widgetDefinition());
  await api.app.settled();
  await api.post(WIDGETS, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 1 } });
  expect(Object.keys((await api.get(`${WIDGETS}/w`)).json).slice(0, 3)).toEqual(["apiVersion", "kind", "metadata"]);
});

import { expect, test } from "vitest";
import { DEFINITIONS, openClient, openWithWidgets } from "../app/app.testing.ts";

const APPLY = { type: "application/apply-patch+yaml" };

test("an empty list of managed fields clears those of a built-in kind", async () => {
  const api = await openClient();
  const maps = "/api/v1/namespaces/default/configmaps";
  for (const clear of [
    () => api.put(`${maps}/a`, { metadata: { name: "a", managedFields: [] }, data: { a: "b" } }),
    () => api.patch(`${maps}/a`, { metadata: { managedFields: [] } }),
  ]) {
    await api.post(maps, { metadata: { name: "a" }, data: { a: "b" } });
    const { code, json } = await clear();
    expect([code, json.metadata.managedFields]).toEqual([200, undefined]);
    expect((await api.get(`${maps}/a`)).json.metadata.managedFields).toBeUndefined();
    await api.delete(`${maps}/a`);
  }
});

test("a deletion timestamp in the status of a pod is ignored", async () => {
  const api = await openClient();
  const pods = "/api/v1/namespaces/default/pods";
  await api.post(pods, { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a" }] } });
  const { code, json } = await api.patch(`${pods}/a/status`, {
    metadata: { deletionTimestamp: "2020-01-01T00:00:00Z" },
    status: { phase: "Running" },
  });
  expect([code, json.metadata.deletionTimestamp, json.status.phase]).toEqual([200, undefined, "Running"]);
});

test("who applies metadata with the status of a CRD owns it", async () => {
  const api = await openWithWidgets();
  const config = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { labels: { a: "b" } },
  };
  const { code, json } = await api.patch(`${DEFINITIONS}/widgets.example.com/status?fieldManager=m`, config, APPLY);
  expect([code, json.metadata.labels]).toEqual([200, { a: "b" }]);
  const entry = json.metadata.managedFields.find(({ manager }: { manager: string }) => manager === "m");
  expect(entry.fieldsV1).toEqual({ "f:metadata": { "f:labels": { "f:a": {} } } });
});

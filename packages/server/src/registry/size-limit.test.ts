import { expect, test } from "vitest";
import { DEFINITIONS, openClient, WIDGETS } from "../app/app.testing.ts";

/** Names of many fields: each is in the object once, and in its managed fields once more. */
function widget(bytes: number): object {
  const annotations = Object.fromEntries([["example.com/a", "x".repeat(200_000)]]);
  const data = Object.fromEntries(
    Array.from({ length: bytes / 100 }, (_, at) => [`k${String(at).padStart(89, "0")}`, "v"]),
  );
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", annotations }, spec: { data } };
}

const definition = {
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

test("an object that only its managed fields make too large is stored without them", async () => {
  const api = await openClient();
  await api.post(DEFINITIONS, definition);
  await api.app.settled();
  const { code } = await api.post(WIDGETS, widget(1_000_000));
  expect(code).toBe(201);
  const { metadata, spec } = (await api.get(`${WIDGETS}/w`)).json;
  expect(metadata.managedFields).toBeUndefined();
  expect(Object.keys(spec.data)).toHaveLength(10_000);
  await api.app.close();
});

test("one that is too large by itself is refused", async () => {
  const api = await openClient();
  await api.post(DEFINITIONS, definition);
  await api.app.settled();
  const { code, json } = await api.post(WIDGETS, widget(1_600_000));
  expect([code, json.message]).toEqual([500, "etcdserver: request is too large"]);
  await api.app.close();
});

/** A config map with many keys; its managed fields have each of them once more. */
const configMap = (keys: number): object => ({
  metadata: { name: "large", namespace: "default" },
  data: Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${String(at).padStart(89, "0")}`, "v"])),
});

test("built-in kinds are measured as upstream stores them, and an apply needs its managed fields", async () => {
  const api = await openClient();
  const maps = "/api/v1/namespaces/default/configmaps";
  const { code, json } = await api.post(maps, configMap(9_000));
  expect([code, json.metadata.managedFields]).toEqual([201, undefined]);
  const applied = await api.patch(
    `${maps}/large?fieldManager=a`,
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "large" } },
    { type: "application/apply-patch+yaml" },
  );
  expect([applied.code, applied.json.message]).toEqual([500, "etcdserver: request is too large"]);
  await api.app.close();
});

test("a dry run may be of any size: nothing is stored", async () => {
  const api = await openClient();
  await api.post(DEFINITIONS, definition);
  await api.app.settled();
  expect((await api.post(WIDGETS, widget(100_000))).code).toBe(201);
  const body = widget(1_600_000);
  const apply = { type: "application/apply-patch+yaml" };
  const tried = await api.patch(`${WIDGETS}/w?fieldManager=a&force=true&dryRun=All`, body, apply);
  expect(tried.code).toBe(200);
  const stored = await api.patch(`${WIDGETS}/w?fieldManager=a&force=true`, body, apply);
  expect([stored.code, stored.json.message]).toEqual([500, "etcdserver: request is too large"]);
  await api.app.close();
});

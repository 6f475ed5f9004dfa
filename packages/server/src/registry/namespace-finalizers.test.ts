import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";

test("a namespace waits for finalizers of others in its specification", async () => {
  const api = await openClient();
  await api.post("/api/v1/namespaces", { metadata: { name: "n" }, spec: { finalizers: ["e.com/f"] } });
  await api.delete("/api/v1/namespaces/n");
  await api.app.settled();
  const { json } = await api.get("/api/v1/namespaces/n");
  expect([json.spec.finalizers, json.status.phase]).toEqual([["e.com/f"], "Terminating"]);
  const map = { metadata: { name: "a" } };
  expect((await api.post("/api/v1/namespaces/n/configmaps", map)).code).toBe(403);
  await api.put("/api/v1/namespaces/n/finalize", { metadata: { name: "n" }, spec: { finalizers: [] } });
  expect((await api.get("/api/v1/namespaces/n")).code).toBe(404);
});

test("a namespace keeps its conditions while it is deleted", async () => {
  const api = await openClient();
  await api.post("/api/v1/namespaces", { metadata: { name: "n" } });
  const conditions = [{ type: "X", status: "True" }];
  await api.patch("/api/v1/namespaces/n/status", { status: { conditions } });
  const { json } = await api.delete("/api/v1/namespaces/n?dryRun=All");
  expect(json.status).toMatchObject({ phase: "Terminating", conditions });
});

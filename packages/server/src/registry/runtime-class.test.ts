import { describe, expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";

const PODS = "/api/v1/namespaces/default/pods";
const RUNTIMES = "/apis/node.k8s.io/v1/runtimeclasses";

function pod(spec: Json): Json {
  const containers = [{ name: "c", image: "x" }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers, ...spec } };
}

async function withRuntime(client: Client, members: Json): Promise<void> {
  const object = {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    metadata: { name: "r" },
    handler: "h",
    ...members,
  };
  expect((await client.post(RUNTIMES, object)).code).toBe(201);
}

describe("runtimes", () => {
  test("set overhead and scheduling", async () => {
    const client = await openClient();
    const scheduling = { nodeSelector: { kind: "r" }, tolerations: [{ key: "r", operator: "Exists" }] };
    await withRuntime(client, { overhead: { podFixed: { cpu: "1" } }, scheduling });
    const { json } = await client.post(PODS, pod({ runtimeClassName: "r", nodeSelector: { a: "b" } }));
    expect(json.spec).toMatchObject({ overhead: { cpu: "1" }, nodeSelector: { a: "b", kind: "r" } });
    expect(json.spec.tolerations).toContainEqual({ key: "r", operator: "Exists" });
  });

  test.each([
    { spec: { runtimeClassName: "none" }, cause: 'RuntimeClass "none" not found' },
    { spec: { overhead: { cpu: "1" } }, cause: "Overhead set without corresponding RuntimeClass" },
    { spec: { overhead: {} }, cause: "Overhead set without corresponding RuntimeClass" },
    { spec: { runtimeClassName: "r", overhead: { cpu: "2" } }, cause: "Overhead doesn't match" },
    { spec: { runtimeClassName: "r", nodeSelector: { kind: "x" } }, cause: "nodeSelector[kind] = r" },
  ])("refuse a pod with $spec", async ({ spec, cause }) => {
    const client = await openClient();
    await withRuntime(client, { overhead: { podFixed: { cpu: "1" } }, scheduling: { nodeSelector: { kind: "r" } } });
    const { code, json } = await client.post(PODS, pod(spec));
    expect([code, json.message]).toEqual([403, expect.stringContaining(cause)]);
  });
});

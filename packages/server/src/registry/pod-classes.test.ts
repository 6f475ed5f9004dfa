import { describe, expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app.testing.ts";

const PODS = "/api/v1/namespaces/default/pods";
const PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses";
const RUNTIMES = "/apis/node.k8s.io/v1/runtimeclasses";

function pod(spec: Json): Json {
  const containers = [{ name: "c", image: "x" }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers, ...spec } };
}

async function withPriority(client: Client, name: string, members: Json): Promise<number> {
  const object = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, ...members };
  return (await client.post(PRIORITIES, object)).code;
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

describe("priorities", () => {
  test("come from the class that a pod names, or from the default one", async () => {
    const client = await openClient();
    await withPriority(client, "high", { value: 7, preemptionPolicy: "Never" });
    await withPriority(client, "usual", { value: 3, globalDefault: true });
    const named = await client.post(PODS, pod({ priorityClassName: "high" }));
    expect(named.json.spec).toMatchObject({ priority: 7, preemptionPolicy: "Never" });
    await client.delete(`${PODS}/p`);
    const unnamed = await client.post(PODS, pod({}));
    expect(unnamed.json.spec).toMatchObject({ priority: 3, priorityClassName: "usual" });
  });

  test("of the system are there from the start", async () => {
    const client = await openClient();
    const { json } = await client.post(PODS, pod({ priorityClassName: "system-node-critical" }));
    expect(json.spec.priority).toBe(2_000_001_000);
  });

  test.each([
    { spec: { priority: 5 }, cause: "the integer value of priority (5)" },
    { spec: { priorityClassName: "none" }, cause: "no PriorityClass with name none was found" },
    { spec: { preemptionPolicy: "Never" }, cause: "the string value of PreemptionPolicy (Never)" },
  ])("are refused where a pod says $spec", async ({ spec, cause }) => {
    const { code, json } = await (await openClient()).post(PODS, pod(spec));
    expect([code, json.message]).toEqual([403, expect.stringContaining(cause)]);
  });

  test("have one default only", async () => {
    const client = await openClient();
    expect(await withPriority(client, "a", { value: 1, globalDefault: true })).toBe(201);
    expect(await withPriority(client, "b", { value: 1, globalDefault: true })).toBe(403);
  });
});

describe("runtimes", () => {
  test("bring what they cost and where they run", async () => {
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
    { spec: { runtimeClassName: "r", overhead: { cpu: "2" } }, cause: "Overhead doesn't match" },
    { spec: { runtimeClassName: "r", nodeSelector: { kind: "x" } }, cause: "nodeSelector[kind] = r" },
  ])("refuse a pod with $spec", async ({ spec, cause }) => {
    const client = await openClient();
    await withRuntime(client, { overhead: { podFixed: { cpu: "1" } }, scheduling: { nodeSelector: { kind: "r" } } });
    const { code, json } = await client.post(PODS, pod(spec));
    expect([code, json.message]).toEqual([403, expect.stringContaining(cause)]);
  });
});

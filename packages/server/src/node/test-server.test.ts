import { afterEach, describe, expect, test } from "vitest";
import type { Json } from "../app/app.testing.ts";
import { TestClock } from "./clock.ts";
import { type RunningServer, type ServerOptions, startServer } from "./start.ts";

const running: RunningServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ tls: "none", ...options });
  running.push(server);
  return server;
}

const MAPS = "/api/v1/namespaces/default/configmaps";

const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } });

async function send(server: RunningServer, path: string, method = "GET", body?: object) {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  const json: Json = text.startsWith("{") ? JSON.parse(text) : undefined;
  return { code: answer.status, json };
}

const names = async (server: RunningServer): Promise<string[]> =>
  (await send(server, MAPS)).json.items
    .map((each: { metadata: { name: string } }) => each.metadata.name)
    .filter((name: string) => name !== "kube-root-ca.crt");

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

describe("reset", () => {
  test("goes back to the state after the start, in a few milliseconds", async () => {
    const server = await start();
    await server.create(crd);
    await server.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
    for (let at = 0; at < 20; at++) await server.create(map(`m${at}`));
    const before = performance.now();
    await server.reset();
    const took = performance.now() - before;
    expect(took).toBeLessThan(200);
    expect(await names(server)).toEqual([]);
    expect((await send(server, "/apis/example.com/v1")).code).toBe(404);
    expect((await send(server, "/api/v1/namespaces/other")).code).toBe(404);
    expect((await server.create(crd)).code).toBe(201);
  });

  test("goes back to a snapshot: what was changed and deleted is as it was", async () => {
    const server = await start();
    await server.create(map("kept"));
    const snapshot = await server.snapshot();
    await send(server, `${MAPS}/kept`, "PUT", { ...map("kept"), data: { a: "b" } });
    await server.create(map("added"));
    await server.reset(snapshot);
    expect(await names(server)).toEqual(["kept"]);
    expect((await send(server, `${MAPS}/kept`)).json.data).toBeUndefined();
    await send(server, `${MAPS}/kept`, "DELETE");
    await server.reset(snapshot);
    expect(await names(server)).toEqual(["kept"]);
  });
});

test("several servers in one process know nothing of each other", async () => {
  const [first, second] = [await start(), await start()];
  await first.create(crd);
  await first.create(map("a"));
  expect(await names(first)).toEqual(["a"]);
  expect(await names(second)).toEqual([]);
  expect((await send(second, "/apis/example.com/v1")).code).toBe(404);
});

test("a test turns the clock", async () => {
  const clock = new TestClock(Date.parse("2030-01-01T00:00:00Z"));
  const server = await start({ now: clock.now });
  await server.create(map("a"));
  clock.advance(3_600_000);
  await server.create(map("b"));
  const times = (await send(server, MAPS)).json.items.map(
    (each: { metadata: { creationTimestamp: string } }) => each.metadata.creationTimestamp,
  );
  expect(times.slice(0, 2)).toEqual(["2030-01-01T00:00:00Z", "2030-01-01T01:00:00Z"]);
});

describe("faults", () => {
  test("a conflict is answered as often as it was ordered", async () => {
    const server = await start();
    await server.create(map("a"));
    server.faults.add({ verb: "update", resource: "configmaps", status: 409, times: 1 });
    const { code, json } = await send(server, `${MAPS}/a`, "PUT", map("a"));
    expect(code).toBe(409);
    expect(json.message).toBe(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
    expect((await send(server, `${MAPS}/a`, "PUT", map("a"))).code).toBe(200);
  });

  test("errors and delays end when they are taken back", async () => {
    const server = await start();
    const heal = server.faults.add({ resource: "configmaps", namespace: "default", status: 500 });
    expect((await send(server, MAPS)).json.reason).toBe("InternalError");
    expect((await send(server, "/api/v1/namespaces/kube-system/configmaps")).code).toBe(200);
    heal();
    server.faults.add({ resource: "configmaps", latency: 50 });
    const before = performance.now();
    expect((await send(server, MAPS)).code).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(45);
  });

  test("open watches are dropped", async () => {
    const server = await start();
    const headers = { authorization: `Bearer ${server.token}` };
    const watch = await fetch(`${server.url}${MAPS}?watch=1&resourceVersion=0`, { headers });
    const ended = watch.text();
    server.faults.dropWatches({ resource: "configmaps" });
    // Without the fault it would stay open.
    expect(typeof (await ended)).toBe("string");
  });
});

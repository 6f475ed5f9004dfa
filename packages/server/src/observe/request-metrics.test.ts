import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const SERVICES = "/api/v1/namespaces/default/services";

/** The value of the series, by its name and labels. */
async function metricsOf(
  client: Awaited<ReturnType<typeof openClient>>,
): Promise<(series: string) => string | undefined> {
  const lines = (await client.get("/metrics")).text.split("\n");
  return (series) =>
    lines
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1);
}

test("the bodies of requests are measured by resource and verb", async () => {
  const client = await openClient();
  const object = { metadata: { name: "a" }, data: { text: "x".repeat(60_000) } };
  await client.post(MAPS, object);
  await client.patch(`${MAPS}/a`, { data: { text: null } });
  await client.delete(`${MAPS}/a`);
  await client.delete(MAPS);
  const value = await metricsOf(client);
  const labels = (verb: string): string => `group="",resource="configmaps",verb="${verb}"`;
  const name = "apiserver_request_body_size_bytes";
  expect(
    ["create", "patch", "delete", "delete_collection"].map((verb) => value(`${name}_count{${labels(verb)}}`)),
  ).toEqual(["1", "1", "1", "1"]);
  expect(value(`${name}_bucket{${labels("create")},le="50000"}`)).toBe("0");
  expect(value(`${name}_bucket{${labels("create")},le="150000"}`)).toBe("1");
  expect(value(`${name}_bucket{${labels("create")},le="3.05e+06"}`)).toBe("1");
  expect(Number(value(`${name}_sum{${labels("create")}}`))).toBeGreaterThan(60_000);
});

test("the steps before a request is handled are timed", async () => {
  const client = await openClient();
  await client.get("/version", { token: "alice" });
  await client.get("/version", { token: "wrong" });
  const value = await metricsOf(client);
  const count = (filter: string): string | undefined =>
    value(`apiserver_request_filter_duration_seconds_count{filter="${filter}"}`);
  // The request for the metrics is one of them.
  expect([count("authentication"), count("authorization"), count("priorityandfairness")]).toEqual(["3", "2", "2"]);
  expect(value('apiserver_request_filter_duration_seconds_bucket{filter="authorization",le="30"}')).toBe("2");
});

test("lists count the objects that they read, compare and return", async () => {
  const client = await openClient();
  const path = "/api/v1/namespaces/new/configmaps";
  await client.post("/api/v1/namespaces", { metadata: { name: "new" } });
  for (const name of ["a", "b", "c"]) {
    await client.post(path, { metadata: { name, labels: { app: name } } });
  }
  const counts = async (): Promise<number[]> => {
    const value = await metricsOf(client);
    const names = ["total", "fetched_objects_total", "evaluated_objects_total", "returned_objects_total"];
    return names.map((name) => Number(value(`apiserver_storage_list_${name}{group="",resource="configmaps"}`) ?? 0));
  };
  const before = await counts();
  await client.get(`${path}?labelSelector=app=b`);
  await client.get(`${path}?limit=1`);
  const after = await counts();
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 4, 4, 2]);
});

test("feature gates are shown with their stage", async () => {
  const client = await openClient({ version: "1.36", featureGates: new Map([["MutatingAdmissionPolicy", false]]) });
  const value = await metricsOf(client);
  const gate = (name: string, stage: string): string | undefined =>
    value(`kubernetes_feature_enabled{name="${name}",stage="${stage}"}`);
  expect([
    gate("CRDValidationRatcheting", ""),
    gate("ShardedListAndWatch", "ALPHA"),
    gate("WatchList", "BETA"),
  ]).toEqual(["1", "0", "1"]);
  expect(gate("MutatingAdmissionPolicy", "")).toBe("0");
});

test("addresses and node ports are counted by range, requested and chosen ones", async () => {
  const client = await openClient({ serviceRange: "10.7.0.0/29", nodePortRange: { first: 30_000, last: 30_001 } });
  const create = (name: string, spec: object = {}) =>
    client.post(SERVICES, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  const cidr = 'cidr="10.7.0.0/29"';
  const [ips, ports] = ["kube_apiserver_clusterip_allocator", "kube_apiserver_nodeport_allocator"];
  expect((await create("requested", { clusterIP: "10.7.0.4" })).code).toBe(201);
  expect((await create("taken", { clusterIP: "10.7.0.4" })).code).toBe(422);
  expect((await create("outside", { clusterIP: "10.8.0.4" })).code).toBe(422);
  for (const name of ["a", "b"]) expect((await create(name, { type: "NodePort" })).code).toBe(201);
  expect((await create("full", { type: "NodePort", clusterIP: "10.7.0.6" })).code).not.toBe(201);
  const value = await metricsOf(client);
  // One of them is the address of the server.
  expect([value(`${ips}_allocated_ips{${cidr}}`), value(`${ips}_available_ips{${cidr}}`)]).toEqual(["4", "2"]);
  expect([value(`${ports}_allocated_ports`), value(`${ports}_available_ports`)]).toEqual(["2", "0"]);
  expect(value(`${ips}_allocation_total{${cidr},scope="static"}`)).toBe("1");
  expect(value(`${ips}_allocation_errors_total{${cidr},scope="static"}`)).toBe("1");
  expect(value(`${ips}_allocation_total{${cidr},scope="dynamic"}`)).toBe("2");
  expect(value(`${ips}_allocation_duration_seconds_count{${cidr}}`)).toBe("3");
  expect(value(`${ports}_allocation_total{scope="dynamic"}`)).toBe("2");
  expect(Number(value(`${ports}_allocation_errors_total{scope="dynamic"}`))).toBeGreaterThan(0);
  await client.delete(`${SERVICES}/a`);
  await client.app.settled();
  const after = await metricsOf(client);
  expect([after(`${ips}_available_ips{${cidr}}`), after(`${ports}_available_ports`)]).toEqual(["3", "1"]);
});

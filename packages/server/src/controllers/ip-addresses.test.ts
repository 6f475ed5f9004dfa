import { forbidden } from "@portcullis/engine/internal/status/error";
import { expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";

const NETWORKING = "/apis/networking.k8s.io/v1";
const SERVICES = "/api/v1/namespaces/default/services";

const service = (spec: Json): Json => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec: { ports: [{ port: 80 }], ...spec },
});

async function addresses(client: Client): Promise<string[]> {
  await client.app.settled();
  return (await client.get(`${NETWORKING}/ipaddresses`)).json.items.map((each: Json) => each.metadata.name);
}

test("the default range exists and is ready", async () => {
  const client = await openClient({ serviceRange: "10.7.0.0/16" });
  const { json } = await client.get(`${NETWORKING}/servicecidrs/kubernetes`);
  expect([json.spec, json.status]).toEqual([
    { cidrs: ["10.7.0.0/16"] },
    {
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastTransitionTime: "2026-01-02T03:04:05Z",
          reason: "",
          message: "Kubernetes default Service CIDR is ready",
        },
      ],
    },
  ]);
});

test("writing the status of a range changes nothing else", async () => {
  const client = await openClient();
  const path = `${NETWORKING}/servicecidrs/kubernetes/status`;
  const { code, json } = await client.patch(path, { metadata: { labels: { a: "b" } }, status: { conditions: [] } });
  expect([code, json.metadata.labels, json.status.conditions]).toEqual([200, undefined, undefined]);
});

test("an address is created and deleted with its service", async () => {
  const client = await openClient();
  expect(await addresses(client)).toEqual(["10.0.0.1"]);
  const made = await client.post(SERVICES, service({}));
  const { clusterIP } = made.json.spec;
  expect(await addresses(client)).toEqual(["10.0.0.1", clusterIP]);
  const { json } = await client.get(`${NETWORKING}/ipaddresses/${clusterIP}`);
  expect(json.metadata.labels).toEqual({
    "ipaddress.kubernetes.io/ip-family": "IPv4",
    "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
  });
  expect(json.spec).toEqual({ parentRef: { resource: "services", namespace: "default", name: "s" } });
  await client.delete(`${NETWORKING}/ipaddresses/${clusterIP}`);
  expect(await addresses(client)).toEqual(["10.0.0.1", clusterIP]);
  await client.delete(`${SERVICES}/s`);
  expect(await addresses(client)).toEqual(["10.0.0.1"]);
});

test("a service without an address has none", async () => {
  const client = await openClient();
  await client.post(SERVICES, service({ clusterIP: "None" }));
  expect(await addresses(client)).toEqual(["10.0.0.1"]);
});

test("an address created by a user is not allocated and is kept", async () => {
  const client = await openClient();
  const first = (await client.post(SERVICES, named("first", {}))).json.spec.clusterIP;
  const taken = first.replace(/\d+$/, (host: string) => String(Number(host) + 1));
  const parentRef = { group: "example.com", resource: "things", name: "t" };
  const address = {
    apiVersion: "networking.k8s.io/v1",
    kind: "IPAddress",
    metadata: { name: taken },
    spec: { parentRef },
  };
  expect((await client.post(`${NETWORKING}/ipaddresses`, address)).code).toBe(201);
  for (const name of ["a", "b", "c"]) {
    const { json } = await client.post(SERVICES, { ...service({}), metadata: { name } });
    expect(json.spec.clusterIP).not.toBe(taken);
  }
  expect(await addresses(client)).toContain(taken);
});

const named = (name: string, spec: Json): Json => ({ ...service(spec), metadata: { name } });
const nodePort = (port: number, name = "a"): Json =>
  named(name, { type: "NodePort", ports: [{ port: 80, nodePort: port }] });

test("a used address is refused to other services and is free after deletion", async () => {
  const client = await openClient();
  const requested = { clusterIP: "10.0.0.77" };
  expect((await client.post(SERVICES, named("a", requested))).code).toBe(201);
  const { code, json } = await client.post(SERVICES, named("b", requested));
  expect([code, json.message]).toEqual([
    422,
    'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.77"]: failed to allocate IP 10.0.0.77: provided IP is already allocated',
  ]);
  expect((await client.post(`${SERVICES}?dryRun=All`, named("b", requested))).code).toBe(201);
  expect((await client.post(`${SERVICES}?dryRun=All`, named("a", requested))).code).toBe(409);
  await client.delete(`${SERVICES}/a`);
  expect((await client.post(SERVICES, named("b", requested))).code).toBe(201);
});

test("a used node port is refused to other services, on create and on update", async () => {
  const client = await openClient();
  expect((await client.post(SERVICES, nodePort(30_123))).code).toBe(201);
  const { code, json } = await client.post(SERVICES, nodePort(30_123, "b"));
  expect([code, json.message]).toEqual([
    422,
    'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30123: provided port is already allocated',
  ]);
  expect((await client.post(SERVICES, nodePort(30_124, "b"))).code).toBe(201);
  expect((await client.put(`${SERVICES}/b`, nodePort(30_123, "b"))).code).toBe(422);
  expect((await client.put(`${SERVICES}/b`, nodePort(30_125, "b"))).code).toBe(200);
  await client.app.settled();
  expect((await client.post(SERVICES, nodePort(30_124, "c"))).code).toBe(201);
});

test("one node port may serve two protocols of a service", async () => {
  const client = await openClient();
  const ports = ["TCP", "UDP"].map((protocol) => ({
    name: protocol.toLowerCase(),
    port: 53,
    protocol,
    nodePort: 30_053,
  }));
  expect((await client.post(SERVICES, named("dns", { type: "NodePort", ports }))).code).toBe(201);
});

// biome-ignore format: a table
test.each([
  { name: "an address outside the range",    body: named("a", { clusterIP: "192.168.0.1" }), text: 'spec.clusterIPs: Invalid value: ["192.168.0.1"]: failed to allocate IP 192.168.0.1: the provided network does not match the current range' },
  { name: "a node port outside the range", body: nodePort(80),                            text: "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767" },
])("$name is refused", async ({ body, text }) => {
  const client = await openClient();
  const { code, json } = await client.post(SERVICES, body);
  expect([code, json.message]).toEqual([422, `Service "a" is invalid: ${text}`]);
});

test("a service that is refused later releases its reservations", async () => {
  const refuse = {
    validate: async ({ name }: { name: string }): Promise<void> => {
      if (name === "unwanted") throw forbidden({ group: "", resource: "services" }, name, "no");
    },
  };
  const client = await openClient({ admission: [refuse] });
  expect((await client.post(SERVICES, named("unwanted", { clusterIP: "10.0.0.9" }))).code).toBe(403);
  expect((await client.post(SERVICES, named("a", { clusterIP: "10.0.0.9" }))).code).toBe(201);
});

test("servers on one store never allocate the same address", async () => {
  const store = new MemoryStore();
  const servers = [await openClient({ store }), await openClient({ store })];
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      servers[index % 2]?.post(SERVICES, named(`s${index}`, { type: "NodePort" })),
    ),
  );
  expect(new Set(made.map((each) => each?.json.spec.clusterIP)).size).toBe(60);
  expect(new Set(made.map((each) => each?.json.spec.ports[0].nodePort)).size).toBe(60);
});

test("two spellings of an address are one address", async () => {
  const client = await openClient({
    serviceRange: "10.0.0.0/16,fd00:10::/108",
    featureGates: new Map([["StrictIPCIDRValidation", false]]),
  });
  const old = await client.post(SERVICES, named("a", { clusterIP: "10.0.0.011" }));
  expect([old.code, old.json.spec.clusterIP]).toEqual([201, "10.0.0.011"]);
  const long = { clusterIP: "fd00:10:0::0007", ipFamilies: ["IPv6"] };
  expect((await client.post(SERVICES, named("b", long))).code).toBe(201);
  expect(await addresses(client)).toEqual(["10.0.0.1", "10.0.0.11", "fd00:10::7"]);
  for (const clusterIP of ["10.0.0.11", "fd00:10::7"]) {
    const { code, json } = await client.post(SERVICES, named("c", { clusterIP }));
    expect([code, json.message]).toEqual([422, expect.stringContaining("provided IP is already allocated")]);
  }
});

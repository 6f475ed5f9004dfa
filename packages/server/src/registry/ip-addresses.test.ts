import { expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app.testing.ts";

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

test("the default range is there and ready", async () => {
  const client = await openClient({ serviceRange: "10.7.0.0/16" });
  const { json } = await client.get(`${NETWORKING}/servicecidrs/kubernetes`);
  expect([json.spec, json.status]).toEqual([
    { cidrs: ["10.7.0.0/16"] },
    {
      conditions: [
        {
          ...{ type: "Ready", status: "True", lastTransitionTime: "2026-01-02T03:04:05Z", reason: "" },
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

test("an address comes and goes with its service", async () => {
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

test("an address that somebody has made is not handed out, and is theirs", async () => {
  const client = await openClient();
  const taken = (await client.post(`${SERVICES}?dryRun=All`, service({}))).json.spec.clusterIP.replace(/\d+$/, "4");
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

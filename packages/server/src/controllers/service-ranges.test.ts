import { expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";

const NETWORKING = "/apis/networking.k8s.io/v1";
const SERVICES = "/api/v1/namespaces/default/services";
const BOTH = "10.0.0.0/24,fd00:10::/112";
const IPV6_FIRST = "fd00:10::/112,10.0.0.0/24";

const service = (spec: Json, name = "s"): Json => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

/** The families, the policy and the families of the addresses. */
function stacks({ spec }: Json): string {
  const addresses = (spec.clusterIPs ?? []).map((ip: string) => (ip.includes(":") ? "6" : ip === "None" ? "-" : "4"));
  return `${(spec.ipFamilies ?? []).join()} ${spec.ipFamilyPolicy} ${addresses.join()}`;
}

// biome-ignore format: a table
test.each([
  { name: "the default is the first family",                      serviceRange: BOTH,       spec: {},                                                              is: "IPv4 SingleStack 4" },
  { name: "the first family may be IPv6",                         serviceRange: IPV6_FIRST, spec: {},                                                              is: "IPv6 SingleStack 6" },
  { name: "PreferDualStack gets both",                            serviceRange: BOTH,       spec: { ipFamilyPolicy: "PreferDualStack" },                           is: "IPv4,IPv6 PreferDualStack 4,6" },
  { name: "PreferDualStack gets what there is",                   serviceRange: undefined,  spec: { ipFamilyPolicy: "PreferDualStack" },                           is: "IPv4 PreferDualStack 4" },
  { name: "the requested family is first",                        serviceRange: BOTH,       spec: { ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv6"] },    is: "IPv6,IPv4 RequireDualStack 6,4" },
  { name: "the second family alone",                              serviceRange: BOTH,       spec: { ipFamilies: ["IPv6"] },                                        is: "IPv6 SingleStack 6" },
  { name: "a requested address names its family",                 serviceRange: BOTH,       spec: { clusterIP: "fd00:10::7" },                                     is: "IPv6 SingleStack 6" },
  { name: "one requested address of two",                         serviceRange: BOTH,       spec: { clusterIP: "fd00:10::7", ipFamilyPolicy: "PreferDualStack" },  is: "IPv6,IPv4 PreferDualStack 6,4" },
  { name: "headless with a selector has the default family",      serviceRange: BOTH,       spec: { clusterIP: "None", selector: { a: "b" } },                     is: "IPv4 SingleStack -" },
  { name: "headless without a selector has both on any cluster",  serviceRange: undefined,  spec: { clusterIP: "None" },                                           is: "IPv4,IPv6 RequireDualStack -" },
  { name: "headless without a selector starts with the default",  serviceRange: IPV6_FIRST, spec: { clusterIP: "None" },                                           is: "IPv6,IPv4 RequireDualStack -" },
])("families: $name", async ({ serviceRange, spec, is }) => {
  const client = await openClient({ ...(serviceRange && { serviceRange }) });
  const { code, json } = await client.post(SERVICES, service(spec));
  expect([code, code === 201 ? stacks(json) : json.message]).toEqual([201, is]);
});

// biome-ignore format: a table
test.each([
  { name: "an address of a family that is absent",  serviceRange: undefined, spec: { clusterIP: "fd00:10::7" },                                       text: 'spec.clusterIPs[0]: Invalid value: ["fd00:10::7"]: IPv6 is not configured on this cluster' },
  { name: "two families that are required",          serviceRange: undefined, spec: { ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv6"] },      text: '[spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services, spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster]' },
  { name: "two families and SingleStack",            serviceRange: BOTH,      spec: { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv6", "IPv4"] },   text: 'spec.ipFamilyPolicy: Invalid value: "SingleStack": must be \'RequireDualStack\' or \'PreferDualStack\' when multiple IP families are specified' },
  { name: "the address of the network",              serviceRange: BOTH,      spec: { clusterIP: "10.0.0.0" },                                         text: 'spec.clusterIPs: Invalid value: ["10.0.0.0"]: failed to allocate IP 10.0.0.0: the provided network does not match the current range' },
  { name: "an IPv6 address outside the range",       serviceRange: BOTH,      spec: { clusterIP: "fd00:11::1" },                                       text: 'spec.clusterIPs: Invalid value: ["fd00:11::1"]: failed to allocate IP fd00:11::1: the provided network does not match the current range' },
])("refused: $name", async ({ serviceRange, spec, text }) => {
  const client = await openClient({ ...(serviceRange && { serviceRange }) });
  const { code, json } = await client.post(SERVICES, service(spec));
  expect([code, json.message]).toEqual([422, `Service "s" is invalid: ${text}`]);
});

test("a service gets a second address and gives it back", async () => {
  const client = await openClient({ serviceRange: BOTH });
  const { json: made } = await client.post(SERVICES, service({}));
  const { json: both } = await client.patch(`${SERVICES}/s`, { spec: { ipFamilyPolicy: "PreferDualStack" } });
  expect([stacks(both), both.spec.clusterIP]).toEqual(["IPv4,IPv6 PreferDualStack 4,6", made.spec.clusterIP]);
  expect(await addressesOf(client)).toContain(both.spec.clusterIPs[1]);
  const list = { spec: { clusterIPs: [made.spec.clusterIP] } };
  const refused = await client.patch(`${SERVICES}/s`, list);
  expect([refused.code, refused.json.message]).toEqual([
    422,
    'Service "s" is invalid: spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be \'SingleStack\' to release the secondary cluster IP',
  ]);
  const { json: one } = await client.patch(`${SERVICES}/s`, { spec: { ipFamilyPolicy: "SingleStack" } });
  expect(stacks(one)).toBe("IPv4 SingleStack 4");
  expect(await addressesOf(client)).not.toContain(both.spec.clusterIPs[1]);
});

test("an address says which family it has", async () => {
  const client = await openClient({ serviceRange: IPV6_FIRST });
  const { json } = await client.post(SERVICES, service({}));
  await client.app.settled();
  const address = await client.get(`${NETWORKING}/ipaddresses/${json.spec.clusterIP}`);
  expect(address.json.metadata.labels["ipaddress.kubernetes.io/ip-family"]).toBe("IPv6");
  const own = await client.get(`${SERVICES}/kubernetes`);
  expect([own.json.spec.clusterIP, own.json.spec.ipFamilies]).toEqual(["fd00:10::1", ["IPv6"]]);
});

// biome-ignore format: a table
test.each([
  { change: {},                                       code: 200 },
  { change: { clusterIP: null },                      code: 200 },
  { change: { clusterIPs: null },                     code: 200 },
  { change: { clusterIP: null, clusterIPs: null },    code: 200 },
  { change: { clusterIP: "10.0.0.99" },               code: 422 },
  { change: { ipFamilies: ["IPv6"] },                 code: 422 },
])("a service that becomes an ExternalName with $change is a $code", async ({ change, code }) => {
  const client = await openClient();
  await client.post(SERVICES, service({}));
  const spec = { type: "ExternalName", externalName: "a.b", ...change };
  const { code: got, json } = await client.patch(`${SERVICES}/s`, { spec });
  expect([got, got === 200 && json.spec.clusterIPs]).toEqual([code, code === 200 && undefined]);
});

const range = (name: string, ...cidrs: string[]): Json => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "ServiceCIDR",
  metadata: { name },
  spec: { cidrs },
});

test("addresses come from other ranges too, while they are ready", async () => {
  const client = await openClient({ serviceRange: "10.7.0.0/29" });
  for (let index = 0; index < 5; index++) {
    expect((await client.post(SERVICES, service({}, `s${index}`))).code).toBe(201);
  }
  const full = await client.post(SERVICES, service({}));
  expect([full.code, full.json.message]).toEqual([
    500,
    'Internal error occurred: failed to allocate a serviceIP for Service "s": range is full',
  ]);
  await client.post(`${NETWORKING}/servicecidrs`, range("more", "192.168.9.0/28"));
  const { json } = await client.post(SERVICES, service({}));
  expect(json.spec.clusterIP).toMatch(/^192\.168\.9\./);
  const condition = {
    type: "Ready",
    status: "False",
    reason: "Terminating",
    lastTransitionTime: "2026-01-02T03:04:05Z",
  };
  const status = { status: { conditions: [{ ...condition, message: "no" }] } };
  await client.patch(`${NETWORKING}/servicecidrs/more/status`, status);
  expect((await client.post(SERVICES, service({}, "late"))).code).toBe(500);
  expect((await client.post(SERVICES, service({ clusterIP: "192.168.9.9" }, "late"))).code).toBe(422);
});

test("a dry run shows the address of the network and allocates nothing", async () => {
  const client = await openClient({ serviceRange: BOTH });
  const spec = { type: "NodePort", ipFamilyPolicy: "PreferDualStack" };
  const { json } = await client.post(`${SERVICES}?dryRun=All`, service(spec));
  expect([json.spec.clusterIPs, json.spec.ports[0].nodePort]).toEqual([["10.0.0.0", "fd00:10::"], 32_769]);
  const outside = await client.post(`${SERVICES}?dryRun=All`, service({ clusterIP: "10.9.0.1" }));
  expect(outside.json.message).toBe(
    'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.9.0.1"]: failed to allocate IP 10.9.0.1: the provided IP (10.9.0.1) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
  );
});

test("protocols of one port of a new service share a node port", async () => {
  const client = await openClient();
  const ports = ["TCP", "UDP"].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol }));
  const { json } = await client.post(SERVICES, service({ type: "NodePort", ports }));
  const [tcp, udp] = json.spec.ports.map(({ nodePort }: Json) => nodePort);
  expect(tcp).toBe(udp);
});

test("the default range is created again, and a second one is added", async () => {
  const client = await openClient({ serviceRange: BOTH });
  const path = `${NETWORKING}/servicecidrs/kubernetes`;
  expect((await client.get(path)).json.spec.cidrs).toEqual(BOTH.split(","));
  await client.delete(path);
  await client.app.settled();
  expect((await client.get(path)).json.status.conditions[0].status).toBe("True");
});

// biome-ignore format: a table
test.each([
  { text: "10.0.0.0/33",                         error: "service-cluster-ip-range[0] is not a valid cidr" },
  { text: "10.0.0.0/24,x",                       error: "service-cluster-ip-range[1] is not an ip net" },
  { text: "10.0.0.0/24,10.1.0.0/24",             error: "--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family" },
  { text: "10.0.0.0/24,fd00::/112,fd01::/112",   error: "--service-cluster-ip-range must not contain more than two entries" },
  { text: "10.0.0.0/30",                         error: "error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses" },
])("the option $text is refused", async ({ text, error }) => {
  await expect(openClient({ serviceRange: text })).rejects.toThrow(error);
});

async function addressesOf(client: Client): Promise<string[]> {
  await client.app.settled();
  return (await client.get(`${NETWORKING}/ipaddresses`)).json.items.map((each: Json) => each.metadata.name);
}

test("a balancer that needs no node ports gives back those that are left out", async () => {
  const client = await openClient();
  const ports = [
    { name: "a", port: 80 },
    { name: "b", port: 81 },
  ];
  const { json: made } = await client.post(SERVICES, service({ type: "LoadBalancer", ports }));
  const [, kept] = made.spec.ports;
  const spec = { ...made.spec, allocateLoadBalancerNodePorts: false, ports: [ports[0], kept] };
  const { code, json } = await client.put(`${SERVICES}/s`, { ...made, spec });
  expect([code, json.spec.ports.map(({ nodePort }: Json) => nodePort)]).toEqual([200, [undefined, kept.nodePort]]);
});

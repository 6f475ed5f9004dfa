import { expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import type { AppOptions } from "../app/options.ts";

const CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const TEMPLATES = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const alice = { token: "alice" };

const spec = (adminAccess = false) => ({
  devices: { requests: [{ name: "r", exactly: { deviceClassName: "c", ...(adminAccess && { adminAccess }) } }] },
});

const RESULT = { request: "r", driver: "d.example.com", pool: "p", device: "x" };
const FIELDS = [{ key: "metadata.name", operator: "In", values: ["node1"] }];
const ALLOCATION = { devices: { results: [RESULT] }, nodeSelector: { nodeSelectorTerms: [{ matchFields: FIELDS }] } };
const DEVICE = { driver: "d.example.com", pool: "p", device: "x" };

async function open(options: Partial<AppOptions> = {}): Promise<Client> {
  const api = await openClient(options);
  await api.post(CLAIMS, { metadata: { name: "c" }, spec: spec() });
  await grant(api, "base", { resources: ["resourceclaims/status"], verbs: ["update", "patch"] });
  return api;
}

async function grant(api: Client, name: string, rule: object): Promise<void> {
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }];
  const rules = [{ apiGroups: ["resource.k8s.io"], ...rule }];
  await api.post(`${RBAC}/clusterroles`, { metadata: { name }, rules });
  await api.post(`${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
}

const writeStatus = (api: Client, status: object) => api.patch(`${CLAIMS}/c/status`, { status }, alice);

test("a claim is bound by clients that may bind claims in all namespaces", async () => {
  const api = await open();
  const refused = await writeStatus(api, { allocation: ALLOCATION });
  expect([refused.code, refused.json.details.causes]).toEqual([
    422,
    [
      {
        reason: "FieldValueForbidden",
        field: "status.allocation",
        message:
          'Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="patch" permission: resourceclaims.resource.k8s.io is forbidden: User "alice" cannot patch resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope',
      },
    ],
  ]);
  await grant(api, "binder", { resources: ["resourceclaims/binding"], verbs: ["patch"] });
  expect((await writeStatus(api, { allocation: ALLOCATION })).code).toBe(200);
});

test("the status of a device is written with a right for its driver", async () => {
  const api = await open();
  await api.patch(`${CLAIMS}/c/status`, { status: { allocation: ALLOCATION } });
  const refused = await writeStatus(api, { devices: [DEVICE] });
  expect([refused.code, refused.json.details.causes[0].message]).toEqual([
    422,
    'Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:patch]" permission: resourceclaims.resource.k8s.io "d.example.com" is forbidden: User "alice" cannot arbitrary-node:patch resource "resourceclaims/driver" in API group "resource.k8s.io" in the namespace "default"',
  ]);
  const rule = { resources: ["resourceclaims/driver"], resourceNames: ["d.example.com"] };
  await grant(api, "driver", { ...rule, verbs: ["arbitrary-node:patch"] });
  expect((await writeStatus(api, { devices: [DEVICE] })).code).toBe(200);
});

test("a driver on the node of the claim needs the right for that node only", async () => {
  const extra = new Map([["authentication.kubernetes.io/node-name", ["node1"]]]);
  const driver = { name: "system:serviceaccount:default:driver", uid: "", groups: [], extra };
  const asked: string[] = [];
  const api = await open({
    authenticators: [async (request) => (request.header("authorization") === "Bearer alice" ? driver : admin)],
    authorizers: [
      async ({ user, verb, subresource }) => {
        if (user.name === driver.name) asked.push(`${subresource} ${verb}`);
        return { verdict: verb === "arbitrary-node:patch" ? "no-opinion" : "allow", reason: "" };
      },
    ],
  });
  await api.patch(`${CLAIMS}/c/status`, { status: { allocation: ALLOCATION } });
  expect((await writeStatus(api, { devices: [DEVICE] })).code).toBe(200);
  expect(asked).toEqual(["status patch", "driver associated-node:patch"]);
});

const admin = { name: "admin", uid: "", groups: ["system:masters"], extra: new Map<string, string[]>() };

test.each([
  {
    name: "where the gate is off",
    options: { featureGates: new Map([["DRAResourceClaimGranularStatusAuthorization", false]]) },
  },
  { name: "before 1.36", options: { version: "1.35" } },
] satisfies { name: string; options: Partial<AppOptions> }[])(
  "the right to write the status is enough $name",
  async ({ options }) => {
    const api = await open(options);
    expect((await writeStatus(api, { allocation: ALLOCATION })).code).toBe(200);
  },
);

// biome-ignore format: a table
test.each([
  { kind: "claim",    place: CLAIMS,    claim: { spec: spec(true) } },
  { kind: "template", place: TEMPLATES, claim: { spec: { spec: spec(true) } } },
])("a $kind has access for administrators in namespaces with a label", async ({ place, claim }) => {
  const api = await open();
  const create = () => api.post(place, { metadata: { name: "a" }, ...claim });
  const refused = await create();
  expect([refused.code, refused.json.details.causes]).toEqual([422, [{
    reason: "FieldValueForbidden",
    field: expect.stringMatching(/^spec\.devices\.requests\[0\]\.adminAccess$/),
    message: "Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace",
  }]]);
  const labels = { "resource.kubernetes.io/admin-access": "true" };
  await api.patch("/api/v1/namespaces/default", { metadata: { labels } });
  expect((await create()).code).toBe(201);
});

test("devices are allocated with access for administrators in namespaces with a label", async () => {
  const api = await open();
  const allocation = { ...ALLOCATION, devices: { results: [{ ...RESULT, adminAccess: true }] } };
  const allocate = () => api.patch(`${CLAIMS}/c/status`, { status: { allocation } });
  const refused = await allocate();
  expect([refused.code, refused.json.details.causes[0].field]).toEqual([
    422,
    "status.allocation.devices.results[0].adminAccess",
  ]);
  await api.patch("/api/v1/namespaces/default", {
    metadata: { labels: { "resource.kubernetes.io/admin-access": "true" } },
  });
  expect((await allocate()).code).toBe(200);
});

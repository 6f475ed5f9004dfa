import { describe, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";

const SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const LEVELS = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";

/** The names of the schema and the level in the headers of a response. */
async function flowOf(client: Client, headers: Headers): Promise<string[]> {
  const named = async (path: string, header: string): Promise<string> => {
    const { items } = (await client.get(path)).json;
    return items.find((each: { metadata: { uid: string } }) => each.metadata.uid === headers.get(header))?.metadata
      .name;
  };
  return [
    await named(SCHEMAS, "x-kubernetes-pf-flowschema-uid"),
    await named(LEVELS, "x-kubernetes-pf-prioritylevel-uid"),
  ];
}

const group = (name: string) => ({ kind: "Group", group: { name } });

function schema(name: string, spec: object): object {
  return { apiVersion: "flowcontrol.apiserver.k8s.io/v1", kind: "FlowSchema", metadata: { name }, spec };
}

function secrets(name: string, matchingPrecedence: number, level = "exempt"): object {
  const resourceRules = [{ verbs: ["list"], apiGroups: [""], resources: ["secrets"], namespaces: ["default"] }];
  return schema(name, {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    rules: [{ subjects: [group("devs")], resourceRules }],
  });
}

describe("responses name the flow of a request", () => {
  const as = (user: string, ...groups: string[]) => ({
    headers: { "impersonate-user": user, ...(groups.length > 0 && { "impersonate-group": groups.join(",") }) },
  });

  test.each([
    ["an administrator's", "/api/v1/pods", {}, ["exempt", "exempt"]],
    ["somebody's", "/api/v1/pods", as("jane"), ["global-default", "global-default"]],
    ["a probe", "/livez/ping", as("jane"), ["probes", "exempt"]],
    ["another path", "/version", as("jane"), ["global-default", "global-default"]],
    ["a node's of itself", "/api/v1/nodes/a", as("system:node:a", "system:nodes"), ["system-node-high", "node-high"]],
    ["a node's of pods", "/api/v1/pods", as("system:node:a", "system:nodes"), ["system-nodes", "system"]],
    [
      "a scheduler's of leases",
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/a",
      as("system:kube-scheduler"),
      ["system-leader-election", "leader-election"],
    ],
    [
      "a scheduler's of all leases",
      "/apis/coordination.k8s.io/v1/leases",
      as("system:kube-scheduler"),
      ["kube-scheduler", "workload-high"],
    ],
    [
      "a system account's",
      "/api/v1/pods",
      as("system:serviceaccount:kube-system:a"),
      ["kube-system-service-accounts", "workload-high"],
    ],
    ["an account's", "/api/v1/pods", as("system:serviceaccount:default:a"), ["service-accounts", "workload-low"]],
  ])("%s", async (_, path, options, expected) => {
    const client = await openClient();
    expect(await flowOf(client, (await client.get(path, options)).headers)).toEqual(expected);
  });

  test("a refused request has a flow, an unauthenticated one has none", async () => {
    const client = await openClient({ allowsAnonymous: false });
    const refused = await client.get("/api/v1/pods", { token: "alice" });
    expect(refused.code).toBe(403);
    expect(await flowOf(client, refused.headers)).toEqual(["global-default", "global-default"]);
    const unknown = await client.get("/api/v1/pods", { token: "nobody" });
    expect(unknown.code).toBe(401);
    expect(unknown.headers.has("x-kubernetes-pf-flowschema-uid")).toBe(false);
  });
});

test("requests are counted by flow, and levels have the seats of their shares", async () => {
  const client = await openClient();
  await client.get("/version", { token: "alice" });
  const { text } = await client.get("/metrics");
  const counted = 'apiserver_flowcontrol_dispatched_requests_total{flow_schema="global-default"';
  expect(text).toContain(`${counted},priority_level="global-default"} 1\n`);
  const seats = [...text.matchAll(/nominal_limit_seats\{priority_level="(.*?)"\} (\d+)/g)].map(([, name, n]) => [
    name,
    n,
  ]);
  expect(Object.fromEntries(seats)).toEqual({
    "catch-all": "13",
    exempt: "0",
    "global-default": "49",
    "leader-election": "25",
    "node-high": "98",
    system: "74",
    "workload-high": "98",
    "workload-low": "245",
  });
});

describe("schemas in the store", () => {
  const ask = async (client: Client) =>
    flowOf(client, (await client.get("/api/v1/namespaces/default/secrets", { token: "alice" })).headers);

  test("the lowest precedence is used, then the name", async () => {
    const client = await openClient();
    await client.post(SCHEMAS, secrets("b", 300));
    expect(await ask(client)).toEqual(["b", "exempt"]);
    await client.post(SCHEMAS, secrets("a", 300));
    expect(await ask(client)).toEqual(["a", "exempt"]);
    await client.post(SCHEMAS, secrets("c", 200));
    expect(await ask(client)).toEqual(["c", "exempt"]);
    await client.delete(`${SCHEMAS}/c`);
    expect(await ask(client)).toEqual(["a", "exempt"]);
  });

  test("a schema without its level is not used, and its status shows it", async () => {
    const client = await openClient();
    const condition = async () => (await client.get(`${SCHEMAS}/a`)).json.status.conditions[0];
    await client.post(SCHEMAS, secrets("a", 300, "missing"));
    await client.app.settled();
    expect(await ask(client)).toEqual(["global-default", "global-default"]);
    expect(await condition()).toEqual({
      type: "Dangling",
      status: "True",
      lastTransitionTime: "2026-01-02T03:04:05Z",
      reason: "NotFound",
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "missing" but there is no such object',
    });
    const level = { apiVersion: "flowcontrol.apiserver.k8s.io/v1", kind: "PriorityLevelConfiguration" };
    const spec = { type: "Limited", limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } } };
    expect((await client.post(LEVELS, { ...level, metadata: { name: "missing" }, spec })).code).toBe(201);
    await client.app.settled();
    expect(await ask(client)).toEqual(["a", "missing"]);
    expect(await condition()).toMatchObject({
      status: "False",
      reason: "Found",
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "missing" and it exists',
    });
  });

  test("bootstrap objects are restored, and changes are undone unless the annotation forbids it", async () => {
    const client = await openClient();
    await client.delete(`${SCHEMAS}/catch-all`);
    await client.patch(`${SCHEMAS}/service-accounts`, { spec: { matchingPrecedence: 9001 } });
    const mine = { metadata: { annotations: { "apf.kubernetes.io/autoupdate-spec": "false" } } };
    await client.patch(`${SCHEMAS}/probes`, { ...mine, spec: { matchingPrecedence: 3 } });
    await client.app.settled();
    const precedence = async (name: string) => (await client.get(`${SCHEMAS}/${name}`)).json.spec.matchingPrecedence;
    expect(await precedence("catch-all")).toBe(10000);
    expect(await precedence("service-accounts")).toBe(9000);
    expect(await precedence("probes")).toBe(3);
  });
});

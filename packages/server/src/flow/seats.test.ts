import { describe, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import { dealHand } from "./queue-set.ts";
import { RetryAfter } from "./retry-after.ts";

const GROUP = "/apis/flowcontrol.apiserver.k8s.io/v1";
const PATH = "/api/v1/namespaces/default";

/** A store whose reads of namespaces wait until they are released. */
class HeldStore extends MemoryStore {
  isHeld = false;
  readonly held: (() => void)[] = [];

  override async get(key: string) {
    if (this.isHeld && key.startsWith("/registry/namespaces/")) {
      await new Promise<void>((resolve) => this.held.push(resolve));
    }
    return super.get(key);
  }
}

const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };

/** Three seats for alice: of 600, one share of 246. */
async function openTiny(limitResponse: object, requestTimeout = 60_000): Promise<Client & { held: HeldStore }> {
  const held = new HeldStore();
  const client = await openClient({ store: held, requestTimeout });
  const limited = { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, limitResponse };
  const level = { metadata: { name: "tiny" }, spec: { type: "Limited", limited } };
  const rules = [
    {
      subjects: [{ kind: "User", user: { name: "alice" } }],
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
    },
  ];
  const schema = { priorityLevelConfiguration: { name: "tiny" }, matchingPrecedence: 5, rules };
  const binding = {
    metadata: { name: "alice" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
  };
  const made = [
    await client.post(`${GROUP}/prioritylevelconfigurations`, level),
    await client.post(`${GROUP}/flowschemas`, { metadata: { name: "tiny" }, spec: schema }),
    await client.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding),
  ];
  expect(made.map(({ code }) => code)).toEqual([201, 201, 201]);
  held.isHeld = true;
  return { ...client, held };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

async function metric({ get }: Client, name: string): Promise<string[]> {
  const { text } = await get("/metrics");
  return text.split("\n").filter((line) => line.startsWith(`apiserver_flowcontrol_${name}{`) && line.includes("tiny"));
}

describe("a level without a free seat", () => {
  test("refuses requests if it does not queue, and other levels are served", async () => {
    const client = await openTiny({ type: "Reject" });
    const served = [1, 2, 3].map(() => client.get(PATH, { token: "alice" }));
    await turn();
    const refused = await client.get(PATH, { token: "alice" });
    expect([refused.code, refused.text]).toEqual([429, "Too many requests, please try again later.\n"]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-kubernetes-pf-prioritylevel-uid")).not.toBe("");
    expect((await client.get("/api/v1/configmaps")).code).toBe(200);
    expect(await metric(client, "rejected_requests_total")).toEqual([
      'apiserver_flowcontrol_rejected_requests_total{flow_schema="tiny",priority_level="tiny",reason="concurrency-limit"} 1',
    ]);
    expect(await metric(client, "current_executing_seats")).toEqual([
      'apiserver_flowcontrol_current_executing_seats{priority_level="tiny"} 3',
    ]);
    client.held.isHeld = false;
    for (const release of client.held.held) release();
    for (const each of served) expect((await each).code).toBe(200);
    expect((await client.get(PATH, { token: "alice" })).code).toBe(200);
    await client.app.close();
  });

  test("queues up to its limit, and serves a request when a seat is free", async () => {
    const client = await openTiny({ type: "Queue", queuing });
    const served = [1, 2, 3, 4].map(() => client.get(PATH, { token: "alice" }));
    await turn();
    expect((await client.get(PATH, { token: "alice" })).code).toBe(429);
    expect(await metric(client, "current_inqueue_requests")).toEqual([
      'apiserver_flowcontrol_current_inqueue_requests{flow_schema="tiny",priority_level="tiny"} 1',
    ]);
    client.held.isHeld = false;
    for (const release of client.held.held) release();
    for (const each of served) expect((await each).code).toBe(200);
    await client.app.close();
  });

  test("refuses a request that has waited for a quarter of the request timeout", async () => {
    const client = await openTiny({ type: "Queue", queuing }, 400);
    const served = [1, 2, 3].map(() => client.get(PATH, { token: "alice" }));
    await turn();
    expect((await client.get(PATH, { token: "alice" })).code).toBe(429);
    expect(await metric(client, "rejected_requests_total")).toEqual([
      'apiserver_flowcontrol_rejected_requests_total{flow_schema="tiny",priority_level="tiny",reason="time-out"} 1',
    ]);
    for (const each of served) expect((await each).code).toBe(504);
    await client.app.close();
  });
});

test("a flow gets different queues, and always the same ones", () => {
  for (const name of ["a", "b", "c", "d"]) {
    const hand = dealHand(name, { queues: 16, handSize: 4, queueLengthLimit: 1 });
    expect(new Set(hand).size).toBe(4);
    expect(Math.max(...hand)).toBeLessThan(16);
    expect(dealHand(name, { queues: 16, handSize: 4, queueLengthLimit: 1 })).toEqual(hand);
  }
});

test("the retry delay grows while many requests are refused", () => {
  const retry = new RetryAfter();
  for (let second = 100; second < 110; second++) for (let i = 0; i < 40; i++) retry.noteRefusal(second);
  expect(retry.seconds).toBeGreaterThan(4);
  for (let second = 200; second < 300; second += 20) retry.noteRefusal(second);
  expect(retry.seconds).toBeLessThan(8);
});

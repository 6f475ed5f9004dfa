import { describe, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import { dealHand } from "./queue-set.ts";
import { RetryAfter } from "./retry-after.ts";
import { Seats } from "./seats.ts";

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
      'apiserver_flowcontrol_current_executing_seats{flow_schema="tiny",priority_level="tiny"} 3',
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

test("a client that floods the server does not delay another flow schema", async () => {
  const client = await openTiny({ type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit: 100 } });
  client.held.isHeld = false;
  const order: string[] = [];
  const ask = async (token: string): Promise<void> => {
    const { code, headers } = await client.get("/api/v1/namespaces/default/configmaps", { token });
    if (code === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    order.push(`${token} ${code}`);
  };
  await Promise.all([...Array.from({ length: 500 }, () => ask("alice")), ask("admin")]);
  const served = (answers: readonly string[]): number => answers.filter((each) => each === "alice 200").length;
  expect(served(order.slice(0, order.indexOf("admin 200")))).toBeLessThan(20);
  expect(served(order)).toBe(103);
  expect(order.filter((each) => each === "alice 429")).toHaveLength(397);
  expect(await metric(client, "current_inqueue_requests")).toEqual([
    'apiserver_flowcontrol_current_inqueue_requests{flow_schema="tiny",priority_level="tiny"} 0',
  ]);
  const waits = await metric(client, "request_wait_duration_seconds_count");
  expect(waits).toEqual([expect.stringMatching(/execute="true".* 103$/)]);
  await client.app.close();
});

test("a list of much takes many seats, and leaves few to others of its level", async () => {
  const client = await openTiny({ type: "Reject" });
  client.held.isHeld = false;
  const data = { text: "x".repeat(100_000) };
  for (let i = 0; i < 3; i++) await client.post(`${PATH}/configmaps`, { metadata: { name: `m${i}` }, data });
  const list = () => client.get("/api/v1/configmaps", { token: "alice" });
  // The first one finds out how much there is.
  expect((await list()).code).toBe(200);
  const codes = await Promise.all([list(), list()].map(async (each) => (await each).code));
  expect(codes.sort()).toEqual([200, 429]);
  const [estimate] = await metric(client, "work_estimated_seats_sum");
  expect(Number(estimate?.split(" ").at(-1))).toBeGreaterThan(6);
  await client.app.close();
});

describe("queues", () => {
  const limits = {
    isExempt: false,
    shares: 1,
    lendablePercent: 0,
    borrowingLimitPercent: 0,
    queues: { queues: 64, handSize: 4, queueLengthLimit: 50 },
  };
  const one = { seats: 1, finalSeats: 0, lingerSeconds: 0 };

  function open(total: number) {
    let now = 0;
    const seats = new Seats({ total, clock: () => now, nextTurn: () => Promise.resolve() });
    seats.configure(new Map([["a", limits]]));
    const pass = (seconds: number): void => {
      now += seconds;
    };
    return { seats, pass };
  }

  test("a flow with few requests does not wait for one with many", async () => {
    const { seats, pass } = open(1);
    const order: string[] = [];
    const ask = async (flow: string): Promise<void> => {
      const leave = await seats.enter("a", { flow, patience: 60_000, work: one });
      if (typeof leave === "string") throw new Error(leave);
      order.push(flow);
      pass(0.01);
      leave();
    };
    const all = Array.from({ length: 100 }, () => ask("busy"));
    await Promise.all([...all, ask("rare")]);
    expect(order).toHaveLength(101);
    expect(order.indexOf("rare")).toBeLessThan(8);
  });

  test("a wide request waits until there are enough seats, and the next ones wait for it", async () => {
    const { seats } = open(4);
    const enter = (flow: string, width: number) =>
      seats.enter("a", { flow, patience: 60_000, work: { ...one, seats: width } });
    const first = enter("x", 2);
    const wide = enter("y", 3);
    const later = enter("z", 4);
    expect([first, wide, later].map((each) => each instanceof Promise)).toEqual([false, true, true]);
    if (typeof first === "function") first();
    const leave = await wide;
    let isServed = false;
    void Promise.resolve(later).then(() => {
      isServed = true;
    });
    await turn();
    expect(isServed).toBe(false);
    if (typeof leave === "function") leave();
    await turn();
    expect(isServed).toBe(true);
  });

  test("one request does not take all seats of its level", () => {
    expect(open(40).seats.maxSeats("a")).toBe(6);
    expect(open(8).seats.maxSeats("a")).toBe(2);
    expect(open(1).seats.maxSeats("a")).toBe(1);
  });
});

test("without priority levels there is a limit for reads and one for writes", async () => {
  const store = new HeldStore();
  const client = await openClient({ store, inflightLimits: { readOnly: 2, mutating: 0 } });
  store.isHeld = true;
  const served = [1, 2].map(() => client.get(PATH));
  await turn();
  const refused = await client.get("/api/v1/configmaps", { token: "alice" });
  expect([refused.code, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(refused.headers.has("x-kubernetes-pf-flowschema-uid")).toBe(false);
  expect((await client.get("/api/v1/configmaps")).code).toBe(200);
  expect((await client.post(`${PATH}/pods`, {}, { token: "alice" })).code).toBe(403);
  store.isHeld = false;
  for (const release of store.held) release();
  for (const each of served) expect((await each).code).toBe(200);
  await client.app.close();
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

import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import type { Entry } from "../storage/store.ts";
import { StoreUnavailable } from "../storage/unavailable.ts";
import { LeaseLeadership } from "./lease-leadership.ts";

const LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/portcullis-controllers";
const TIMES = { duration: 300, renewal: 200, retry: 20 };

/** One server's view of a store that others use, too. */
class Connection extends MemoryStore {
  readonly #store: MemoryStore;
  isCut = false;

  constructor(store: MemoryStore) {
    super();
    this.#store = store;
  }

  override async get(key: string): Promise<Entry | undefined> {
    if (this.isCut) throw new StoreUnavailable("no connection");
    return this.#store.get(key);
  }

  override create(key: string, value: string): Promise<Entry> {
    return this.#store.create(key, value);
  }

  override update(key: string, value: string, expected: number): Promise<Entry> {
    return this.#store.update(key, value, expected);
  }
}

const candidate = (identity: string): LeaseLeadership =>
  new LeaseLeadership({ identity, now: Date.now, clock: () => performance.now(), uid: () => identity, times: TIMES });

async function leasesOf() {
  const api = await openClient();
  const type = api.app.context.registry.find("coordination.k8s.io", "v1", "leases");
  if (type === undefined) throw new Error("no leases");
  return { api, type };
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("one leads at a time, and hands over when it stops", async () => {
  const { api, type } = await leasesOf();
  const [one, two] = [candidate("one"), candidate("two")];
  await one.start(api.store, type);
  await two.start(api.store, type);
  expect([one.isLeader, two.isLeader]).toEqual([true, false]);
  const { json } = await api.get(LEASE);
  expect(json.spec).toMatchObject({ holderIdentity: "one", leaseDurationSeconds: 1, leaseTransitions: 0 });
  let led = 0;
  two.onLead(() => led++);
  await one.stop();
  expect(one.isLeader).toBe(false);
  await until(() => two.isLeader);
  expect(led).toBe(1);
  expect((await api.get(LEASE)).json.spec).toMatchObject({ holderIdentity: "two", leaseTransitions: 1 });
  await two.stop();
});

test("one that cannot renew stops to lead before another begins", async () => {
  const { type } = await leasesOf();
  const store = new MemoryStore();
  const connection = new Connection(store);
  const [one, two] = [candidate("one"), candidate("two")];
  await one.start(connection, type);
  await two.start(store, type);
  connection.isCut = true;
  let overlap = 0;
  await until(() => {
    if (one.isLeader && two.isLeader) overlap++;
    return two.isLeader;
  });
  expect(overlap).toBe(0);
  expect(one.isLeader).toBe(false);
  connection.isCut = false;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([one.isLeader, two.isLeader]).toEqual([false, true]);
  await one.stop();
  await two.stop();
});

test("work of a server that does not lead waits until it does", async () => {
  const one = candidate("one");
  const first = await openClient({ leadership: one });
  const two = candidate("two");
  const second = await openClient({ leadership: two, store: first.store });
  const made = await second.post("/api/v1/namespaces", { metadata: { name: "n" } });
  expect(made.code).toBe(201);
  await first.app.settled();
  expect((await second.get("/api/v1/namespaces/n/serviceaccounts/default")).code).toBe(200);
  await one.stop();
  await until(() => two.isLeader);
  await second.post("/api/v1/namespaces", { metadata: { name: "m" } });
  await second.app.settled();
  expect((await first.get("/api/v1/namespaces/m/serviceaccounts/default")).code).toBe(200);
  await two.stop();
});

import { describe, expect, test } from "vitest";
import { collect, storeContract } from "../contract.testing.ts";
import { MemoryStore } from "../memory.ts";
import type { StoreSubscriber, WatchableStore } from "../store.ts";
import { Compacted } from "../store.ts";
import { Link } from "./link.ts";
import { LinkedStore } from "./linked-store.ts";
import { MirroredStore } from "./mirrored-store.ts";
import { ports } from "./ports.testing.ts";
import { StoreHost } from "./store-host.ts";

/** Copies of one store. Its newest revision is noted as it is shown to watches, as the process with the store does. */
async function mirrors(origin: WatchableStore, count: number): Promise<MirroredStore[]> {
  let newest = await origin.revision();
  const event: StoreSubscriber["event"] = ({ revision }) => {
    newest = revision;
  };
  await origin.watch("/", newest, { event, failed: () => {} });
  const open = (): Promise<MirroredStore> => {
    const [near, far] = ports();
    new StoreHost(origin, new Link(near));
    return MirroredStore.open({ source: new LinkedStore(new Link(far)), newest: () => newest });
  };
  return Promise.all(Array.from({ length: count }, open));
}

async function mirror(origin: WatchableStore): Promise<MirroredStore> {
  const [store] = await mirrors(origin, 1);
  if (store === undefined) throw new Error("no store");
  return store;
}

describe("a mirrored store", () => {
  storeContract(async () => mirror(new MemoryStore()));
});

test("what one process has acknowledged, another reads at once", async () => {
  const [one, two] = await mirrors(new MemoryStore(), 2);
  for (let i = 0; i < 20; i++) {
    const entry = await one?.create(`/pods/${i}`, "1");
    expect(await two?.get(`/pods/${i}`)).toEqual(entry);
    const changed = await two?.update(`/pods/${i}`, "2", entry?.revision ?? 0);
    expect((await one?.list("/pods/"))?.entries.at(-1)).toBeDefined();
    expect(await one?.get(`/pods/${i}`)).toEqual(changed);
    expect(one?.peek(`/pods/${i}`)).toBe(await one?.get(`/pods/${i}`));
  }
});

test("a copy is behind until it has every change that was published", async () => {
  const origin = new MemoryStore();
  const store = await mirror(origin);
  for (let i = 0; i < 5; i++) {
    const entry = await origin.create(`/pods/${i}`, "1");
    expect(store.isBehind).toBe(true);
    expect(await store.revision()).toBe(entry.revision);
    expect(store.isBehind).toBe(false);
  }
});

test("a copy that is opened later has the recent history and the previous versions", async () => {
  const origin = new MemoryStore();
  const a = await origin.create("/pods/a", "1");
  const a2 = await origin.update("/pods/a", "2", a.revision);
  const store = await mirror(origin);
  const seen = collect();
  await store.watch("/pods/", a.revision, seen);
  expect(seen.events).toEqual([{ key: "/pods/a", revision: a2.revision, entry: a2, previous: a }]);
});

test("the version that a write returns is the one that reads return", async () => {
  const store = await mirror(new MemoryStore());
  const entry = await store.create("/pods/a", "1");
  expect(await store.get("/pods/a")).toBe(entry);
});

test("a copy that loses its events starts over, and its watches with it", async () => {
  const origin = new MemoryStore();
  const subscribers: StoreSubscriber[] = [];
  const watch = origin.watch.bind(origin);
  origin.watch = (prefix, after, subscriber) => {
    subscribers.push(subscriber);
    return watch(prefix, after, subscriber);
  };
  const store = await mirror(origin);
  const entry = await store.create("/pods/a", "1");
  const seen = collect();
  await store.watch("/pods/", entry.revision, seen);
  subscribers.at(-1)?.failed(new Compacted(1));
  await seen.until(1);
  expect(seen.errors).toEqual([expect.any(Compacted)]);
  expect(await store.get("/pods/a")).toEqual(entry);
  const other = await origin.create("/pods/b", "1");
  expect(await store.get("/pods/b")).toEqual(other);
});

import { describe, expect, test } from "vitest";
import { storeContract } from "../contract.testing.ts";
import { MemoryStore } from "../memory.ts";
import type { StoreEvent, WatchableStore } from "../store.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { Link } from "./link.ts";
import { LinkedStore, type LinkedStoreOptions } from "./linked-store.ts";
import { ports } from "./ports.testing.ts";
import { StoreHost } from "./store-host.ts";

function linked(store: WatchableStore, options?: LinkedStoreOptions) {
  const [near, far, batches] = ports();
  const host = new StoreHost(store, new Link(near));
  return { store: new LinkedStore(new Link(far), options), host, batches };
}

describe("a linked store", () => {
  storeContract(async () => linked(new MemoryStore()).store);
});

test("a long list comes in parts, and as one", async () => {
  const origin = new MemoryStore();
  const value = "x".repeat(200_000);
  for (let i = 0; i < 30; i++) await origin.create(`/pods/${String(i).padStart(4, "0")}`, value);
  for (let i = 0; i < 1200; i++) await origin.create(`/nodes/${String(i).padStart(4, "0")}`, "");
  const { store, batches } = linked(origin);
  expect(await store.list("/pods/")).toEqual(await origin.list("/pods/"));
  expect(Math.max(...batches.map((batch) => JSON.stringify(batch).length))).toBeLessThan(1_500_000);
  expect(await store.list("/nodes/")).toEqual(await origin.list("/nodes/"));
  const limited = { start: "/nodes/0003", limit: 700 };
  expect(await store.list("/nodes/", limited)).toEqual(await origin.list("/nodes/", limited));
});

test("an unchanged entry is the same object again and is not sent again", async () => {
  const origin = new MemoryStore();
  await origin.create("/pods/a", "x".repeat(10_000));
  const { store, batches } = linked(origin);
  const first = await store.get("/pods/a");
  const sent = JSON.stringify(batches).length;
  expect(await store.get("/pods/a")).toBe(first);
  expect(JSON.stringify(batches).length - sent).toBeLessThan(500);
  const changed = await origin.update("/pods/a", "2", first?.revision ?? 0);
  expect(await store.get("/pods/a")).toEqual(changed);
  await origin.delete("/pods/a", changed.revision);
  expect(await store.get("/pods/a")).toBeUndefined();
});

test("watches of the same key share one message and one entry", async () => {
  const origin = new MemoryStore();
  const { store, batches } = linked(origin);
  const seen: StoreEvent[] = [];
  const subscriber = { event: (event: StoreEvent) => void seen.push(event), failed: () => {} };
  for (let i = 0; i < 10; i++) await store.watch("/pods/", 1, subscriber);
  const before = batches.length;
  await origin.create("/pods/a", "1");
  await store.revision();
  expect(seen).toHaveLength(10);
  expect(new Set(seen.map(({ entry }) => entry)).size).toBe(1);
  const events = batches
    .slice(before)
    .flat()
    .filter(({ topic }) => topic === "store.event");
  expect(events).toHaveLength(1);
});

test("a watch of the past sees an event that was sent before", async () => {
  const origin = new MemoryStore();
  const { store } = linked(origin);
  const seen: number[] = [];
  await store.watch("/pods/", 1, { event: () => void seen.push(1), failed: () => {} });
  await origin.create("/pods/a", "1");
  await new Promise((resolve) => setTimeout(resolve, 5));
  await store.watch("/pods/", 1, { event: () => void seen.push(2), failed: () => {} });
  await store.revision();
  expect(seen).toEqual([1, 2]);
});

test("namespaces are known without asking, and follow the store", async () => {
  const origin = new MemoryStore();
  const key = "/registry/namespaces/a";
  const made = await origin.create(key, "1");
  const { store } = linked(origin);
  expect(store.peek(key)).toBeUndefined();
  while (store.peek(key) === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(store.peek(key)).toEqual(made);
  const changed = await origin.update(key, "2", made.revision);
  await store.revision();
  expect(store.peek(key)).toEqual(changed);
  await origin.delete(key, changed.revision);
  await store.revision();
  expect(store.peek(key)).toBeUndefined();
  expect(store.peek("/registry/pods/a")).toBeUndefined();
});

test("what waits for a process that is gone fails", async () => {
  const { store } = linked(new MemoryStore());
  const failures: Error[] = [];
  await store.watch("/pods/", 1, { event: () => {}, failed: (error) => void failures.push(error) });
  const waiting = store.get("/pods/a");
  store.lose();
  await expect(waiting).rejects.toThrow(StoreUnavailable);
  await expect(store.revision()).rejects.toThrow(StoreUnavailable);
  expect(failures).toHaveLength(1);
});

/** A third-party driver: the example of the recipe in CONTRIBUTING.md. */
import { describe, expect, test } from "vitest";
import { storeContract } from "./contract.testing.ts";
import { MemoryStore } from "./memory.ts";
import type { Entry, EntryList, ListOptions, StoreSubscriber, Subscription, WatchableStore } from "./store.ts";

/** Counts operations and delegates to another store. */
class CountingStore implements WatchableStore {
  readonly operations = new Map<string, number>();
  readonly #inner: WatchableStore;

  constructor(inner: WatchableStore) {
    this.#inner = inner;
  }

  revision(): Promise<number> {
    return this.#count("revision").revision();
  }

  compactedRevision(): Promise<number> {
    return this.#count("compactedRevision").compactedRevision();
  }

  get(key: string): Promise<Entry | undefined> {
    return this.#count("get").get(key);
  }

  list(prefix: string, options?: ListOptions): Promise<EntryList> {
    return this.#count("list").list(prefix, options);
  }

  create(key: string, value: string): Promise<Entry> {
    return this.#count("create").create(key, value);
  }

  update(key: string, value: string, expected: number): Promise<Entry> {
    return this.#count("update").update(key, value, expected);
  }

  delete(key: string, expected: number): Promise<number> {
    return this.#count("delete").delete(key, expected);
  }

  watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription> {
    return this.#count("watch").watch(prefix, after, subscriber);
  }

  compact(revision: number): Promise<void> {
    return this.#count("compact").compact(revision);
  }

  close(): Promise<void> {
    return this.#count("close").close();
  }

  #count(name: string): WatchableStore {
    this.operations.set(name, (this.operations.get(name) ?? 0) + 1);
    return this.#inner;
  }
}

describe("a third-party driver", () => {
  storeContract(async () => new CountingStore(new MemoryStore()));
});

test("the driver counts operations", async () => {
  const store = new CountingStore(new MemoryStore());
  const { revision } = await store.create("/pods/a", "1");
  await store.update("/pods/a", "2", revision);
  await store.get("/pods/a");
  expect([...store.operations]).toEqual([
    ["create", 1],
    ["update", 1],
    ["get", 1],
  ]);
});

/** The contract of every driver. Each driver's test file calls it with its own way to open an empty store. */
import { expect, test } from "vitest";
import {
  Compacted,
  FutureRevision,
  KeyExists,
  RevisionConflict,
  type StoreEvent,
  type WatchableStore,
} from "./store.ts";

export function storeContract(open: () => Promise<WatchableStore>): void {
  test("a created key is read back with the revision of its write", async () => {
    const store = await open();
    const before = await store.revision();
    const entry = await store.create("/pods/a", "1");
    expect(entry.revision).toBeGreaterThan(before);
    expect(await store.get("/pods/a")).toEqual(entry);
    expect(entry).toEqual({ key: "/pods/a", value: "1", revision: entry.revision, created: entry.revision });
    expect(await store.revision()).toBe(entry.revision);
  });

  test("a peek shows nothing older than what was acknowledged here", async () => {
    const store = await open();
    const key = "/registry/namespaces/a";
    let entry = await store.create(key, "0");
    store.peek?.(key);
    for (let i = 1; i < 20; i++) {
      entry = await store.update(key, `${i}`, entry.revision);
      await store.revision();
      expect([undefined, entry]).toContainEqual(store.peek?.(key));
    }
    await store.delete(key, entry.revision);
    await store.revision();
    expect(store.peek?.(key)).toBeUndefined();
  });

  test("a key is created once", async () => {
    const store = await open();
    await store.create("/pods/a", "1");
    await expect(store.create("/pods/a", "2")).rejects.toThrow(KeyExists);
    expect((await store.get("/pods/a"))?.value).toBe("1");
  });

  test("every write has a larger revision than all earlier ones, whatever its key", async () => {
    const store = await open();
    const a = await store.create("/pods/a", "1");
    const b = await store.create("/pods/b", "1");
    const a2 = await store.update("/pods/a", "2", a.revision);
    const gone = await store.delete("/pods/b", b.revision);
    const revisions = [a.revision, b.revision, a2.revision, gone];
    expect(revisions).toEqual([...revisions].sort((x, y) => x - y));
    expect(new Set(revisions).size).toBe(4);
    expect(a2.created).toBe(a.revision);
  });

  test("an update against a stale revision is refused and returns the current entry", async () => {
    const store = await open();
    const stale = await store.create("/pods/a", "1");
    const newer = await store.update("/pods/a", "2", stale.revision);
    const refused = store.update("/pods/a", "3", stale.revision);
    await expect(refused).rejects.toThrow(RevisionConflict);
    await expect(refused).rejects.toMatchObject({ current: newer });
  });

  test("an update or deletion of a missing key is refused", async () => {
    const store = await open();
    await expect(store.update("/pods/a", "1", 1)).rejects.toMatchObject({
      name: "RevisionConflict",
      current: undefined,
    });
    await expect(store.delete("/pods/a", 1)).rejects.toThrow(RevisionConflict);
  });

  test("a deletion against a stale revision is refused", async () => {
    const store = await open();
    const stale = await store.create("/pods/a", "1");
    await store.update("/pods/a", "2", stale.revision);
    await expect(store.delete("/pods/a", stale.revision)).rejects.toThrow(RevisionConflict);
    expect((await store.get("/pods/a"))?.value).toBe("2");
  });

  test("of many writers racing on one revision exactly one wins", async () => {
    const store = await open();
    const { revision } = await store.create("/pods/a", "0");
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => store.update("/pods/a", String(i), revision)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("of many creators of one key exactly one wins", async () => {
    const store = await open();
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => store.create("/pods/a", String(i))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("a deleted key can be created again", async () => {
    const store = await open();
    const first = await store.create("/pods/a", "1");
    const gone = await store.delete("/pods/a", first.revision);
    expect(await store.get("/pods/a")).toBeUndefined();
    const second = await store.create("/pods/a", "2");
    expect(second.created).toBe(second.revision);
    expect(second.revision).toBeGreaterThan(gone);
  });

  test("a list has the keys under a prefix, in order, at the newest revision", async () => {
    const store = await open();
    for (const key of ["/pods/b", "/pods/a", "/podsx/a", "/pods/a/c", "/pod/a"]) await store.create(key, key);
    const { entries, revision, remaining } = await store.list("/pods/");
    expect(entries.map(({ key }) => key)).toEqual(["/pods/a", "/pods/a/c", "/pods/b"]);
    expect(revision).toBe(await store.revision());
    expect(remaining).toBe(0);
  });

  test("a list can be cut into pages that show one state", async () => {
    const store = await open();
    for (const name of ["a", "b", "c", "d", "e"]) await store.create(`/pods/${name}`, name);
    const first = await store.list("/pods/", { limit: 2 });
    expect(first.entries.map(({ value }) => value)).toEqual(["a", "b"]);
    expect(first.remaining).toBe(3);
    await deleteKey(store, "/pods/c");
    await store.create("/pods/bb", "new");
    const start = "/pods/b\0";
    const second = await store.list("/pods/", { limit: 2, start, revision: first.revision });
    expect(second.entries.map(({ value }) => value)).toEqual(["c", "d"]);
    expect(second).toMatchObject({ remaining: 1, revision: first.revision });
    const newest = await store.list("/pods/", { start });
    expect(newest.entries.map(({ value }) => value)).toEqual(["new", "d", "e"]);
  });

  test("a list at an old revision has the old values", async () => {
    const store = await open();
    const a = await store.create("/pods/a", "1");
    const b = await store.create("/pods/b", "1");
    await store.update("/pods/a", "2", a.revision);
    await store.delete("/pods/b", b.revision);
    const { entries } = await store.list("/pods/", { revision: b.revision });
    expect(entries.map(({ value }) => value)).toEqual(["1", "1"]);
    expect((await store.list("/pods/", { revision: a.revision })).entries).toHaveLength(1);
  });

  test("a future revision cannot be listed", async () => {
    const store = await open();
    const { revision } = await store.create("/pods/a", "1");
    await expect(store.list("/pods/", { revision: revision + 1 })).rejects.toThrow(FutureRevision);
  });

  test("a watch sees every change after its revision, each once, in order, with the value before", async () => {
    const store = await open();
    const a = await store.create("/pods/a", "1");
    const b = await store.create("/pods/b", "1");
    const seen = collect();
    await store.watch("/pods/", a.revision, seen);
    await store.create("/other/x", "1");
    const a2 = await store.update("/pods/a", "2", a.revision);
    const gone = await store.delete("/pods/a", a2.revision);
    await seen.until(3);
    expect(seen.events).toEqual([
      { key: "/pods/b", revision: b.revision, entry: b, previous: undefined },
      { key: "/pods/a", revision: a2.revision, entry: a2, previous: a },
      { key: "/pods/a", revision: gone, entry: undefined, previous: a2 },
    ]);
  });

  test("a watch from a future revision waits for it", async () => {
    const store = await open();
    const a = await store.create("/pods/a", "1");
    const seen = collect();
    await store.watch("/pods/", a.revision + 1, seen);
    await store.create("/pods/b", "1");
    await store.create("/pods/c", "1");
    await seen.until(1);
    expect(seen.events.map(({ key }) => key)).toEqual(["/pods/c"]);
  });

  test("a watch of a narrower prefix sees only what is under it", async () => {
    const store = await open();
    const seen = collect();
    await store.watch("/pods/ns1/", await store.revision(), seen);
    for (const key of ["/pods/ns1/a", "/pods/ns2/a", "/pods/ns11/a", "/pods/ns1/b"]) await store.create(key, "1");
    await seen.until(2);
    expect(seen.events.map(({ key }) => key)).toEqual(["/pods/ns1/a", "/pods/ns1/b"]);
  });

  test("a closed watch sees nothing more", async () => {
    const store = await open();
    const [closed, open_] = [collect(), collect()];
    const subscription = await store.watch("/pods/", await store.revision(), closed);
    await store.watch("/pods/", await store.revision(), open_);
    subscription.close();
    await store.create("/pods/a", "1");
    await open_.until(1);
    expect(closed.events).toEqual([]);
  });

  test("watches that start during a storm of writes miss and repeat nothing", async () => {
    const store = await open();
    const start = await store.revision();
    const watches: ReturnType<typeof collect>[] = [];
    for (let i = 0; i < 50; i++) {
      const seen = collect();
      watches.push(seen);
      const [, entry] = await Promise.all([store.watch("/pods/", start, seen), store.create(`/pods/${i}`, "1")]);
      await store.update(`/pods/${i}`, "2", entry.revision);
    }
    for (const seen of watches) {
      await seen.until(100);
      const revisions = seen.events.map(({ revision }) => revision);
      expect(revisions).toEqual([...new Set(revisions)].sort((x, y) => x - y));
      expect(revisions).toHaveLength(100);
    }
  });

  test("compaction keeps the newest values and those that a read at its revision sees", async () => {
    const store = await open();
    const a = await store.create("/pods/a", "1");
    const a2 = await store.update("/pods/a", "2", a.revision);
    const b = await store.create("/pods/b", "1");
    await store.update("/pods/a", "3", a2.revision);
    await store.compact(b.revision);
    expect(await store.compactedRevision()).toBe(b.revision);
    expect((await store.get("/pods/a"))?.value).toBe("3");
    const { entries } = await store.list("/pods/", { revision: b.revision });
    expect(entries.map(({ value }) => value)).toEqual(["2", "1"]);
    await expect(store.list("/pods/", { revision: b.revision - 1 })).rejects.toThrow(Compacted);
  });

  test("a watch from the compacted revision still sees everything after it", async () => {
    const store = await open();
    const a = await store.create("/pods/a", "1");
    const gone = await store.delete("/pods/a", a.revision);
    await store.compact(a.revision);
    const seen = collect();
    await store.watch("/pods/", a.revision, seen);
    await seen.until(1);
    expect(seen.events).toEqual([{ key: "/pods/a", revision: gone, entry: undefined, previous: a }]);
  });

  test("a watch from before the compacted revision is refused and returns the compacted revision", async () => {
    const store = await open();
    const a = await store.create("/pods/a", "1");
    const b = await store.create("/pods/b", "1");
    await store.compact(b.revision);
    const refused = store.watch("/pods/", a.revision, collect());
    await expect(refused).rejects.toThrow(Compacted);
    await expect(refused).rejects.toMatchObject({ compacted: b.revision });
  });

  test("compaction never goes back and never past the newest revision", async () => {
    const store = await open();
    const { revision } = await store.create("/pods/a", "1");
    await store.compact(revision);
    await store.compact(revision - 1);
    expect(await store.compactedRevision()).toBe(revision);
    expect((await store.list("/pods/")).entries).toHaveLength(1);
  });

  test("values may be any text", async () => {
    const store = await open();
    const value = '{"a":"é🛡\\u0000\\n"}'.repeat(1000);
    await store.create("/pods/a", value);
    expect((await store.get("/pods/a"))?.value).toBe(value);
  });

  test("closing ends the watches", async () => {
    const store = await open();
    const seen = collect();
    await store.watch("/pods/", await store.revision(), seen);
    await store.close();
    expect(seen.errors).toHaveLength(1);
  });
}

/** A subscriber that collects events, and can wait for a number of them. */
export function collect() {
  const events: StoreEvent[] = [];
  const errors: Error[] = [];
  let wake = (): void => {};
  return {
    events,
    errors,
    event(event: StoreEvent): void {
      events.push(event);
      wake();
    },
    failed(error: Error): void {
      errors.push(error);
      wake();
    },
    async until(count: number): Promise<void> {
      while (events.length < count && errors.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

async function deleteKey(store: WatchableStore, key: string): Promise<void> {
  const entry = await store.get(key);
  if (entry !== undefined) await store.delete(key, entry.revision);
}

import { expect, test, vi } from "vitest";
import { openClient } from "../app/app.testing.ts";
import { Followers } from "./followers.ts";
import { MemoryStore } from "./memory.ts";
import { Compacted, type Entry, type EntryList, type ListOptions, type StoreSubscriber } from "./store.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** A store whose subscriptions can end, and that can refuse lists. */
class GappyStore extends MemoryStore {
  readonly #subscribers = new Set<StoreSubscriber>();
  refusals = 0;
  isAway = false;

  override async list(prefix: string, options?: ListOptions): Promise<EntryList> {
    if (this.isAway || this.refusals-- > 0) throw new StoreUnavailable("no leader");
    return super.list(prefix, options);
  }

  override async watch(prefix: string, after: number, subscriber: StoreSubscriber) {
    const muted: StoreSubscriber = {
      event: (event) => {
        if (this.#subscribers.has(subscriber)) subscriber.event(event);
      },
      failed: (error) => subscriber.failed(error),
    };
    this.#subscribers.add(subscriber);
    return super.watch(prefix, after, muted);
  }

  /** Stops events silently. */
  mute(): () => void {
    const lost = [...this.#subscribers];
    this.#subscribers.clear();
    return () => {
      for (const each of lost) each.failed(new Compacted(1));
    };
  }
}

function copyOf(): { readonly seen: Map<string, string>; see(key: string, entry: Entry | undefined): void } {
  const seen = new Map<string, string>();
  const see = (key: string, entry: Entry | undefined): void => {
    if (entry === undefined) seen.delete(key);
    else seen.set(key, entry.value);
  };
  return { seen, see };
}

test("after a gap a follower sees what was created, changed and deleted during the gap", async () => {
  const store = new GappyStore();
  const followers = new Followers(store);
  const { seen, see } = copyOf();
  const changed = await store.create("/roles/changed", "1");
  const deleted = await store.create("/roles/deleted", "1");
  await followers.follow({ name: "roles", prefix: "/roles/", see });
  const endGap = store.mute();
  await store.update("/roles/changed", "2", changed.revision);
  await store.delete("/roles/deleted", deleted.revision);
  await store.create("/roles/created", "1");
  endGap();
  expect(followers.unsynced).toEqual(["roles"]);
  expect(await followers.synced(1_000)).toBe(true);
  expect(Object.fromEntries(seen)).toEqual({ "/roles/changed": "2", "/roles/created": "1" });
  await store.create("/roles/later", "1");
  expect(seen.has("/roles/later")).toBe(true);
});

test("a follower that cannot list is behind until it can, and events of its old subscription change nothing", async () => {
  const store = new GappyStore();
  const log: string[] = [];
  const followers = new Followers(store, { backoff: 1, log: (line) => log.push(line) });
  const { seen, see } = copyOf();
  await followers.follow({ name: "roles", prefix: "/roles/", see });
  const endGap = store.mute();
  store.isAway = true;
  endGap();
  expect(await followers.synced(20)).toBe(false);
  await store.create("/roles/a", "1");
  expect(seen.size).toBe(0);
  store.isAway = false;
  expect(await followers.synced(1_000)).toBe(true);
  expect(seen.size).toBe(1);
  expect(log.at(-1)).toBe("the informer of roles is in sync again");
});

test("a follower that fails on an event lists again", async () => {
  const store = new MemoryStore();
  const followers = new Followers(store, { backoff: 1 });
  let failures = 2;
  const { seen, see } = copyOf();
  await followers.follow({
    name: "roles",
    prefix: "/roles/",
    see: (key, entry) => {
      if (failures-- > 0) throw new Error("cannot be decoded");
      see(key, entry);
    },
  });
  await store.create("/roles/a", "1");
  expect(followers.unsynced).toEqual(["roles"]);
  expect(await followers.synced(1_000)).toBe(true);
  expect([...seen.keys()]).toEqual(["/roles/a"]);
});

test("a follower of a controller is reported when it is behind, and not waited for", async () => {
  const store = new GappyStore();
  const followers = new Followers(store, { backoff: 1 });
  await followers.follow({ name: "accounts", prefix: "/accounts/", see: () => {}, isBackground: true });
  const endGap = store.mute();
  store.isAway = true;
  endGap();
  expect(followers.unsynced).toEqual(["accounts"]);
  expect(await followers.current(0)).toBe(true);
  followers.close();
});

test("a follower that was closed is not waited for", async () => {
  const store = new GappyStore();
  const followers = new Followers(store, { backoff: 1 });
  const { close } = await followers.follow({ name: "roles", prefix: "/roles/", see: () => {} });
  const endGap = store.mute();
  store.isAway = true;
  endGap();
  const waiting = followers.synced(1_000);
  close();
  expect(await waiting).toBe(true);
});

test("while followers are behind the server is not ready and decides nothing", async () => {
  const store = new GappyStore();
  const { app, get, send } = await openClient({ store, followers: { backoff: 1 } });
  const endGap = store.mute();
  store.isAway = true;
  endGap();
  const ready = await get("/readyz");
  expect(ready.code).toBe(500);
  expect(ready.text).toMatch(/^\[-\]informer-sync failed: \d+ informers not started yet: \[.*clusterroles .*\]$/m);
  expect((await get("/livez")).code).toBe(200);
  const listing = send("GET", "/api/v1/namespaces");
  store.isAway = false;
  expect((await listing).code).toBe(200);
  // A request does not wait for the followers of controllers, but the server is ready only with them.
  await vi.waitFor(async () => expect((await get("/readyz")).code).toBe(200));
  await app.close();
});

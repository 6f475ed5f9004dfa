import { expect, test } from "vitest";
import { EtcdStore, type EtcdStoreParts } from "./store.ts";

test("a store counts as behind until a read has caught up while events arrive", async () => {
  const follower = {
    losses: 1,
    isLive: false,
    reach: async () => {},
    replica: { state: { revision: 5, compacted: 0 } },
  };
  const client = { read: async () => ({ revision: 5, cluster: 1 }) };
  const store = new EtcdStore({ client, follower, keys: { marker: "/portcullis/" } } as unknown as EtcdStoreParts);
  expect(store.isBehind).toBe(true);
  // Between two connections: the next change would not be seen.
  expect(await store.revision()).toBe(5);
  expect(store.isBehind).toBe(true);
  follower.isLive = true;
  await store.revision();
  expect(store.isBehind).toBe(false);
  follower.losses++;
  expect(store.isBehind).toBe(true);
});

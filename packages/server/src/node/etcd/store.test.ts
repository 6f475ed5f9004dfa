import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect, storeContract } from "../../storage/contract.testing.ts";
import { Compacted, RevisionConflict } from "../../storage/store.ts";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { closing, scratchFolder, sharedFolder } from "../scratch.testing.ts";
import { createAuthority } from "../tls.ts";
import { EtcdClient } from "./client.ts";
import { type EtcdProcess, hasEtcd, startEtcd } from "./etcd.testing.ts";
import { type EtcdStoreOptions, openEtcdStore } from "./open.ts";
import { PUT } from "./protocol.ts";
import type { EtcdStore } from "./store.ts";

describe.skipIf(!hasEtcd)("the etcd store", () => {
  const folder = sharedFolder();
  let etcd: EtcdProcess;

  beforeAll(async () => {
    [etcd] = (await startEtcd({ folder })) as [EtcdProcess];
  });

  afterAll(() => etcd.kill());

  const openStore = async (options: Partial<EtcdStoreOptions> = {}): Promise<EtcdStore> => {
    const prefix = `/test/${randomUUID()}`;
    return closing(await openEtcdStore({ endpoints: [etcd.endpoint], prefix, ...options }));
  };

  storeContract(openStore);

  test("servers that share a prefix see each other's writes at once", async () => {
    const prefix = `/test/${randomUUID()}`;
    const [one, two] = [await openStore({ prefix }), await openStore({ prefix })];
    const seen = collect();
    await two.watch("/", await two.revision(), seen);
    for (let i = 0; i < 50; i++) {
      const entry = await one.create(`/pods/${i}`, "1");
      expect(await two.get(`/pods/${i}`)).toEqual(entry);
      expect((await two.list("/")).entries).toHaveLength(i + 1);
      expect(seen.events).toHaveLength(i + 1);
    }
  });

  test("its size is that of the member's database", async () => {
    expect(await (await openStore()).size()).toBeGreaterThan(10_000);
  });

  test("an acknowledged write is known at once, without asking etcd", async () => {
    const store = await openStore();
    const seen = collect();
    await store.watch("/", await store.revision(), seen);
    for (let i = 0; i < 50; i++) {
      const entry = await store.create(`/pods/${i}`, "1");
      expect(store.peek(`/pods/${i}`)).toEqual(entry);
      expect(seen.events).toHaveLength(i + 1);
    }
  });

  test("what a process of the same server has acknowledged is known before the next decision", async () => {
    const prefix = `/test/${randomUUID()}`;
    let newest = 0;
    const publish = (revision: number): void => {
      newest = Math.max(newest, revision);
    };
    const peers = { newest: () => newest, publish, reset: publish };
    const [one, two] = [await openStore({ prefix, peers }), await openStore({ prefix, peers })];
    for (let i = 0; i < 50; i++) {
      const entry = await one.create(`/pods/${i}`, "1");
      expect(newest).toBe(entry.revision);
      if (two.isBehind) await two.catchUp();
      expect(two.peek(`/pods/${i}`)).toEqual(entry);
    }
    // A revision that the cluster no longer has delays requests, but does not stop them.
    newest += 1_000;
    expect(two.isBehind).toBe(true);
    await two.catchUp();
  });

  test("a process that was stopped asks etcd before it decides", async () => {
    const store = await openStore();
    const entry = await store.create("/pods/a", "1");
    expect(store.isBehind).toBe(false);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    expect([store.isBehind, store.peek("/pods/a")]).toEqual([true, undefined]);
    await store.catchUp();
    expect([store.isBehind, store.peek("/pods/a")]).toEqual([false, entry]);
  });

  test("a store opened later has the recent history too", async () => {
    const prefix = `/test/${randomUUID()}`;
    const one = await openStore({ prefix });
    const a = await one.create("/pods/a", "1");
    const a2 = await one.update("/pods/a", "2", a.revision);
    const gone = await one.delete("/pods/a", a2.revision);
    const two = await openStore({ prefix });
    const seen = collect();
    await two.watch("/pods/", a.revision, seen);
    expect(seen.events).toEqual([
      { key: "/pods/a", revision: a2.revision, entry: a2, previous: a },
      { key: "/pods/a", revision: gone, entry: undefined, previous: a2 },
    ]);
  });

  test("a store opened after compaction has what is left, and says where history begins", async () => {
    const prefix = `/test/${randomUUID()}`;
    const one = await openStore({ prefix });
    const a = await one.create("/pods/a", "1");
    const a2 = await one.update("/pods/a", "2", a.revision);
    await one.compact(a2.revision);
    const a3 = await one.update("/pods/a", "3", a2.revision);
    const two = await openStore({ prefix });
    expect(await two.get("/pods/a")).toEqual(a3);
    expect(await two.compactedRevision()).toBe(a2.revision);
    await expect(two.watch("/pods/", a.revision, collect())).rejects.toThrow(Compacted);
    expect((await two.list("/", { revision: a2.revision })).entries).toEqual([a2]);
  });

  test("of servers that share a cluster one compacts it, and another takes over when that one has gone", async () => {
    const prefix = `/test/${randomUUID()}`;
    const [one, two] = [await openStore({ prefix }), await openStore({ prefix })];
    const compactedOfCluster = async () => (await openStore({ prefix })).compactedRevision();
    const a = await one.create("/pods/a", "1");
    // The first call shows which server compacted before this test.
    for (const revision of [a.revision - 1, a.revision]) await one.shared.compactInTurn(revision);
    expect(await compactedOfCluster()).toBe(a.revision);
    const a2 = await one.update("/pods/a", "2", a.revision);
    await two.shared.compactInTurn(a2.revision);
    expect(await compactedOfCluster()).toBe(a.revision);
    expect(await two.compactedRevision()).toBe(a2.revision);
    await two.shared.compactInTurn(a2.revision);
    expect(await compactedOfCluster()).toBe(a2.revision);
    const a3 = await two.update("/pods/a", "3", a2.revision);
    await one.shared.compactInTurn(a3.revision);
    expect(await compactedOfCluster()).toBe(a2.revision);
  });

  test("all keys of several pages are loaded", async () => {
    const prefix = `/test/${randomUUID()}`;
    const one = await openStore({ prefix });
    await Promise.all(Array.from({ length: 1200 }, (_, i) => one.create(`/pods/${i}`, String(i))));
    await one.compact(await one.revision());
    const two = await openStore({ prefix });
    expect((await two.list("/")).entries).toEqual((await one.list("/")).entries);
    expect((await two.list("/")).entries).toHaveLength(1200);
  });

  test("writes of other programs to the cluster are not visible and cause little delay", async () => {
    const store = await openStore();
    const entry = await store.create("/pods/a", "1");
    const stranger = new EtcdClient({ endpoints: [etcd.endpoint] });
    const { revision } = await stranger.write(PUT, { key: `/stranger/${randomUUID()}`, value: "x" });
    stranger.close();
    expect(await store.get("/pods/a")).toEqual(entry);
    expect(await store.revision()).toBeGreaterThanOrEqual(revision);
    expect((await store.list("/")).entries).toEqual([entry]);
    expect((await store.create("/pods/b", "1")).revision).toBeGreaterThan(revision);
  });

  test("an expected revision of zero does not create", async () => {
    const store = await openStore();
    await expect(store.update("/pods/a", "1", 0)).rejects.toThrow(RevisionConflict);
    await expect(store.delete("/pods/a", 0)).rejects.toThrow(RevisionConflict);
  });

  test("a value larger than etcd accepts is refused with its message", async () => {
    const store = await openStore();
    await expect(store.create("/pods/a", "x".repeat(2_000_000))).rejects.toThrow(/request is too large/);
    await store.create("/pods/a", "x".repeat(1_400_000));
    expect((await store.get("/pods/a"))?.value).toHaveLength(1_400_000);
  });

  test("a key without a slash is refused", async () => {
    await expect((await openStore()).create("pods", "1")).rejects.toThrow(/does not start with a slash/);
  });

  test("an unreachable endpoint before a reachable one does not matter", async () => {
    const store = await openStore({ endpoints: ["http://127.0.0.1:9", etcd.endpoint] });
    const entry = await store.create("/pods/a", "1");
    expect(await store.get("/pods/a")).toEqual(entry);
  });

  test("mutual TLS works", async () => {
    const folder = scratchFolder();
    const authority = await createAuthority(Date.now());
    const server = await authority.issue({ commonName: "etcd", hosts: ["127.0.0.1", "localhost"] });
    const client = await authority.issue({ commonName: "portcullis" });
    const files = { ca: path.join(folder, "ca"), cert: path.join(folder, "cert"), key: path.join(folder, "key") };
    writeFileSync(files.ca, authority.cert);
    writeFileSync(files.cert, server.cert);
    writeFileSync(files.key, server.key);
    const [secure] = (await startEtcd({ folder, tls: files })) as [EtcdProcess];
    const tls = { ca: authority.cert, ...client, serverName: "localhost" };
    try {
      const store = await openStore({ endpoints: [secure.endpoint], tls });
      const entry = await store.create("/pods/a", "1");
      expect(await store.get("/pods/a")).toEqual(entry);
      const noCertificate = openEtcdStore({
        endpoints: [secure.endpoint],
        tls: { ca: authority.cert, serverName: "localhost" },
        timeout: 400,
      });
      await expect(noCertificate).rejects.toThrow(StoreUnavailable);
      const noAuthority = openEtcdStore({ endpoints: [secure.endpoint], timeout: 400 });
      await expect(noAuthority).rejects.toThrow(StoreUnavailable);
    } finally {
      await secure.kill();
    }
  });
});

test("without a cluster opening fails with a clear error", async () => {
  const opened = openEtcdStore({ endpoints: ["http://127.0.0.1:9"], timeout: 300 });
  await expect(opened).rejects.toThrow("etcd at http://127.0.0.1:9 does not answer");
});

test.each([
  { name: "no endpoint", endpoints: [], message: /not an etcd endpoint/ },
  { name: "no port", endpoints: ["http://etcd"], message: /not an etcd endpoint/ },
  { name: "a path", endpoints: ["http://etcd:2379/x"], message: /not an etcd endpoint/ },
  { name: "mixed schemes", endpoints: ["http://a:2379", "https://b:2379"], message: /all http or all https/ },
])("$name is refused", async ({ endpoints, message }) => {
  await expect(openEtcdStore({ endpoints })).rejects.toThrow(message);
});

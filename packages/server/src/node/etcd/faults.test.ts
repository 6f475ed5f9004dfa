/** What the etcd store survives: members killed, frozen and started again under load. */
import { describe, expect, onTestFinished, test } from "vitest";
import { collect } from "../../storage/contract.testing.ts";
import { Compacted, KeyExists, type WatchableStore } from "../../storage/store.ts";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { findViolations, Race } from "../history.testing.ts";
import { closing, scratchFolder, sleep, until } from "../scratch.testing.ts";
import { type EtcdProcess, hasEtcd, startEtcd, waitReady } from "./etcd.testing.ts";
import { openEtcdStore } from "./open.ts";
import { CuttableLine } from "./proxy.testing.ts";
import type { EtcdStore } from "./store.ts";

describe.skipIf(!hasEtcd)("with a real etcd", () => {
  test("two servers racing on one key see one order of events", async () => {
    const [etcd] = await cluster(1);
    const [one, two] = [await openStore([etcd]), await openStore([etcd])];
    const race = new Race("/pods/a");
    const clients = [one, one, two, two].map((store, i) => race.run(store, `client-${i}`));
    await until(() => race.writes > 200);
    race.stop();
    await Promise.all(clients);
    expect(findViolations(race.history)).toEqual([]);
  });

  test("etcd killed and started again under load: nothing acknowledged is lost, watches see all of it once", async () => {
    const [etcd] = await cluster(1);
    const [one, two] = [await openStore([etcd]), await openStore([etcd])];
    const load = await startLoad(one, two);
    for (let round = 0; round < 4; round++) {
      await sleep(300);
      await etcd.kill();
      await sleep(100);
      etcd.start();
      await waitReady(etcd.endpoint);
    }
    await sleep(500);
    await load.finish();
  });

  test("the cluster survives the loss of one member after another", async () => {
    const members = await cluster(3);
    const [one, two] = [await openStore(members), await openStore([...members].reverse())];
    const load = await startLoad(one, two);
    for (const member of members) {
      await sleep(300);
      await member.kill();
      await sleep(900);
      member.start();
      await waitReady(member.endpoint);
    }
    await sleep(500);
    await load.finish();
  });

  test("the client leaves a member that silently stops responding", async () => {
    const members = await cluster(3);
    const store = await openStore(members, { timeout: 2_000 });
    await store.create("/pods/a", "1");
    members[0].freeze(true);
    onTestFinished(() => members[0].freeze(false));
    // A key of its own for each try: one that was not answered may have been carried out.
    let tries = 0;
    const entry = await eventually(() => store.create(`/pods/b${tries++}`, "1"));
    expect(await eventually(() => store.get(entry.key))).toEqual(entry);
  });

  test("while etcd is away requests fail in time, and work again when it is back", async () => {
    const [etcd] = await cluster(1);
    const store = await openStore([etcd], { timeout: 500 });
    const entry = await store.create("/pods/a", "1");
    await etcd.kill();
    await expect(store.get("/pods/a")).rejects.toThrow(StoreUnavailable);
    await expect(store.create("/pods/b", "1")).rejects.toThrow(StoreUnavailable);
    etcd.start();
    await waitReady(etcd.endpoint);
    expect(await eventually(() => store.get("/pods/a"))).toEqual(entry);
  });

  test("a server that was cut off resumes its watches where they were", async () => {
    const { line, cutOff, other } = await openBehindLine();
    const seen = collect();
    await cutOff.watch("/", await cutOff.revision(), seen);
    for (let round = 0; round < 5; round++) {
      line.cut(true);
      for (let i = 0; i < 5; i++) await other.create(`/pods/${round}-${i}`, "1");
      line.cut(false);
      await seen.until((round + 1) * 5);
    }
    expect(seen.events.map(({ entry }) => entry)).toEqual((await other.list("/")).entries);
    expect(seen.errors).toEqual([]);
  });

  test("a server that was cut off until etcd compacted what it missed ends its watches and starts over", async () => {
    const { line, cutOff, other } = await openBehindLine();
    const seen = collect();
    const a = await cutOff.create("/pods/a", "1");
    await cutOff.watch("/", await cutOff.revision(), seen);
    line.cut(true);
    const a2 = await other.update("/pods/a", "2", a.revision);
    const b = await other.create("/pods/b", "1");
    await other.compact(b.revision);
    line.cut(false);
    await seen.until(1);
    expect(seen.errors).toMatchObject([{ name: "Compacted", compacted: b.revision }]);
    expect((await eventually(() => cutOff.list("/"))).entries).toEqual([a2, b]);
    await expect(cutOff.watch("/", a.revision, collect())).rejects.toThrow(Compacted);
  });

  test("a cluster that was restored to an earlier state is read again, whether a watch or a read detects it first", async () => {
    const [first] = await cluster(1);
    const store = await openStore([first], { timeout: 3_000 });
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 5; i++) await eventually(() => store.create(`/pods/${round}-${i}`, "1"));
      const seen = collect();
      await store.watch("/", await eventually(() => store.revision()), seen);
      await first.replaceData(scratchFolder());
      // A try with an unknown outcome may have succeeded; the next one then finds the key.
      const created = eventually(() => store.create("/pods/new", "1")).catch((error) => {
        if (!(error instanceof KeyExists)) throw error;
      });
      const read = eventually(() => store.revision());
      await Promise.all([created, read, waitReady(first.endpoint)]);
      expect((await eventually(() => store.list("/"))).entries.map(({ key }) => key)).toEqual(["/pods/new"]);
      expect(seen.errors).toEqual([expect.any(Compacted)]);
    }
  });
});

async function cluster<N extends 1 | 3>(members: N): Promise<[EtcdProcess, ...EtcdProcess[]]> {
  const [first, ...others] = await startEtcd({ folder: scratchFolder(), members });
  if (first === undefined) throw new Error("no member");
  onTestFinished(async () => {
    for (const member of [first, ...others]) await member.kill();
  });
  return [first, ...others];
}

async function openBehindLine(): Promise<{ line: CuttableLine; cutOff: EtcdStore; other: EtcdStore }> {
  const [etcd] = await cluster(1);
  const line = closing(await CuttableLine.open(etcd.endpoint));
  return { line, cutOff: await openStore([line]), other: await openStore([etcd]) };
}

async function openStore(
  members: readonly { readonly endpoint: string }[],
  options: { timeout?: number } = {},
): Promise<EtcdStore> {
  return closing(
    await openEtcdStore({ endpoints: members.map(({ endpoint }) => endpoint), timeout: 5_000, ...options }),
  );
}

/** Writers on one store, watches on both; `finish` compares what was acknowledged with what everybody saw. */
async function startLoad(one: WatchableStore, two: WatchableStore): Promise<{ finish(): Promise<void> }> {
  const start = await one.revision();
  const watches = [collect(), collect()];
  await one.watch("/load/", start, watches[0] ?? collect());
  await two.watch("/load/", start, watches[1] ?? collect());
  const acknowledged = new Map<number, string>();
  let isOver = false;
  const write = async (store: WatchableStore, name: string): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const key = `/load/${name}/${count}`;
      const entry = await store.create(key, key).catch(tolerate);
      if (entry !== undefined) acknowledged.set(entry.revision, key);
    }
  };
  const race = new Race("/race/a");
  const clients = [0, 1, 2, 3].map((i) => write(i % 2 === 0 ? one : two, `w${i}`));
  const racers = [one, two].map((store, i) => race.run(store, `racer-${i}`));
  const finish = async (): Promise<void> => {
    await until(() => acknowledged.size > 100);
    isOver = true;
    race.stop();
    await Promise.all([...clients, ...racers]);
    await Promise.all([one, two].map((store) => store.revision()));
    const stored = (await one.list("/load/")).entries;
    for (const { events, errors } of watches) {
      expect(errors).toEqual([]);
      const revisions = events.map(({ revision }) => revision);
      expect(revisions).toEqual([...new Set(revisions)].sort((x, y) => x - y));
      expect(new Set(events.map(({ key }) => key))).toEqual(new Set(stored.map(({ key }) => key)));
      const seen = new Map(events.map(({ revision, key }) => [revision, key]));
      for (const [revision, key] of acknowledged) expect(seen.get(revision)).toBe(key);
    }
    expect(findViolations(race.history)).toEqual([]);
  };
  return { finish };
}

function tolerate(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
  return undefined;
}

async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === 100) throw error;
      await sleep(100);
    }
  }
}

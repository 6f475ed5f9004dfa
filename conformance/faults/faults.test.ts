/**
 * Servers under concurrent clients while processes are killed, etcd fails, lines are cut and files are damaged. What the
 * clients saw must be linearizable, watches must have every event once, and rights must be those last acknowledged.
 *
 * Runs a few seconds for each fault; `npm run faults -- --minutes 60` runs longer.
 */
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { hasEtcd, startEtcd, waitReady } from "../../packages/server/src/node/etcd/etcd.testing.ts";
import { CuttableLine } from "../../packages/server/src/node/etcd/proxy.testing.ts";
import type { EtcdStore } from "../../packages/server/src/node/etcd/store.ts";
import { findViolations } from "../../packages/server/src/node/history.testing.ts";
import { randomFrom } from "../../packages/server/src/node/hostile.testing.ts";
import { scratchFolder } from "../../packages/server/src/node/scratch.testing.ts";
import { openEtcdStore } from "../../packages/server/src/node/stores.ts";
import { Authority, Register, Run, Watcher } from "./clients.ts";
import { type DiskFault, FaultyDisk, NO_FAULTY_DISK } from "./disk.ts";
import { ADMIN, ALICE, Served, type ServedOptions } from "./served.ts";

const MINUTES = Number(process.env["PORTCULLIS_FAULT_MINUTES"] ?? 0);
const SCENARIOS = 11;
/** Servers that share an etcd hear of each other's changes by watches, as upstream; milliseconds on a busy machine. */
const LAG = 2_000;
/** Milliseconds for each scenario. */
const TIME = MINUTES === 0 ? 5_000 : (MINUTES * 60_000) / SCENARIOS;
const SEED = Number(process.env["PORTCULLIS_FAULT_SEED"] ?? 1);
const LIMIT = TIME * 3 + 240_000;

const figures: string[] = [];
afterAll(() => console.log(figures.join("\n")));

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

interface Fault {
  /** Breaks something and repairs it. */
  readonly strike: (random: () => number) => Promise<void>;
  readonly urls: readonly string[];
}

/** Runs clients against the servers, with a fault now and then. */
async function survive(name: string, { strike, urls }: Fault): Promise<void> {
  const random = randomFrom(SEED);
  const run = new Run(urls);
  const registers = ["r0", "r1"].map((each) => new Register(run, each));
  const watchers = registers.map(({ name: register }) => new Watcher(run, register));
  const authority = new Authority(run, "faults", urls.length > 1 ? LAG : 0);
  const clients = [
    ...registers.flatMap((register) => ["a", "b"].map((id) => register.client(id))),
    ...watchers.map((watcher) => watcher.client()),
    authority.client(),
  ];
  const end = performance.now() + TIME;
  let strikes = 0;
  for (; performance.now() < end; strikes++) {
    await pause(300 + random(700));
    await strike(() => random(1 << 20) / (1 << 20));
  }
  const before = registers.map(({ acknowledged }) => acknowledged);
  const goesOn = (): boolean => registers.every(({ acknowledged }, i) => acknowledged > (before[i] ?? 0) + 3);
  while (!goesOn()) await pause(50);
  await pause(500);
  run.isOver = true;
  await Promise.all(clients);
  const writes = registers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const events = watchers.reduce((sum, watcher) => sum + watcher.events, 0);
  figures.push(`${name}: ${strikes} faults, ${writes} writes, ${events} events, ${authority.checks} checks of rights`);
  expect(registers.flatMap(({ history }) => findViolations(history))).toEqual([]);
  expect(watchers.flatMap((watcher, i) => watcher.check(registers[i]?.history ?? []))).toEqual([]);
  expect(authority.violations).toEqual([]);
  expect(events).toBeGreaterThan(0);
}

type Environment = Pick<ServedOptions, "preload" | "environment">;

async function serve(storage: readonly string[], folder: string, environment: Environment = {}): Promise<Served> {
  const tokenFile = path.join(folder, "tokens.csv");
  writeFileSync(tokenFile, `${ADMIN},admin,1,system:masters\n${ALICE},alice,2,\n`, { mode: 0o600 });
  const served = await Served.start({ storage, folder, tokenFile, ...environment });
  onTestFinished(() => served.kill());
  return served;
}

test(
  "the embedded store, its server killed",
  async () => {
    const folder = scratchFolder();
    const served = await serve(["--data-dir", path.join(folder, "data")], folder);
    const strike = async (): Promise<void> => {
      await served.kill();
      await served.start();
    };
    await survive("embedded, kill -9", { strike, urls: [served.url] });
  },
  LIMIT,
);

test(
  "several processes, each of them killed",
  async () => {
    const folder = scratchFolder();
    const served = await serve(["--data-dir", path.join(folder, "data"), "--processes", "2"], folder);
    const strike = async (random: () => number): Promise<void> => {
      if (random() < 0.7) return served.killServing(random());
      await served.kill();
      await served.start();
    };
    await survive("two processes, kill -9", { strike, urls: [served.url] });
  },
  LIMIT,
);

test(
  "the embedded store, a bit flipped in a file while the server was down",
  async () => {
    const folder = scratchFolder();
    const data = path.join(folder, "data");
    const served = await serve(["--data-dir", data], folder);
    let refused = 0;
    const strike = async (random: () => number): Promise<void> => {
      await served.kill();
      const copy = path.join(folder, "copy");
      cpSync(data, copy, { recursive: true });
      flipBit(data, random);
      try {
        await served.start();
      } catch {
        // Refused: the operator restores the undamaged data.
        refused++;
        rmSync(data, { recursive: true });
        cpSync(copy, data, { recursive: true });
        await served.start();
      }
      rmSync(copy, { recursive: true });
    };
    await survive("embedded, flipped bits", { strike, urls: [served.url] });
    figures.push(`  of these, ${refused} were refused at start`);
  },
  LIMIT,
);

test(
  "a clock that jumps",
  async () => {
    const folder = scratchFolder();
    const served = await serve(["--data-dir", path.join(folder, "data")], folder, { preload: JUMPING_CLOCK });
    await survive("embedded, clock jumps", { strike: async () => {}, urls: [served.url] });
  },
  LIMIT,
);

// The faults are in a library that is compiled for the test and loaded before libc: it needs Linux and a C compiler.
describe.skipIf(NO_FAULTY_DISK !== undefined)("a faulty disk", () => {
  async function withDisk(name: string, faults: readonly DiskFault[], processes: readonly string[]): Promise<void> {
    const folder = scratchFolder();
    const disk = new FaultyDisk(folder);
    const storage = ["--data-dir", path.join(folder, "data"), ...processes];
    const served = await serve(storage, folder, { environment: disk.environment });
    const strike = async (random: () => number): Promise<void> => {
      disk.set(faults[Math.floor(random() * faults.length)] ?? "none");
      await pause(200 + random() * 600);
      // What was not acknowledged may be lost with the process.
      if (random() < 0.3) {
        await served.kill();
        disk.set("none");
        await served.start();
      }
      disk.set("none");
    };
    await survive(name, { strike, urls: [served.url] });
  }

  test("slow", () => withDisk("embedded, slow disk", ["slow"], []), LIMIT);
  test("full and broken", () => withDisk("embedded, full and broken disk", ["full", "broken"], []), LIMIT);
});

/** Code that runs before the server's: twice a second, its clock is up to an hour before or behind. */
const JUMPING_CLOCK = `const real = Date.now; let offset = 0;
Date.now = () => real() + offset;
setInterval(() => { offset = Math.round((Math.random() - 0.5) * 7200000); }, 500).unref();`;

/** In the database or its write-ahead log. */
function flipBit(folder: string, random: () => number): void {
  const files = ["portcullis.db", "portcullis.db-wal"]
    .map((name) => path.join(folder, name))
    .filter((file) => existsSync(file) && statSync(file).size > 0);
  const file = files[Math.floor(random() * files.length)];
  if (file === undefined) throw new Error("there is no database");
  const bytes = readFileSync(file);
  const at = Math.floor(random() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  writeFileSync(file, bytes);
}

// etcd is a program of its own; CI installs it.
describe.skipIf(!hasEtcd)("with a real etcd", () => {
  async function startOne() {
    const [etcd] = await startEtcd({ folder: scratchFolder() });
    if (etcd === undefined) throw new Error("no member");
    onTestFinished(() => etcd.kill());
    return etcd;
  }

  const serveOn = ({ endpoint }: { readonly endpoint: string }, folder: string): Promise<Served> =>
    serve(["--etcd-servers", endpoint], folder);

  const restart = async (served: Served, random: () => number): Promise<void> => {
    await served.kill(random() < 0.5 ? "SIGKILL" : "SIGTERM");
    await served.start();
  };

  /** For longer than servers may lag. */
  const freeze = async (served: Served, random: () => number): Promise<void> => {
    served.freeze(true);
    await pause(LAG + 500 + random() * 1_000);
    served.freeze(false);
  };

  test.each([
    { name: "restarted", strikeOne: restart },
    { name: "frozen", strikeOne: freeze },
  ])(
    "two servers, one after the other $name",
    async ({ name, strikeOne }) => {
      const [etcd, folder] = [await startOne(), scratchFolder()];
      const servers = [await serveOn(etcd, folder), await serveOn(etcd, folder)] as const;
      const strike = (random: () => number): Promise<void> => strikeOne(servers[random() < 0.5 ? 0 : 1], random);
      await survive(`etcd, two servers ${name}`, { strike, urls: servers.map(({ url }) => url) });
    },
    LIMIT,
  );

  test(
    "etcd killed and frozen",
    async () => {
      const [etcd, folder] = [await startOne(), scratchFolder()];
      const served = await serveOn(etcd, folder);
      const strike = async (random: () => number): Promise<void> => {
        if (random() < 0.5) {
          etcd.freeze(true);
          await pause(200 + random() * 800);
          etcd.freeze(false);
          return;
        }
        await etcd.kill();
        etcd.start();
        await waitReady(etcd.endpoint);
      };
      await survive("etcd killed and frozen", { strike, urls: [served.url] });
    },
    LIMIT,
  );

  test(
    "a server cut off while etcd compacts what it missed",
    async () => {
      const [etcd, folder] = [await startOne(), scratchFolder()];
      const line = await CuttableLine.open(etcd.endpoint);
      onTestFinished(() => line.close());
      const servers = [await serveOn(etcd, folder), await serveOn(line, folder)];
      const store: EtcdStore = await openEtcdStore({ endpoints: [etcd.endpoint] });
      onTestFinished(() => store.close());
      const strike = async (random: () => number): Promise<void> => {
        line.cut(true);
        await pause(200 + random() * 600);
        if (random() < 0.5) await store.compact(await store.revision());
        line.cut(false);
      };
      await survive("etcd, partition and compaction", { strike, urls: servers.map(({ url }) => url) });
    },
    LIMIT,
  );

  test(
    "several processes on etcd, each of them killed, and etcd frozen",
    async () => {
      const [etcd, folder] = [await startOne(), scratchFolder()];
      const served = await serve(["--etcd-servers", etcd.endpoint, "--processes", "2"], folder);
      const strike = async (random: () => number): Promise<void> => {
        if (random() < 0.5) return served.killServing(random());
        if (random() < 0.5) {
          etcd.freeze(true);
          await pause(200 + random() * 600);
          etcd.freeze(false);
          return;
        }
        await served.kill();
        await served.start();
      };
      await survive("etcd, two processes, kill -9 and freeze", { strike, urls: [served.url] });
    },
    LIMIT,
  );
});

/** What the embedded store survives. `PORTCULLIS_KILL_ROUNDS` sets how often it is killed. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../../storage/contract.testing.ts";
import type { StoreEvent, WatchableStore } from "../../storage/store.ts";
import { bundleProgram, type Child, linesOf, type Program, runProgram } from "../child.testing.ts";
import { findViolations, Race } from "../history.testing.ts";
import { closing, scratchFolder, sleep, until } from "../scratch.testing.ts";
import { diskFull, writesAgain } from "./messages.ts";
import { openSqliteStore } from "./open.ts";
import { stormValue } from "./storm-value.testing.ts";

const ROUNDS = Number(process.env["PORTCULLIS_KILL_ROUNDS"] ?? 50);

let storm: Program;
let fill: Program;

beforeAll(async () => {
  storm = await bundleProgram(new URL("./storm.testing.ts", import.meta.url));
  fill = await bundleProgram(new URL("./fill.testing.ts", import.meta.url));
});

afterAll(() => {
  storm.remove();
  fill.remove();
});

test(`killed ${ROUNDS} times under load it loses no acknowledged write and leaves no partial write`, async () => {
  const dataDir = scratchFolder();
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await newestRevision(dataDir);
    const lines = await killInStorm(dataDir);
    const store = await openSqliteStore({ dataDir });
    try {
      const events = await resume(store, before);
      checkAcknowledged(lines, events, before);
      checkValues(events);
      acknowledged += lines.length;
    } finally {
      await store.close();
    }
  }
  expect(acknowledged).toBeGreaterThanOrEqual(ROUNDS);
}, 600_000);

test("clients racing on one key see one order of events", async () => {
  const store = closing(await openSqliteStore({ dataDir: scratchFolder() }));
  const race = new Race("/pods/a");
  const clients = [0, 1, 2, 3].map((i) => race.run(store, `client-${i}`));
  await until(() => race.writes > 200);
  race.stop();
  await Promise.all(clients);
  expect(findViolations(race.history)).toEqual([]);
});

test("a lock held by a killed process is free, one held by a living process is not", async () => {
  const dataDir = scratchFolder();
  const child = runProgram(process.execPath, [storm.file, dataDir]);
  await child.until(/^start/m);
  await expect(openSqliteStore({ dataDir })).rejects.toThrow(`is in use by process ${child.process.pid}`);
  child.process.kill("SIGKILL");
  await child.ended;
  await (await openSqliteStore({ dataDir })).close();
});

test("a file system that fills up stops writes, not reads, and loses nothing", async (context) => {
  const mounts = spawnSync("unshare", ["-Urm", "sh", "-c", "mount -t tmpfs none /mnt"]).status === 0;
  if (!mounts) context.skip("needs `unshare` and leave to mount a small file system");
  const folder = scratchFolder();
  const script = `mount -t tmpfs -o size=2m none '${folder}' && exec '${process.execPath}' '${fill.file}' '${folder}'`;
  const child = runProgram("unshare", ["-Urm", "sh", "-c", script]);
  await child.ended;
  expect(linesOf(child.errors())).toEqual([diskFull(), writesAgain()]);
  expect(linesOf(child.output())).toEqual(["full", "reads", "checked", "room", "reopened", "done"]);
});

async function newestRevision(dataDir: string): Promise<number> {
  const store = await openSqliteStore({ dataDir });
  await store.close();
  return store.revision();
}

/** The lines of acknowledged writes. */
async function killInStorm(dataDir: string): Promise<string[]> {
  const child: Child = runProgram(process.execPath, [storm.file, path.resolve(dataDir)]);
  await child.until(/^(?!start).+\n/m);
  await sleep(Math.random() * 80);
  child.process.kill("SIGKILL");
  await child.ended;
  expect(child.errors()).toBe("");
  return linesOf(child.output()).filter((line) => !line.startsWith("start"));
}

/** A watch from before the storm sees every revision since, without a gap. */
async function resume(store: WatchableStore, after: number): Promise<Map<number, StoreEvent>> {
  const seen = collect();
  await store.watch("/", after, seen);
  const revisions = seen.events.map(({ revision }) => revision);
  expect(revisions).toEqual(revisions.map((_, i) => after + 1 + i));
  expect(await store.revision()).toBe(after + revisions.length);
  return new Map(seen.events.map((event) => [event.revision, event]));
}

function checkAcknowledged(lines: readonly string[], events: ReadonlyMap<number, StoreEvent>, before: number): void {
  for (const line of lines) {
    const [revision = "", key = "", number = ""] = line.split(" ");
    expect(Number(revision)).toBeGreaterThan(before);
    const event = events.get(Number(revision));
    const value = number === "-" ? undefined : stormValue(key, Number(number));
    if (event?.key !== key || event.entry?.value !== value) expect.fail(`acknowledged and lost: ${line}`);
  }
}

function checkValues(events: ReadonlyMap<number, StoreEvent>): void {
  for (const { entry } of events.values()) {
    if (entry === undefined) continue;
    const [key = "", number = ""] = entry.value.split(" ");
    if (key !== entry.key || entry.value !== stormValue(key, Number(number))) expect.fail(`torn: ${entry.key}`);
  }
}

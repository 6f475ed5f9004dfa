/** Fills a small file system and makes room again: `fill.mjs FOLDER`. Prints a word for each step that went well. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { openSqliteStore } from "./open.ts";

const folder = process.argv[2];
if (folder === undefined) throw new Error("a folder is needed");
const dataDir = path.join(folder, "data");
const ballast = path.join(folder, "ballast");
writeFileSync(ballast, Buffer.alloc(700_000));
const store = await openSqliteStore({ dataDir });

const acknowledged = await fill();
console.log("full");
await assertCount(acknowledged);
console.log("reads");
// A small write may still find room: the check is about writes like the one that failed.
await assertFull(() => store.create("/pods/large", "x".repeat(700_000)));
await assertFull(() => store.checkWrites());
console.log("checked");
rmSync(ballast);
await store.create("/pods/more", "x");
console.log("room");
await store.close();
const again = await openSqliteStore({ dataDir });
console.log("reopened");
const { entries } = await again.list("/");
if (entries.length !== acknowledged + 1) throw new Error(`${entries.length} of ${acknowledged + 1} are left`);
await again.close();
console.log("done");

async function fill(): Promise<number> {
  let failures = 0;
  for (let count = 0; ; ) {
    try {
      await store.create(`/pods/${count}`, "x".repeat(3_000));
      count++;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!/disk is full|not stored/.test(error.message)) throw error;
      // Several in a row: each must fail cleanly.
      if (++failures === 5) return count;
    }
  }
}

async function assertFull(write: () => Promise<unknown>): Promise<void> {
  const error = await write().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreUnavailable)) throw new Error("there is room");
}

async function assertCount(expected: number): Promise<void> {
  const { entries } = await store.list("/");
  if (entries.length !== expected) throw new Error(`${entries.length} entries, not ${expected}`);
}

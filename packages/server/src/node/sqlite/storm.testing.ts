/**
 * A storm of writes, to be killed: `storm.mjs DATA_DIR`. Prints one line for every acknowledged write, after it was
 * acknowledged: revision, key, number of the value ("-" for a deletion). Compacts now and then up to where it began.
 */
import { writeSync } from "node:fs";
import type { Entry, WatchableStore } from "../../storage/store.ts";
import { openSqliteStore } from "./open.ts";
import { stormValue } from "./storm-value.testing.ts";

const WRITERS = 24;
const KEYS_EACH = 6;

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error("a data directory is needed");
const store = await openSqliteStore({ dataDir });
const start = await store.revision();
writeSync(1, `start ${start}\n`);
setTimeout(() => store.compact(start), 20);
await Promise.all(Array.from({ length: WRITERS }, (_, i) => write(store, `/storm/${i}`)));

async function write(store: WatchableStore, prefix: string): Promise<never> {
  for (let count = 0; ; count++) {
    const key = `${prefix}/${count % KEYS_EACH}`;
    const current = await store.get(key);
    if (current !== undefined && Math.random() < 0.2) await remove(store, current);
    else await put(store, key, current);
  }
}

async function put(store: WatchableStore, key: string, current: Entry | undefined): Promise<void> {
  const number = Math.floor(Math.random() * 1e6);
  const value = stormValue(key, number);
  const entry = await (current ? store.update(key, value, current.revision) : store.create(key, value));
  writeSync(1, `${entry.revision} ${key} ${number}\n`);
}

async function remove(store: WatchableStore, { key, revision }: Entry): Promise<void> {
  writeSync(1, `${await store.delete(key, revision)} ${key} -\n`);
}

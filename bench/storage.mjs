/**
 * Durable writes per second of each storage driver on the same disk: one writer that waits for every commit, and many
 * concurrent writers, which may share commits. Rounds of all drivers alternate, so that they see the same noise, and
 * the best round of each counts; only the ratios to etcd are comparable across machines.
 *
 * `npm run bench -- storage [--quick] [--dir FOLDER]`: the folder chooses the disk.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { MemoryStore, openEtcdStore, openSqliteStore } from "@portcullis/server";
import { startEtcd } from "./etcd.mjs";

const VALUE = JSON.stringify({ kind: "Example", spec: { text: "x".repeat(1_450) } });
const MEASURES = [
  { name: "single commits/s", writers: 1 },
  { name: "64 writers, writes/s", writers: 64 },
  { name: "512 writers, writes/s", writers: 512 },
];

export async function main(options) {
  const quick = options.includes("--quick");
  const parent = options[options.indexOf("--dir") + 1];
  const folder = mkdtempSync(path.join(options.includes("--dir") ? parent : tmpdir(), "bench-storage-"));
  const etcd = await startEtcd(folder);
  try {
    const drivers = await openAll(folder, etcd);
    const results = await measureAll(drivers, { rounds: quick ? 2 : 6, millis: quick ? 300 : 1_000 });
    for (const { store } of drivers) await store.close();
    console.log(report(drivers, results));
  } finally {
    etcd?.process.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openAll(folder, etcd) {
  const drivers = [
    { name: "memory", store: new MemoryStore() },
    { name: "embedded", store: await openSqliteStore({ dataDir: path.join(folder, "embedded") }) },
  ];
  if (etcd === undefined) console.log("without an etcd on PATH its column and the ratios are absent");
  else drivers.push({ name: "etcd", store: await openEtcdStore({ endpoints: [etcd.endpoint] }) });
  return drivers;
}

async function measureAll(drivers, { rounds, millis }) {
  const best = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const { name: measure, writers } of MEASURES) {
      for (const { name, store } of drivers) {
        const id = `${measure} ${name}`;
        const rate = await writeFor(store, { prefix: `/r${round}/${writers}`, writers, millis });
        best.set(id, Math.max(best.get(id) ?? 0, rate));
        await store.compact(await store.revision());
      }
    }
    for (const { name, store } of drivers) {
      const id = `reads/s ${name}`;
      best.set(id, Math.max(best.get(id) ?? 0, await readFor(store, { key: "/r0/1/0/0", readers: 64, millis })));
    }
  }
  return best;
}

async function writeFor(store, { prefix, writers, millis }) {
  const start = performance.now();
  let count = 0;
  const write = async (writer) => {
    for (let i = 0; performance.now() - start < millis; i++, count++)
      await store.create(`${prefix}/${writer}/${i}`, VALUE);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return (count / (performance.now() - start)) * 1_000;
}

async function readFor(store, { key, readers, millis }) {
  const start = performance.now();
  let count = 0;
  const read = async () => {
    while (performance.now() - start < millis) {
      for (let i = 0; i < 10; i++, count++) {
        if ((await store.get(key))?.value !== VALUE) throw new Error(`${key} does not read as it was written`);
      }
      // A store in memory never waits; timers and other readers must get their turn.
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  return (count / (performance.now() - start)) * 1_000;
}

function report(drivers, results) {
  const names = drivers.map(({ name }) => name);
  const hasEtcd = names.includes("etcd");
  const rows = [...MEASURES.map(({ name }) => name), "reads/s"].map((measure) => {
    const rates = names.map((name) => results.get(`${measure} ${name}`) ?? 0);
    const ratio = hasEtcd ? [`${(rates[1] / rates[2]).toFixed(1)}x`] : [];
    return [measure, ...rates.map((rate) => rate.toFixed(0)), ...ratio];
  });
  const table = [["values of 1.5 KB", ...names, ...(hasEtcd ? ["embedded/etcd"] : [])], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "))
    .join("\n");
}

/**
 * The server compared with kube-apiserver: same machine, same disk, TLS on, every write durable before it is
 * acknowledged. The client is the same for all and runs in this process, so on two cores it slows all servers equally;
 * the processor time per request does not depend on it. Ratios are comparable across machines, numbers are not.
 *
 * `npm run bench -- server [--quick] [--growth] [--processes N] [--crds N] [--objects N] [--dir FOLDER]`: `--growth`
 * measures how ours grows instead, `--processes` compares one process of ours with several, `--crds` installs that many
 * CRDs (or those of a folder), `--objects` lists that many objects. `--embedded` leaves all servers out but ours with its
 * embedded store.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { contestants, processContestants } from "./server/contestants.mjs";
import { growth } from "./server/growth.mjs";
import { manyDefinitions, manyObjects } from "./server/scale.mjs";
import { COLLECTION, inParallel, install, percentile, widget } from "./server/workload.mjs";

const PARALLEL = 32;
const LIST = 1_000;
const FIRST = 1_000;

export async function main(options) {
  const quick = options.includes("--quick");
  const parent = options.includes("--dir") ? options[options.indexOf("--dir") + 1] : tmpdir();
  const folder = mkdtempSync(path.join(parent, "bench-server-"));
  const all = options.includes("--embedded") ? contestants().slice(0, 1) : contestants();
  try {
    const optionOf = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
    const [processes, crds, objects] = [optionOf("--processes"), optionOf("--crds"), optionOf("--objects")];
    if (processes !== undefined) await compare(processContestants(Number(processes)), folder, quick);
    else if (crds !== undefined) await manyDefinitions(all, folder, crds);
    else if (objects !== undefined) await manyObjects(all[0], folder, Number(objects));
    else if (options.includes("--growth")) await growth(restartable(all[0], folder), quick);
    else await compare(all, folder, quick);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function compare(all, folder, quick) {
  const results = [];
  for (const { name, start } of all) {
    const own = path.join(folder, name.replace(" ", "-"));
    mkdirSync(own, { mode: 0o700 });
    const server = await start(own);
    try {
      results.push({ name, values: await measure(server, quick ? 500 : 4_000) });
    } finally {
      server.stop();
    }
  }
  console.log(report(results));
}

async function measure(server, count) {
  const { client } = server;
  const values = new Map([["start, ms", server.startMillis]]);
  await install(client);
  await warmUp(client, values, count);
  const load = async (name, total, work) => {
    const cpu = server.cpu();
    const { seconds, times } = await inParallel(total, PARALLEL, work);
    values.set(`${name}/s`, total / seconds);
    values.set(`${name}, p50 ms`, percentile(times, 0.5));
    values.set(`${name}, p99 ms`, percentile(times, 0.99));
    values.set(`${name}, CPU ms each`, (server.cpu() - cpu) / total);
  };
  const created = [];
  await load("creates", count, async (i) => {
    created[i] = JSON.parse(await client.must("POST", COLLECTION, widget(`w-${i}`)));
  });
  await load("updates", count, (i) => {
    const object = { ...created[i], spec: { ...created[i].spec, size: 2 } };
    return client.must("PUT", `${COLLECTION}/w-${i}`, object);
  });
  const patch = JSON.stringify({ spec: { size: 3 } });
  await load("patches", count, (i) =>
    client.must("PATCH", `${COLLECTION}/w-${i}`, patch, "application/merge-patch+json"),
  );
  await load("gets", count * 2, (i) => client.must("GET", `${COLLECTION}/w-${i % count}`));
  await load(`lists of ${Math.min(LIST, count)}`, Math.ceil(count / 40), () =>
    client.must("GET", `${COLLECTION}?limit=${LIST}`),
  );
  values.set("memory, MB", server.memory());
  return values;
}

/**
 * Servers run for days, so the measurement starts after a warm-up; the first thousand creates are shown separately. All
 * get the same number of requests first.
 */
async function warmUp(client, values, count) {
  const create = (name) => (i) => client.must("POST", COLLECTION, widget(`${name}-${i}`));
  const first = Math.min(FIRST, count);
  const { seconds } = await inParallel(first, PARALLEL, create("first"));
  values.set(`first ${first} creates/s`, first / seconds);
  await inParallel(2 * count, PARALLEL, create("warm"));
}

/** A server whose process can be replaced by another on the same data. */
function restartable({ start }, folder) {
  let count = 0;
  return async () => {
    const own = path.join(folder, `growth-${count++}`);
    mkdirSync(own, { mode: 0o700 });
    let server = await start(own);
    const restart = async () => {
      server.stop();
      // The lock of the data folder is released when the process has ended.
      await new Promise((resolve) => setTimeout(resolve, 200));
      server = await start(own);
      return server;
    };
    return { server, restart };
  };
}

const MORE_IS_BETTER = /\/s$/;

function report(results) {
  const reference = results.find(({ name }) => name === "kube-apiserver");
  const others = results.filter((result) => result !== reference);
  const header = [
    "",
    ...results.map(({ name }) => name),
    ...(reference ? others.map(({ name }) => `${name}: better by`) : []),
  ];
  const rows = [...results[0].values.keys()].map((measure) => {
    const value = ({ values }) => values.get(measure) ?? Number.NaN;
    const ratio = (result) =>
      MORE_IS_BETTER.test(measure) ? value(result) / value(reference) : value(reference) / value(result);
    const ratios = reference ? others.map((result) => `${ratio(result).toFixed(1)}x`) : [];
    return [measure, ...results.map((result) => format(value(result))), ...ratios];
  });
  const table = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "))
    .join("\n");
}

const format = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

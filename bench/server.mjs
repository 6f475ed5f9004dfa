/**
 * The server compared with kube-apiserver: same machine, same disk, TLS on, every write durable before it is
 * acknowledged. The client is the same for all and takes a few hundredths of a millisecond for each request, also from the
 * cores of the server. Ratios are comparable across machines, numbers are not.
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
import { loadGenerator } from "./server/load.mjs";
import { manyDefinitions, manyObjects } from "./server/scale.mjs";
import { COLLECTION, install, widget } from "./server/workload.mjs";

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
  const send = loadGenerator(folder);
  for (const { name, start } of all) {
    const own = path.join(folder, name.replace(" ", "-"));
    mkdirSync(own, { mode: 0o700 });
    const server = await start(own);
    try {
      results.push({ name, values: await measure(server, quick ? 500 : 4_000, send) });
    } finally {
      server.stop();
    }
  }
  console.log(report(results));
}

async function measure(server, count, send) {
  const { client } = server;
  const values = new Map([["start, ms", server.startMillis]]);
  await install(client);
  await warmUp(server, values, { count, send });
  const load = async (name, requests, type) => {
    const before = server.cpu();
    const { seconds, p50, p99, cpu, answers } = await send(server, requests, type);
    values.set(`${name}/s`, requests.length / seconds);
    values.set(`${name}, p50 ms`, p50);
    values.set(`${name}, p99 ms`, p99);
    values.set(`${name}, CPU ms each`, (server.cpu() - before) / requests.length);
    values.set(`${name}, client's CPU ms each`, cpu / requests.length);
    return answers();
  };
  await changes("w", count, load);
  await load(
    "gets",
    many(count * 2, (i) => ["GET", `${COLLECTION}/w-${i % count}`, ""]),
  );
  await load(
    `lists of ${Math.min(LIST, count)}`,
    many(Math.ceil(count / 40), () => ["GET", `${COLLECTION}?limit=${LIST}`, ""]),
  );
  values.set("memory, MB", server.memory());
  return values;
}

const many = (length, make) => Array.from({ length }, (_, i) => make(i));
const creates = (name, count) => many(count, (i) => ["POST", COLLECTION, JSON.stringify(widget(`${name}-${i}`))]);

/** Creates objects, replaces and patches them. */
async function changes(name, count, load) {
  const created = (await load("creates", creates(name, count))).map((text) => JSON.parse(text));
  const replaced = created.map((object) => ({ ...object, spec: { ...object.spec, size: 2 } }));
  const pathOf = (object) => `${COLLECTION}/${object.metadata.name}`;
  await load(
    "updates",
    replaced.map((object) => ["PUT", pathOf(object), JSON.stringify(object)]),
  );
  const patch = JSON.stringify({ spec: { size: 3 } });
  await load(
    "patches",
    created.map((object) => ["PATCH", pathOf(object), patch]),
    "application/merge-patch+json",
  );
}

/**
 * Servers run for days, so the measurement starts after a warm-up; the first thousand creates are shown separately. All
 * get the same number of requests of each sort first.
 */
async function warmUp(server, values, { count, send }) {
  const first = Math.min(FIRST, count);
  const { seconds } = await send(server, creates("first", first));
  values.set(`first ${first} creates/s`, first / seconds);
  await changes("warm", count, async (_, requests, type) => (await send(server, requests, type)).answers());
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

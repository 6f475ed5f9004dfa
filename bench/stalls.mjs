/**
 * How long a small GET waits on another connection while the server works on a hostile request, beside kube-apiserver in
 * the same run. The requests are those of the stall tests: as large as the limits allow, for every sort of list, map and
 * text.
 *
 * `npm run bench -- stalls [--kube-apiserver PATH] [--core N] [--repeat N] [--only TEXT] [--part I/N] [--record FILE] [--dir FOLDER]`:
 * `--core` binds the servers to one core, by default the last one where there is taskset; the smallest delay of `--repeat`
 * runs counts, because on a busy machine others cause delays too. What the server does in that time is the processor time
 * of all its threads; a delay that is longer is not its own. `--part 2/5` runs the second fifth, `--record` adds the
 * results to a file, and the table shows all that the file holds. A request that takes more than a second is sent again
 * with `timeout=1s`: it has to end by then. Fails if a small GET waits for more than 250 ms for
 * ours.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { contestants } from "./server/contestants.mjs";
import { probed } from "./server/probe.mjs";
import { scenarios } from "./server/scenarios.mjs";

const LIMIT_MS = 250;
/** Requests that end by then are not sent again with a timeout. */
const TIMEOUT_MS = 1_000;
/** What a request may take beyond its timeout, in milliseconds: its body still has to be sent and read. */
const GRACE_MS = 1_500;

export async function main(options) {
  const optionOf = (name, otherwise) => (options.includes(name) ? options[options.indexOf(name) + 1] : otherwise);
  const folder = mkdtempSync(path.join(optionOf("--dir", tmpdir()), "bench-stalls-"));
  const requests = part([...(await hostileRequests()), ...scenarios], optionOf("--part", "1/1")).filter(({ name }) =>
    name.includes(optionOf("--only", "")),
  );
  if (requests.length === 0) throw new Error("no request is left to measure");
  const [core, reference] = [optionOf("--core", lastCore()), optionOf("--kube-apiserver", undefined)];
  const servers = contestants({ core, reference }).filter(({ name }) => name !== "on etcd");
  const record = optionOf("--record", undefined);
  const measured = [];
  try {
    for (const { name, start } of servers) {
      const own = path.join(folder, name.replace(" ", "-"));
      mkdirSync(own, { mode: 0o700 });
      const server = await start(own);
      const keep = (result) => {
        measured.push({ server: name, ...result });
        if (record !== undefined) appendFileSync(record, `${JSON.stringify(measured.at(-1))}\n`);
      };
      try {
        await measureAll(server, requests, Number(optionOf("--repeat", "1")), keep);
      } finally {
        server.stop();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  report(record === undefined ? measured : recorded(record));
}

function part(requests, text) {
  const [index, count] = text.split("/").map(Number);
  const size = Math.ceil(requests.length / count);
  return requests.slice((index - 1) * size, index * size);
}

/** The last result of each request counts. */
function recorded(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const results = lines.map((line) => JSON.parse(line));
  return [...new Map(results.map((result) => [`${result.server} ${result.name}`, result])).values()];
}

function lastCore() {
  return spawnSync("taskset", ["--version"]).status === 0 ? `${availableParallelism() - 1}` : undefined;
}

async function measureAll(server, requests, repeat, keep) {
  const api = clientOf(server.client);
  const prepared = new Set();
  for (const request of requests) {
    if (request.needs !== undefined && !prepared.has(request.needs)) {
      prepared.add(request.needs);
      await request.needs(api);
    }
    let best = { delay: Number.POSITIVE_INFINITY };
    for (let i = 0; i < (request.isOnce ? 1 : repeat); i++) {
      const { result, ...times } = await probed(server, () => send(server.client, request));
      if (times.delay < best.delay) best = { ...times, code: result.code };
    }
    const isLimited = request.run === undefined && best.millis > TIMEOUT_MS;
    const limited = isLimited ? await probed(server, () => send(server.client, request, "timeout=1s")) : undefined;
    const figures = [
      `${best.delay.toFixed(0)} ms`,
      `${best.busy.toFixed(0)} ms used`,
      `${best.main.toFixed(0)} ms main`,
      `${best.memory.toFixed(0)} MB`,
    ];
    console.error(`${figures.map((each) => each.padStart(12)).join("")}  ${best.code} ${request.name}`);
    keep({ name: request.name, ...best, limited: limited && { millis: limited.millis, code: limited.result.code } });
  }
}

async function send(client, { run, method, path: target, type = "application/json", headers = {}, body }, query) {
  if (run !== undefined) return { code: await run(client) };
  const separator = target.includes("?") ? "&" : "?";
  const text = body?.();
  try {
    return await client.send(method, query ? target + separator + query : target, text, type, headers.accept, headers);
  } catch (error) {
    return { code: error.code ?? error.message };
  }
}

/** What preparations use of the client of tests. */
function clientOf(client) {
  const post = async (target, body) => {
    const { code, body: bytes } = await client.send("POST", target, body);
    return { code, json: JSON.parse(bytes.toString()) };
  };
  const get = async (target) => ({ code: (await client.send("GET", target)).code });
  return { post, get, app: { settled: () => new Promise((resolve) => setTimeout(resolve, 2_000)) } };
}

async function hostileRequests() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const outfile = path.join(root, "node_modules", ".portcullis-test", `stall-requests-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(root, "packages/server/src/endpoints/stall.testing.ts")],
    ...{ outfile, bundle: true, platform: "node", format: "esm", conditions: ["portcullis-source"] },
    ...{ external: ["libsql", "vitest"], logLevel: "error" },
  });
  try {
    return (await import(pathToFileURL(outfile).href)).hostileRequests;
  } finally {
    rmSync(outfile, { force: true });
  }
}

function report(measured) {
  const names = [...new Set(measured.map(({ server }) => server))];
  const columns = names.map((name) => ({
    name,
    results: new Map(measured.filter(({ server }) => server === name).map((result) => [result.name, result])),
  }));
  const [ours, reference] = columns;
  const sorted = [...ours.results.values()].sort((a, b) => b.delay - a.delay);
  const cells = (result) =>
    result === undefined
      ? ["", "", "", "", ""]
      : [
          result.delay.toFixed(0),
          result.busy.toFixed(0),
          result.millis.toFixed(0),
          result.code,
          result.limited === undefined ? "" : `${result.limited.millis.toFixed(0)} (${result.limited.code})`,
        ];
  const heads = columns.flatMap(({ name }) => [
    `${name}: GET delay ms`,
    "processor ms",
    "took ms",
    "code",
    "with timeout=1s ms",
  ]);
  console.log(`| request | ${heads.join(" | ")} |`);
  console.log(`|---|${heads.map(() => "---:").join("|")}|`);
  for (const result of sorted) {
    const row = [...cells(result), ...(reference === undefined ? [] : cells(reference.results.get(result.name)))];
    console.log(`| ${result.name} | ${row.join(" | ")} |`);
  }
  const overdue = sorted.filter(({ limited }) => limited !== undefined && limited.millis > TIMEOUT_MS + GRACE_MS);
  const worst = Math.max(0, ...sorted.map(heldBy));
  console.log(`\n${sorted.length} requests; the longest takes ${worst.toFixed(0)} ms; ${overdue.length} end too late`);
  if (worst > LIMIT_MS || overdue.length > 0) process.exitCode = 1;
}

/** The delay, without what others on the machine have added to it. */
function heldBy({ delay, busy }) {
  return Number.isNaN(busy) ? delay : Math.min(delay, busy);
}

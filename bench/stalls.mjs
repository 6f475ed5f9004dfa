/**
 * How long a small GET waits on another connection while the server works on a hostile request, beside kube-apiserver in
 * the same run. The requests are those of the stall tests: as large as the limits allow, for every sort of list, map and
 * text.
 *
 * `npm run bench -- stalls [--core N] [--repeat N] [--only TEXT] [--dir FOLDER]`: `--core` binds the servers to one core,
 * and the smallest delay of `--repeat` runs counts, because on a busy machine others cause delays too. Every request is
 * also sent with `timeout=1s`: it has to end by then. Fails if a small GET waits for more than 250 ms for ours.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { contestants } from "./server/contestants.mjs";
import { probed } from "./server/probe.mjs";

const LIMIT_MS = 250;
/** What a request may take beyond its timeout, in milliseconds: its body still has to be sent and read. */
const GRACE_MS = 1_500;

export async function main(options) {
  const optionOf = (name, otherwise) => (options.includes(name) ? options[options.indexOf(name) + 1] : otherwise);
  const folder = mkdtempSync(path.join(optionOf("--dir", tmpdir()), "bench-stalls-"));
  const requests = (await hostileRequests()).filter(({ name }) => name.includes(optionOf("--only", "")));
  const servers = contestants({ core: optionOf("--core", undefined) }).filter(({ name }) => name !== "on etcd");
  const columns = [];
  try {
    for (const { name, start } of servers) {
      const own = path.join(folder, name.replace(" ", "-"));
      mkdirSync(own, { mode: 0o700 });
      const server = await start(own);
      try {
        columns.push({ name, results: await measureAll(server, requests, Number(optionOf("--repeat", "1"))) });
      } finally {
        server.stop();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  report(requests, columns);
}

async function measureAll(server, requests, repeat) {
  const api = clientOf(server.client);
  const prepared = new Set();
  const results = [];
  for (const request of requests) {
    if (request.needs !== undefined && !prepared.has(request.needs)) {
      prepared.add(request.needs);
      await request.needs(api);
    }
    let best = { delay: Number.POSITIVE_INFINITY };
    for (let i = 0; i < repeat; i++) {
      const { result, millis, delay } = await probed(server.port, server.token, () => send(server.client, request));
      if (delay < best.delay) best = { delay, millis, code: result.code };
    }
    const limited = await probed(server.port, server.token, () => send(server.client, request, "timeout=1s"));
    console.error(`${best.delay.toFixed(0).padStart(6)} ms ${request.name}`);
    results.push({ ...best, limited: { millis: limited.millis, code: limited.result.code } });
  }
  return results;
}

async function send(client, { method, path: target, type = "application/json", headers = {}, body }, query) {
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

function report(requests, columns) {
  const [ours, reference] = columns;
  const order = requests.map((_, i) => i).sort((a, b) => ours.results[b].delay - ours.results[a].delay);
  const cells = (result) =>
    result === undefined
      ? []
      : [
          result.delay.toFixed(0),
          result.millis.toFixed(0),
          result.code,
          result.limited.millis.toFixed(0),
          result.limited.code,
        ];
  const names = columns.flatMap(({ name }) => [
    `${name}: GET delay ms`,
    "took ms",
    "code",
    "with timeout=1s ms",
    "code",
  ]);
  console.log(`| request | ${names.join(" | ")} |`);
  console.log(`|---|${names.map(() => "---:").join("|")}|`);
  for (const i of order) {
    const row = [...cells(ours.results[i]), ...cells(reference?.results[i])];
    console.log(`| ${requests[i].name} | ${row.join(" | ")} |`);
  }
  const worst = ours.results[order[0]].delay;
  const overdue = ours.results.filter(({ limited }) => limited.millis > 1_000 + GRACE_MS);
  console.log(
    `\n${requests.length} requests; the longest delay is ${worst.toFixed(0)} ms; ${overdue.length} end too late`,
  );
  if (worst > LIMIT_MS || overdue.length > 0) process.exitCode = 1;
}

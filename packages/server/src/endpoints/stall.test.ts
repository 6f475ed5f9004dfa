/**
 * Hostile requests must not keep the main thread from others. A share of them runs by default; `PORTCULLIS_STALL=all` runs
 * all and prints how long each held the thread; any other value runs those with it in their name.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import { bundleProgram, type Program } from "../node/child.testing.ts";
import type { ClosableWorker } from "../node/heavy/pool.ts";
import { heavyWorker } from "../node/heavy/worker.ts";
import type { HostileRequest, Preparation } from "./hostile-requests.testing.ts";
import { hostileRequests } from "./stall.testing.ts";
import { longestTurn } from "./stall-clock.testing.ts";

const ALL = process.env["PORTCULLIS_STALL"] === "all";
/** One of so many by default. */
const SHARE = 12;
/** Milliseconds of processor time. What is measured here is less than half; machines differ. */
const LIMIT = 250;

const ONLY = process.env["PORTCULLIS_STALL"] ?? "";

const chosen = hostileRequests.filter(
  ({ name }, index) => ALL || (ONLY === "" ? index % SHARE === 0 : name.includes(ONLY)),
);

let api: Client;
let program: Program;
let worker: ClosableWorker | undefined;
const prepared = new Set<Preparation>();
const figures: string[] = [];

beforeAll(async () => {
  program = await bundleProgram(new URL("../node/heavy/heavy-thread.ts", import.meta.url));
  const definitionUpgrades = { mode: "warn" } as const;
  const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  api = await openClient({ yieldTurn, definitionUpgrades }, (options) => {
    worker = heavyWorker(program.file, options);
    return worker === undefined ? {} : { heavyWorker: worker };
  });
});

afterAll(async () => {
  await worker?.close();
  program.remove();
  await api.app.close();
  if (ONLY !== "") console.log(figures.sort().reverse().join("\n"));
});

test.each(chosen)(
  "$name: others are served meanwhile",
  async (request) => {
    const { needs } = request;
    if (needs !== undefined && !prepared.has(needs)) {
      prepared.add(needs);
      await needs(api);
    }
    const sent = toRequest(request);
    const { result, millis } = await longestTurn(() => api.app.fetch(sent));
    figures.push(`${Math.round(millis).toString().padStart(6)} ms ${result.status} ${request.name}`);
    // Otherwise what it needs is missing, and nothing was measured.
    expect(result.status === 404).toBe(request.isMissing === true);
    // A write beyond the store's limit is refused as etcd refuses it.
    if (result.status === 500) expect(await result.text()).toContain("etcdserver: request is too large");
    expect(millis).toBeLessThan(LIMIT);
  },
  180_000,
);

/** As long as the head of a request may be. */
const longSelector = (): string =>
  encodeURIComponent(Array.from({ length: 40_000 }, (_, i) => `tier!=v${i}`).join(","));

test("many watches with long selectors are opened in turns, and see changes at once", async () => {
  const path = `/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=1&labelSelector=${longSelector()}`;
  const requests = Array.from({ length: 20 }, () =>
    toRequest({ name: "", method: "GET", path, headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }),
  );
  const opened = await longestTurn(() => Promise.all(requests.map((each) => api.app.fetch(each))));
  expect(opened.result.map(({ status }) => status)).toEqual(requests.map(() => 200));
  expect(opened.millis).toBeLessThan(LIMIT);
  const readers = opened.result.map(({ body }) => body?.getReader());
  const labels = { tier: "none" };
  const changed = await longestTurn(async () => {
    await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "watched", labels } });
    return Promise.all(readers.map((reader) => reader?.read()));
  });
  expect(changed.millis).toBeLessThan(LIMIT);
  for (const each of changed.result) expect(new TextDecoder().decode(each?.value)).toMatch(/"type":"ADDED".*"Table"/);
  for (const reader of readers) await reader?.cancel();
}, 180_000);

function toRequest({ method, path, type = "application/json", headers, body }: HostileRequest): Request {
  const text = body?.();
  return new Request(`http://test${path}`, {
    method,
    headers: { authorization: "Bearer admin", "content-type": type, ...headers },
    ...(text === undefined ? {} : { body: text }),
  });
}

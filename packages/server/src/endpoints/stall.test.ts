/**
 * Hostile requests must not keep the thread to themselves. A share of them runs by default; `PORTCULLIS_STALL=all` runs
 * all and prints how long each held the thread.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import { type HostileRequest, hostileRequests, type Preparation } from "./stall.testing.ts";
import { longestTurn } from "./stall-clock.testing.ts";

const ALL = process.env["PORTCULLIS_STALL"] === "all";
/** One of so many by default. */
const SHARE = 12;
/** Milliseconds of processor time. Machines differ by a factor of four, and the first run of any code is slow. */
const LIMIT = 2_000;

const chosen = hostileRequests.filter((_, index) => ALL || index % SHARE === 0);

let api: Client;
const prepared = new Set<Preparation>();
const figures: string[] = [];

beforeAll(async () => {
  api = await openClient({ yieldTurn: () => new Promise((resolve) => setImmediate(resolve)) });
});

afterAll(async () => {
  await api.app.close();
  if (ALL) console.log(figures.sort().reverse().join("\n"));
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
    expect(result.status).not.toBe(500);
    expect(millis).toBeLessThan(LIMIT);
  },
  180_000,
);

function toRequest({ method, path, type = "application/json", headers, body }: HostileRequest): Request {
  const text = body?.();
  return new Request(`http://test${path}`, {
    method,
    headers: { authorization: "Bearer admin", "content-type": type, ...headers },
    ...(text === undefined ? {} : { body: text }),
  });
}

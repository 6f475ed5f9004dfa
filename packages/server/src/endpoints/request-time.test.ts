import { expect, test } from "vitest";
import { openClient, openWithWidgets, WIDGETS, widget } from "../app/app.testing.ts";
import { readRequestInfo } from "../http/request-info.ts";
import { MemoryStore } from "../storage/memory.ts";
import { RequestTime } from "./request-time.ts";

/** A store that does not answer reads of widgets. */
class SilentStore extends MemoryStore {
  isSilent = false;

  override get(key: string) {
    return this.isSilent ? new Promise<never>(() => {}) : super.get(key);
  }
}

test.each([
  { verb: "a write", method: "PUT" },
  { verb: "a read", method: "GET" },
])("$verb that takes longer than its timeout parameter is answered 504", async ({ method }) => {
  const store = new SilentStore();
  const { send, app } = await openWithWidgets({ store });
  store.isSilent = true;
  const body = method === "PUT" ? { body: widget("a") } : {};
  const answer = await send(method, `${WIDGETS}/a?timeout=20ms`, body);
  expect(answer.code).toBe(504);
  const message = "Timeout: request did not complete within the allotted timeout";
  expect(JSON.parse(answer.text)).toEqual({
    metadata: {},
    status: "Failure",
    message,
    reason: "Timeout",
    details: {},
    code: 504,
  });
  await app.close();
});

test("the server's own limit holds where a request asks for more, or for nothing", async () => {
  const store = new SilentStore();
  const { get, app } = await openClient({ store, requestTimeout: 20 });
  store.isSilent = true;
  for (const query of ["", "?timeout=1h", "?timeout=0s", "?timeout=-1s"]) {
    expect((await get(`/api/v1/namespaces/default${query}`)).code, query).toBe(504);
  }
  await app.close();
});

test("a write that takes the whole time of a handler is answered by the handler", () => {
  let now = 0;
  const info = readRequestInfo("POST", "/api/v1/namespaces/default/configmaps");
  if (info === undefined) throw new Error("a bad path");
  const options = { requestTimeout: 60_000, clock: () => now, yieldTurn: async () => {}, turnBegan: () => 0 };
  const time = new RequestTime(info, options);
  now = 34_000;
  expect(() => time.pause()).toThrow("did not complete within requested timeout - context deadline exceeded");
});

test("a timeout parameter that is not a duration is refused before the client is known", async () => {
  const { get, app } = await openClient({ allowsAnonymous: false });
  const answer = await get("/api/v1/namespaces?timeout=x", { token: "nobody" });
  expect([answer.code, answer.json.message]).toEqual([
    400,
    'invalid timeout specified in the request URL - time: invalid duration "x"',
  ]);
  await app.close();
});

test("pauses let others run after ten milliseconds, and end what is too late", async () => {
  let [now, turns, began] = [0, 0, 0];
  const info = readRequestInfo("GET", "/api/v1/pods");
  if (info === undefined) throw new Error("a bad path");
  const yieldTurn = async (): Promise<void> => void turns++;
  const time = new RequestTime(info, { requestTimeout: 100, clock: () => now, yieldTurn, turnBegan: () => began });
  for (const [at, expected] of [
    [5, 0],
    [12, 1],
    [20, 1],
    [23, 2],
  ] as const) {
    now = at;
    await time.pause();
    expect(turns).toBe(expected);
  }
  // It waited for something, so that others could run.
  [now, began] = [40, 35];
  await time.pause();
  expect(turns).toBe(2);
  now = 100;
  expect(() => time.pause()).toThrow("did not complete");
});

import { connect as connectPlain, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { App } from "../../app/app.ts";
import { parseTokenFile, tokenAuthenticator } from "../../auth/authenticate.ts";
import { MemoryStore } from "../../storage/memory.ts";
import { type Listener, listen } from "../listen.ts";
import { until } from "../scratch.testing.ts";
import { nodeSystem } from "../system.ts";

const LIMIT = 5;
let app: App;
let listener: Listener;

beforeAll(async () => {
  app = await App.open({
    store: new MemoryStore(),
    system: nodeSystem,
    now: Date.now,
    authenticators: [tokenAuthenticator(parseTokenFile('admin,admin,1,"system:masters"'))],
  });
  listener = await listen(app, { host: "127.0.0.1", port: 0, maxConnections: LIMIT });
});

afterAll(() => listener.stop());

/** Sends the text, and keeps the connection; resolves when the server has answered or, without a text, is connected. */
function open(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectPlain({ host: "127.0.0.1", port: listener.port }, () => {
      if (text === "") resolve(socket);
      else socket.write(text);
    });
    socket.once("data", () => resolve(socket));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed without an answer")));
    socket.on("error", () => {});
  });
}

const HEAD = "HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n";
const LIVE = `GET /livez ${HEAD}`;
const WATCH = `GET /api/v1/namespaces?watch=1 ${HEAD}`;

test("idle connections make room for new ones, the one that was used longest ago first", async () => {
  const silent = await Promise.all(Array.from({ length: LIMIT - 1 }, () => open("")));
  await until(() => listener.connections() === LIMIT - 1);
  const used = await open(LIVE);
  const more = [];
  for (const _ of silent) more.push(await open(LIVE));
  await until(() => silent.every(({ closed }) => closed));
  expect([used.closed, listener.connections()]).toEqual([false, LIMIT]);
  for (const socket of [used, ...more]) socket.destroy();
  await until(() => listener.connections() === 0);
});

test("connections with open requests are not closed; where all have some, a new one is refused", async () => {
  const watches = await Promise.all(Array.from({ length: LIMIT }, () => open(WATCH)));
  await expect(open(LIVE)).rejects.toThrow();
  expect(watches.map(({ closed }) => closed)).toEqual(watches.map(() => false));
  watches[0]?.destroy();
  await until(() => listener.connections() === LIMIT - 1);
  for (const socket of [await open(LIVE), ...watches]) socket.destroy();
  await until(() => listener.connections() === 0);
});

import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { connect as connectPlain } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { App } from "../app/app.ts";
import { parseTokenFile, tokenAuthenticator } from "../auth/authenticate.ts";
import { MemoryStore } from "../storage/memory.ts";
import { openCertificates, type ServerCertificates } from "./certificates.ts";
import { type Listener, listen } from "./listen.ts";
import { sleep, until } from "./scratch.testing.ts";
import { nodeSystem } from "./system.ts";

const MEGABYTE = 1024 * 1024;
const MAPS = "/api/v1/namespaces/default/configmaps";
const defects: unknown[] = [];
let app: App;
let certificates: ServerCertificates;
let listener: Listener;

beforeAll(async () => {
  app = await App.open({
    store: new MemoryStore(),
    system: nodeSystem,
    now: Date.now,
    authenticators: [tokenAuthenticator(parseTokenFile('admin,admin,1,"system:masters"'))],
    onDefect: (error) => defects.push(error),
  });
  certificates = await openCertificates("127.0.0.1", undefined);
  listener = await listen(app, { host: "127.0.0.1", port: 0, tls: certificates });
});

afterAll(() => listener?.stop());

/** A client that can stop reading. */
class Watcher {
  readonly #socket: TLSSocket;
  #text = "";
  isClosed = false;

  constructor(port: number, query = "") {
    this.#socket = connect({ host: "127.0.0.1", port, ca: certificates.ca, ALPNProtocols: ["http/1.1"] });
    this.#socket.setEncoding("utf8");
    this.#socket.on("data", (chunk: string) => {
      this.#text += chunk;
    });
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      this.isClosed = true;
    });
    const head = "Host: x\r\nAuthorization: Bearer admin\r\n\r\n";
    this.#socket.write(`GET ${MAPS}?watch=true${query} HTTP/1.1\r\n${head}`);
  }

  async open(): Promise<this> {
    await until(() => this.#text.includes("\r\n\r\n"));
    return this;
  }

  stopReading(): void {
    this.#socket.pause();
  }

  /** The names in the order in which they came. */
  names(): string[] {
    return [...this.#text.matchAll(/"name":"(big-[^"]*)"/g)].map((match) => match[1] ?? "");
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

const VALUE = "x".repeat(500_000);

async function create(name: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name }, data: { value: VALUE } });
  const headers = { authorization: "Bearer admin", "content-type": "application/json" };
  const answer = await app.fetch(new Request(`http://x${MAPS}`, { method: "POST", headers, body }));
  if (answer.status !== 201) throw new Error(await answer.text());
  // Nothing else here waits for a socket, and so sockets would have to wait.
  await sleep(1);
}

async function openWatches(): Promise<number> {
  const answer = await app.fetch(new Request("http://x/metrics", { headers: { authorization: "Bearer admin" } }));
  const text = await answer.text();
  return Number(/apiserver_longrunning_requests\{[^}]*"configmaps"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0);
}

test("a watcher that never reads is disconnected and does not delay others", async () => {
  const slow = await new Watcher(listener.port).open();
  const good = await new Watcher(listener.port).open();
  slow.stopReading();
  const wanted: string[] = [];
  // Far more than what may wait for one client, sockets included.
  while ((await openWatches()) === 2) {
    wanted.push(`big-${wanted.length}`);
    await create(wanted.at(-1) ?? "");
    await until(() => good.names().length === wanted.length);
    expect(wanted.length).toBeLessThan(200);
  }
  wanted.push("big-last");
  await create("big-last");
  await until(() => good.names().length === wanted.length);
  expect(good.names()).toEqual(wanted);
  // The client finds out as soon as it reads again.
  slow.destroy();
  good.destroy();
  await until(() => listener.connections() === 0);
  expect(defects).toEqual([]);
});

test("the initial state is sent at the reader's speed, whatever its size", async () => {
  const reader = await new Watcher(listener.port, "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan").open();
  reader.stopReading();
  const { store } = app.context;
  const { entries } = await store.list("/registry/configmaps/default/");
  const bytes = entries.reduce((sum, { value }) => sum + value.length, 0);
  expect(bytes / MEGABYTE).toBeGreaterThan(8);
  const taking = await new Watcher(listener.port, "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan").open();
  const count = entries.filter(({ key }) => key.includes("/big-")).length;
  await until(() => taking.names().length === count);
  expect(await openWatches()).toBe(2);
  reader.destroy();
  taking.destroy();
  await until(() => listener.connections() === 0);
});

test("an idle connection is closed, one with a quiet watch is not", async () => {
  const strict = await listen(app, { host: "127.0.0.1", port: 0, tls: certificates, idleMs: 300 });
  const open = (): ClientHttp2Session => {
    const session = connectHttp2(`https://127.0.0.1:${strict.port}`, { ca: certificates.ca ?? "" });
    session.on("error", () => {});
    return session;
  };
  const ask = async (session: ClientHttp2Session, path: string): Promise<ClientHttp2Stream> => {
    const stream = session.request({ ":path": path, authorization: "Bearer admin" });
    stream.on("error", () => {});
    await new Promise((resolve) => stream.once("response", resolve).once("close", resolve));
    return stream;
  };
  /** On a machine that is busy a connection may count as idle before its first request has come. */
  const watchQuietly = async (): Promise<readonly [ClientHttp2Session, ClientHttp2Stream]> => {
    for (;;) {
      const session = open();
      const stream = await ask(session, "/api/v1/namespaces/default/secrets?watch=1");
      if (!stream.closed) return [session, stream];
    }
  };
  try {
    const idle = open();
    (await ask(idle, "/livez")).resume();
    const [quiet, watch] = await watchQuietly();
    await until(() => idle.closed);
    await sleep(900);
    expect([quiet.closed, watch.closed]).toEqual([false, false]);
    quiet.destroy();
  } finally {
    await strict.stop();
  }
});

test("a client that reads nothing for too long is disconnected", async () => {
  const strict = await listen(app, { host: "127.0.0.1", port: 0, tls: certificates, stallMs: 50 });
  try {
    const dead = await new Watcher(strict.port).open();
    dead.stopReading();
    for (let count = 0; strict.connections() > 0; count++) {
      await create(`dead-${count}`);
      expect(count).toBeLessThan(200);
    }
    dead.destroy();
  } finally {
    await strict.stop();
  }
  expect(defects).toEqual([]);
});

const HEAD = "POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n";

// biome-ignore format: a table
test.each([
  { name: "half a head",        sent: HEAD },
  { name: "half a body",        sent: `${HEAD}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{` },
  { name: "one request only",   sent: "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n" },
  { name: "bytes that are not a request", sent: "\0\0\0\r\n\r\n" },
])("a client that sends $name and waits is disconnected, with TLS and without", async ({ sent }) => {
  const http1 = { headersTimeout: 200, requestTimeout: 300, keepAliveTimeout: 100, connectionsCheckingInterval: 50 };
  for (const tls of [certificates, undefined]) {
    const strict = await listen(app, { host: "127.0.0.1", port: 0, tls, http1 });
    // It does not even hang up when the server does.
    const to = { host: "127.0.0.1", port: strict.port, allowHalfOpen: true };
    const socket = tls === undefined ? connectPlain(to) : connect({ ...to, ca: certificates.ca, ALPNProtocols: ["http/1.1"] });
    socket.on("error", () => {});
    socket.resume();
    socket.write(sent);
    await new Promise((resolve) => socket.once("end", resolve).once("close", resolve));
    await until(() => strict.connections() === 0);
    socket.destroy();
    await strict.stop();
  }
});

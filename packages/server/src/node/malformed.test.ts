import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { App } from "../app/app.ts";
import { parseTokenFile, tokenAuthenticator } from "../auth/authenticate.ts";
import { MemoryStore } from "../storage/memory.ts";
import { openCertificates, type ServerCertificates } from "./certificates.ts";
import { type Hostile, hostileRequest, randomFrom } from "./hostile.testing.ts";
import { type Listener, listen } from "./listen.ts";
import { until } from "./scratch.testing.ts";
import { nodeSystem } from "./system.ts";

const TOKEN = "admin";
const defects: unknown[] = [];
let app: App;
let plain: Listener;
let secure: Listener;
let certificates: ServerCertificates;

beforeAll(async () => {
  app = await App.open({
    store: new MemoryStore(),
    system: nodeSystem,
    now: Date.now,
    authenticators: [tokenAuthenticator(parseTokenFile(`${TOKEN},admin,1,"system:masters"`))],
    onDefect: (error) => defects.push(error),
  });
  certificates = await openCertificates("127.0.0.1", undefined);
  plain = await listen(app, { host: "127.0.0.1", port: 0 });
  secure = await listen(app, { host: "127.0.0.1", port: 0, tls: { ...certificates, clientCa: certificates.ca } });
});

afterAll(async () => {
  await plain?.stop();
  await secure?.stop();
});

/** Resolves when the server has answered or hung up. */
function attack({ bytes, hangsUp }: Hostile, port: number, isSecure = false): Promise<void> {
  return new Promise((resolve) => {
    const socket = isSecure
      ? connectTls({ host: "127.0.0.1", port, ca: certificates.ca, ALPNProtocols: ["http/1.1"] })
      : connect({ host: "127.0.0.1", port });
    socket.on(isSecure ? "secureConnect" : "connect", () => {
      // No more data follows, so nothing has to wait for it.
      if (hangsUp) socket.write(bytes, () => socket.destroy());
      else socket.end(bytes);
    });
    socket.on("data", () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve());
  });
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

let served = 0;

/** A server that has been upset still does what it should. */
async function checkService(): Promise<void> {
  const url = `http://127.0.0.1:${plain.port}/api/v1/namespaces/default/secrets`;
  const name = `s${served++}`;
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", connection: "close" };
  const made = await fetch(url, { method: "POST", headers, body: JSON.stringify({ metadata: { name } }) });
  expect(made.status).toBe(201);
  const gone = await fetch(`${url}/${name}`, { method: "DELETE", headers });
  expect(gone.status).toBe(200);
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const ROUNDS = 10;
const MEGABYTE = 1024 * 1024;

test("nine thousand malformed requests leave nothing behind", async () => {
  const random = randomFrom(42);
  let before = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await inParallel(900, () => attack(hostileRequest(TOKEN, random), plain.port));
    await checkService();
    // The first rounds warm caches up.
    if (round === 1) before = heapBytes();
  }
  await until(() => plain.connections() === 0);
  expect(defects).toEqual([]);
  expect((heapBytes() - before) / MEGABYTE).toBeLessThan(32);
});

test("malformed requests over TLS and noise instead of TLS leave nothing behind", async () => {
  const random = randomFrom(43);
  await inParallel(300, () => attack(hostileRequest(TOKEN, random), secure.port, true));
  await inParallel(300, () => attack(hostileRequest(TOKEN, random), secure.port));
  await until(() => secure.connections() === 0);
  await checkService();
  expect(defects).toEqual([]);
});

const PATHS = ["/api/v1/namespaces/default/configmaps", "//..", "/%zz", "/api/v1/namespaces?limit=%", "*", "/\u00ff"];

function attackStream(session: ClientHttp2Session, random: (below: number) => number): Promise<void> {
  const stream = session.request({
    ":method": ["GET", "POST", "PATCH", "PUT", "FOO"][random(5)] ?? "GET",
    ":path": PATHS[random(PATHS.length)] ?? "/",
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    "content-length": String(random(100)),
  });
  stream.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    stream.on("close", resolve);
  });
  if (random(3) === 0) stream.close(constants.NGHTTP2_CANCEL);
  else stream.end(Buffer.from(Array.from({ length: random(100) }, () => random(256))));
  stream.resume();
  return closed;
}

test("broken HTTP/2 streams leave nothing behind", async () => {
  const random = randomFrom(44);
  // A connection that has upset the server a hundred times is closed; none of these comes so far.
  await inParallel(20, async () => {
    const session = connectHttp2(`https://127.0.0.1:${secure.port}`, { ca: certificates.ca ?? "" });
    session.on("error", () => {});
    for (let count = 0; count < 20; count++) await attackStream(session, random);
    session.destroy();
  });
  await until(() => secure.connections() === 0);
  await checkService();
  expect(defects).toEqual([]);
});

test("a connection that does not speak TLS is counted", async () => {
  const count = (): number =>
    Number(/^apiserver_tls_handshake_errors_total (\d+)$/m.exec(app.context.metrics.text())?.[1]);
  const before = count();
  const socket = connect({ host: "127.0.0.1", port: secure.port });
  socket.on("error", () => {});
  socket.end("GET / HTTP/1.1\r\n\r\n");
  await until(() => count() === before + 1);
});

/** Large answers, to clients that read them and to those that do not. */
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../app/app.ts";
import { openCertificates, type ServerCertificates } from "./certificates.ts";
import { type Listener, listen } from "./listen.ts";
import { until } from "./scratch.testing.ts";

const BODY = Uint8Array.from({ length: 20_000_000 }, (_, i) => (i * i) >> 5);
const app = { handle: async () => ({ status: 200, headers: [], body: BODY }) } as unknown as App;
let certificates: ServerCertificates;
let listener: Listener;

beforeAll(async () => {
  certificates = await openCertificates("127.0.0.1", undefined);
  listener = await listen(app, { host: "127.0.0.1", port: 0, tls: certificates });
});

afterAll(() => listener.stop());

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

test("a large answer comes whole over HTTP/1, with its length", async () => {
  const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    const url = `https://127.0.0.1:${listener.port}/`;
    request(url, { ca: certificates.ca, agent: false }, resolve).on("error", reject).end();
  });
  expect(response.headers["content-length"]).toBe(String(BODY.length));
  expect((await bytesOf(response)).equals(BODY)).toBe(true);
});

test("several large answers come whole over one connection of HTTP/2", async () => {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: certificates.ca ?? "" });
  const answers = await Promise.all([1, 2, 3].map(() => bytesOf(session.request({ ":path": "/" }))));
  session.destroy();
  expect(answers.map((answer) => answer.equals(BODY))).toEqual([true, true, true]);
});

test("a client that does not read a large answer is disconnected", async () => {
  const impatient = await listen(app, { host: "127.0.0.1", port: 0, tls: certificates, stallMs: 200 });
  const options = { host: "127.0.0.1", port: impatient.port, ca: certificates.ca, ALPNProtocols: ["http/1.1"] };
  const socket = connect(options, () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  socket.on("error", () => {});
  socket.pause();
  await until(() => impatient.connections() > 0);
  await until(() => impatient.connections() === 0);
  socket.destroy();
  await impatient.stop();
});

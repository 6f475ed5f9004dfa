/** Clients that abuse the protocol instead of the API: the others are served all the same. */
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "./start.ts";

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}

function send(path: string, { method = "GET", headers, body }: Sent = {}): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      { method, ca: server.ca, agent: false, headers: { authorization: `Bearer ${server.token}`, ...headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ code: response.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const MAPS = "/api/v1/namespaces/default/configmaps";

test("a compressed body is not taken apart, so that it cannot grow", async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, " "));
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const { code, text } = await send(MAPS, { method: "POST", headers, body: bomb });
  expect(code).toBe(400);
  expect(text).toContain("invalid character '\\\\x1f' looking for beginning of value");
});

test("headers of a mebibyte are taken, as in Go", async () => {
  expect((await send(MAPS, { headers: { "x-long": "y".repeat(1_000_000) } })).code).toBe(200);
});

const REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/** A proxy adds the name for whom it asks after the headers of its client. */
// Node.js ends HTTP/2 connections with more than eight continuations of headers.
test.each([
  { count: 100, isOneOnly: false },
  { count: 2_500, isOneOnly: false },
  { count: 20_000, isOneOnly: true },
])("a name after $count headers is not lost", async ({ count, isOneOnly }) => {
  const headers = Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, "y"]));
  const asked = { ...headers, "content-type": "application/json", "impersonate-user": "alice" };
  const { code, text } = await send(REVIEW, { method: "POST", headers: asked, body: Buffer.from("{}") });
  expect(code).toBe(201);
  expect(JSON.parse(text).status.userInfo.username).toBe("alice");
  if (!isOneOnly) expect(await reviewOverHttp2(asked)).toBe("alice");
});

async function reviewOverHttp2(headers: Record<string, string>): Promise<string> {
  const session = connectHttp2(server.url, { ca: server.ca ?? "", maxSendHeaderBlockLength: 1 << 20 });
  try {
    const stream = session.request({
      ...headers,
      ":method": "POST",
      ":path": REVIEW,
      authorization: `Bearer ${server.token}`,
    });
    stream.end("{}");
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) text += chunk;
    return JSON.parse(text).status.userInfo.username;
  } finally {
    session.destroy();
  }
}

test("twenty thousand headers of impersonation are read in time", async () => {
  const extra = Array.from({ length: 20_000 }, (_, i) => [`impersonate-extra-${i}`, "y"]);
  const headers = Object.fromEntries([...extra, ["content-type", "application/json"], ["impersonate-user", "alice"]]);
  const before = process.cpuUsage();
  expect((await send(REVIEW, { method: "POST", headers, body: Buffer.from("{}") })).code).toBe(201);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(2_000);
});

test("a client that opens and resets streams is cut off, and others are served", async () => {
  const session = connectHttp2(server.url, { ca: server.ca ?? "" });
  session.on("error", () => {});
  const closed = new Promise<void>((resolve) => session.once("close", () => resolve()));
  for (let i = 0; i < 5_000 && !session.destroyed; i++) {
    const stream = session.request({ ":path": MAPS, authorization: `Bearer ${server.token}` });
    stream.on("error", () => {});
    stream.close();
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await send("/livez")).code).toBe(200);
  session.destroy();
  await closed;
});

test("a client that floods with pings does not delay others", async () => {
  const session = connectHttp2(server.url, { ca: server.ca ?? "" });
  session.on("error", () => {});
  await new Promise<void>((resolve) => session.once("connect", () => resolve()));
  for (let i = 0; i < 20_000 && !session.destroyed; i++) {
    session.ping(() => {});
    if (i % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await send("/livez")).code).toBe(200);
  session.destroy();
});

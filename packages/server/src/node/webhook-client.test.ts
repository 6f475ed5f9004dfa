import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebhookUnreachable } from "../conversion/call-webhook.ts";
import { type Authority, type Certificate, createAuthority } from "./tls.ts";
import { createWebhookClient, type WebhookClient } from "./webhook-client.ts";

let authority: Authority;
let certificate: Certificate;
let server: Server | undefined;
let client: WebhookClient | undefined;

beforeAll(async () => {
  authority = await createAuthority(Date.now());
  certificate = await authority.issue({ commonName: "hook", hosts: ["127.0.0.1", "hook.default.svc"] });
});

afterEach(async () => {
  client?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

afterAll(() => client?.close());

/** Resolves to the port. */
async function serve(handler: RequestListener): Promise<number> {
  const { cert, key } = certificate;
  server = createServer({ cert, key }, handler);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const echo: RequestListener = (request, response) => {
  request.setEncoding("utf8");
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ text, url: request.url, host: request.headers.host }));
  });
};

test("a call posts JSON and trusts the given CAs", async () => {
  const port = await serve(echo);
  client = createWebhookClient();
  const url = `https://127.0.0.1:${port}/convert?timeout=30s`;
  const answer = await client.call({ url, ca: authority.cert, body: '{"a":1}' });
  expect([answer.code, answer.contentType]).toEqual([200, "application/json"]);
  expect(JSON.parse(Buffer.from(answer.body).toString())).toMatchObject({
    text: '{"a":1}',
    url: "/convert?timeout=30s",
  });
});

test("a service is verified by its name, whatever its address", async () => {
  const port = await serve(echo);
  client = createWebhookClient();
  const connect = { host: "127.0.0.1", port };
  const { body } = await client.call({
    url: "https://hook.default.svc:8443/",
    connect,
    ca: authority.cert,
    body: "{}",
  });
  expect(JSON.parse(Buffer.from(body).toString()).host).toBe("hook.default.svc:8443");
  const other = client.call({ url: "https://other.default.svc:8443/", connect, ca: authority.cert, body: "{}" });
  await expect(other).rejects.toThrow(
    "tls: failed to verify certificate: x509: certificate is valid for hook.default.svc, not other.default.svc",
  );
});

test("a certificate of an unknown CA is refused", async () => {
  const port = await serve(echo);
  client = createWebhookClient();
  const call = client.call({ url: `https://127.0.0.1:${port}/`, ca: undefined, body: "{}" });
  await expect(call).rejects.toThrow(
    new WebhookUnreachable("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
  );
});

test("an unreachable webhook is reported with Go's message", async () => {
  const port = await serve(echo);
  await new Promise((resolve) => server?.close(resolve));
  server = undefined;
  client = createWebhookClient();
  const call = client.call({ url: `https://127.0.0.1:${port}/`, ca: authority.cert, body: "{}" });
  await expect(call).rejects.toThrow(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
});

test("a missing, oversized or redirected response is an error", async () => {
  const port = await serve((request, response) => {
    if (request.url === "/slow") return;
    if (request.url === "/away") response.writeHead(307, { location: "https://127.0.0.1:1/" }).end();
    else if (request.url === "/torn")
      response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy());
    else response.end(Buffer.alloc(2000));
  });
  client = createWebhookClient({ timeoutMs: 500, maxAnswerBytes: 1000 });
  const { call } = client;
  const send = (path: string) => call({ url: `https://127.0.0.1:${port}${path}`, ca: authority.cert, body: "{}" });
  await expect(send("/slow")).rejects.toThrow("context deadline exceeded");
  const patient = createWebhookClient({ maxAnswerBytes: 1000 });
  client.close();
  client = patient;
  const later = (path: string) =>
    patient.call({ url: `https://127.0.0.1:${port}${path}`, ca: authority.cert, body: "{}" });
  await expect(later("/away")).rejects.toThrow("redirects are not followed");
  await expect(later("/large")).rejects.toThrow("the answer is larger than 1000 bytes");
  await expect(later("/torn")).rejects.toThrow("unexpected error when reading response body");
});

/** A call as admission makes it. */
async function admit(port: number, path = "/", timeoutMs = 5000) {
  client = createWebhookClient({ maxAnswerBytes: 1000 });
  const url = `https://127.0.0.1:${port}${path}`;
  return client.call({ url, ca: authority.cert, body: "{}", timeoutMs, isRepeatable: true });
}

test("a redirect that keeps the method repeats the request, another one asks without it", async () => {
  const seen: string[] = [];
  const port = await serve((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers["content-type"] ?? ""}`);
    const code = request.url === "/307" ? 307 : 302;
    if (request.url === "/end") response.end("done");
    else response.writeHead(code, { location: "/end" }).end();
  });
  expect(Buffer.from((await admit(port, "/307")).body).toString()).toBe("done");
  await client?.call({ url: `https://127.0.0.1:${port}/302`, ca: authority.cert, body: "{}", isRepeatable: true });
  expect(seen).toEqual([
    "POST /307 application/json",
    "POST /end application/json",
    "POST /302 application/json",
    "GET /end ",
  ]);
});

test("redirects in a circle end", async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests++;
    response.writeHead(307, { location: "/again" }).end();
  });
  await expect(admit(port)).rejects.toThrow('Post "/again": stopped after 10 redirects');
  expect(requests).toBe(10);
});

test("an overloaded webhook is asked again when it says so", async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests++;
    if (requests < 3) response.writeHead(429, { "retry-after": "0" }).end();
    else response.end("{}");
  });
  expect((await admit(port)).code).toBe(200);
  expect(requests).toBe(3);
});

test("waiting to ask again is part of the time of the call", async () => {
  const port = await serve((_, response) => response.writeHead(503, { "retry-after": "60" }).end());
  await expect(admit(port, "/", 200)).rejects.toThrow(/^context deadline exceeded$/);
});

test("compressed answers are unpacked, and bounded by what they become", async () => {
  const port = await serve((request, response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(request.url === "/bad" ? "not gzip" : gzipSync(" ".repeat(request.url === "/bomb" ? 10_000_000 : 10)));
  });
  expect((await admit(port)).body.length).toBe(10);
  await expect(admit(port, "/bomb")).rejects.toThrow("the answer is larger than 1000 bytes");
  await expect(admit(port, "/bad")).rejects.toThrow("Original error: gzip: invalid header");
});

test.each([
  { name: "never answers", handler: () => {}, error: /^context deadline exceeded$/ },
  {
    name: "never ends its answer",
    handler: (_: unknown, response: ServerResponse) => response.writeHead(200).write("{"),
    error: /^unexpected error when reading response body. Please retry. Original error: context deadline exceeded$/,
  },
  {
    name: "breaks off",
    handler: (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      setTimeout(() => response.socket?.destroy(), 20);
    },
    error: /^unexpected error when reading response body. Please retry. Original error: unexpected EOF$/,
  },
  { name: "hangs up", handler: (request: IncomingMessage) => request.socket.destroy(), error: /^EOF$/ },
])("a webhook that $name is an error within the time", async ({ handler, error }) => {
  const port = await serve(handler);
  const start = performance.now();
  await expect(admit(port, "/", 300)).rejects.toThrow(error);
  expect(performance.now() - start).toBeLessThan(2000);
});

test("a hundred megabytes are not read to their end", async () => {
  let sent = 0;
  const port = await serve((_, response) => {
    const chunk = Buffer.alloc(1 << 20);
    const write = (): void => {
      while (sent++ < 100) if (!response.write(chunk)) return void response.once("drain", write);
      response.end();
    };
    write();
  });
  await expect(admit(port)).rejects.toThrow("the answer is larger than 1000 bytes");
  expect(sent).toBeLessThan(100);
});

test("the certificate of the webhook itself may be the bundle", async () => {
  const port = await serve(echo);
  client = createWebhookClient();
  const [leaf = ""] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(certificate.cert) ?? [];
  const answer = await client.call({ url: `https://127.0.0.1:${port}/x`, ca: `${leaf}\n`, body: "{}" });
  expect(answer.code).toBe(200);
});

test("an answer that announces too many bytes is refused at once", async () => {
  let written = 0;
  const port = await serve((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-length": 100 * 1024 * 1024 });
    response.on("close", () => {
      written = response.socket?.bytesWritten ?? 0;
    });
    response.flushHeaders();
  });
  client = createWebhookClient();
  await expect(client.call({ url: `https://127.0.0.1:${port}/`, ca: authority.cert, body: "{}" })).rejects.toThrow(
    "the answer is larger than 16777216 bytes",
  );
  expect(written).toBeLessThan(64 * 1024);
});

test("large answers arrive whole, and timers run while they do", async () => {
  const text = `"${"x".repeat(8 * 1024 * 1024)}"`;
  const port = await serve((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(text);
  });
  client = createWebhookClient();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const call = client.call;
  const sent = { url: `https://127.0.0.1:${port}/`, ca: authority.cert, body: "{}" };
  const answers = await Promise.all([call(sent), call(sent)]);
  clearInterval(timer);
  expect(answers.map(({ body }) => body.length)).toEqual([text.length, text.length]);
  expect(ticks).toBeGreaterThan(50);
});

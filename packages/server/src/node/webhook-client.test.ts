import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
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

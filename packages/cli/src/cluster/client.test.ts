/** Reading from API servers that lie, and with credentials that cannot be sent. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ClusterClient } from "./client.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

const MIB = Buffer.alloc(1 << 20, 0x20);

const SERVERS: Readonly<Record<string, (response: ServerResponse, url: string) => void>> = {
  "/bad-gateway": (response) => response.writeHead(502).end("<html>"),
  "/redirect": (response) => response.writeHead(302, { location: "https://example.com" }).end(),
  "/forbidden": (response) => response.writeHead(403).end('{"kind":"Status","message":"no access"}'),
  "/failure": (response) => response.end('{"kind":"Status","status":"Failure","message":"not today"}'),
  "/number": (response) => response.writeHead(500).end('{"message":5}'),
  "/same-token": (response) => response.end('{"metadata":{"continue":"a"},"items":[]}'),
  "/endless": (response) => {
    const write = (): void => {
      while (response.write(MIB));
      response.once("drain", write);
    };
    write();
  },
  "/cut-off": (response) => {
    response.writeHead(200, { "content-length": 1000 }).write("{");
    setTimeout(() => response.destroy(), 10);
  },
  "/many": (response) => response.end(JSON.stringify({ items: Array.from({ length: 200_000 }, () => ({})) })),
};

let server: Server;
let address = "";

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => SERVERS[`/${url.split("/")[1]}`]?.(response, url));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

function clientOf(name: string, access: Partial<ClusterAccess> = {}): ClusterClient {
  const none = { ca: undefined, serverName: undefined, proxy: undefined, token: undefined, basic: undefined };
  return new ClusterClient({
    ...{ ...none, cert: undefined, key: undefined, skipVerify: false, impersonation: {}, namespace: "default" },
    server: `${address}/${name}`,
    ...access,
  });
}

describe("a list ends with an error about the server", () => {
  test.each([
    { name: "bad-gateway", says: "the answer is not a JSON object (502 Bad Gateway)" },
    { name: "redirect", says: "the answer is not a JSON object (302 Found)" },
    { name: "forbidden", says: "no access" },
    { name: "failure", says: "not today" },
    { name: "number", says: "500 Internal Server Error" },
    { name: "same-token", says: "the list /apis/x does not end" },
    { name: "endless", says: "the answer has more than 268435456 bytes" },
    { name: "cut-off", says: "aborted" },
  ])("$name", async ({ name, says }) => {
    await expect(clientOf(name).list("/apis/x")).rejects.toThrow(`${address}/${name}: ${says}`);
  });
});

test("a page may have any number of items", async () => {
  expect(await clientOf("many").list("/apis/x")).toHaveLength(200_000);
});

test.each([
  { name: "a token with a line break", access: { token: "a\nb" }, says: "Invalid character" },
  { name: "a name with a line break", access: { impersonation: { "Impersonate-User": "a\nb" } }, says: "Invalid" },
])("$name cannot be sent", async ({ access, says }) => {
  await expect(clientOf("many", access).list("/apis/x")).rejects.toThrow(`${address}/many: ${says}`);
});

test.each([
  { name: "a server without TLS", access: {}, says: "the server does not use TLS" },
  { name: "a broken certificate", access: { cert: "x", key: "y" }, says: "certificate or key: " },
])("$name is reported", async ({ access, says }) => {
  const server = `${address.replace("http", "https")}/many`;
  await expect(clientOf("", { ...access, server }).list("/apis/x")).rejects.toThrow(`${server}: ${says}`);
});

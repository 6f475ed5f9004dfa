/** Requests that Node's parser refuses are answered as Go's server answers them. */
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "./start.ts";

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(
      { host: "127.0.0.1", port: Number(new URL(server.url).port), ca: server.ca, ALPNProtocols: ["http/1.1"] },
      () => socket.write(text),
    );
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

const parts = (answer: string): [first: string, body: string] => {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return [head.split("\r\n")[0] ?? "", body];
};

test("a method nobody has heard of is asked for like any other, and who asks is known", async () => {
  const path = "/api/v1/namespaces/default/configmaps";
  const asked = `NOPE ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
  const [first, body] = parts(await send(asked));
  expect(first).toBe("HTTP/1.1 405 Method Not Allowed");
  expect(JSON.parse(body)).toMatchObject({ kind: "Status", reason: "MethodNotAllowed", code: 405 });
  const [unknown] = parts(await send(`NOPE ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer no\r\n\r\n`));
  expect(unknown).toBe("HTTP/1.1 401 Unauthorized");
});

test.each([
  { name: "a space too many", text: "NO PE /api HTTP/1.1\r\nHost: a\r\n\r\n", expected: "400 Bad Request" },
  { name: "bytes", text: "\x16\x03\x01\0\0\r\n\r\n", expected: "400 Bad Request" },
  {
    name: "a header without a colon",
    text: "GET /api HTTP/1.1\r\nHost: a\r\nBad\r\n\r\n",
    expected: "400 Bad Request",
  },
  {
    name: "headers without an end",
    text: `GET /api HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(66_000)}\r\n\r\n`,
    expected: "431 Request Header Fields Too Large",
  },
])("$name: $expected", async ({ text, expected }) => {
  expect(parts(await send(text))).toEqual([`HTTP/1.1 ${expected}`, expected]);
});

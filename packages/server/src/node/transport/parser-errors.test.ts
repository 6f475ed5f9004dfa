/** Requests that Node's parser refuses are answered as Go's server answers them. */
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../start.ts";

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
    // The server may close while the rest of the request is on its way.
    socket.on("error", (problem) => (answer === "" ? reject(problem) : resolve(answer)));
    socket.on("close", () => resolve(answer));
  });
}

const parts = (answer: string): [first: string, body: string] => {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return [head.split("\r\n")[0] ?? "", body];
};

test("an unknown method is handled like any other, with authentication", async () => {
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
    text: `GET /api HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(1_100_000)}\r\n\r\n`,
    expected: "431 Request Header Fields Too Large",
  },
])("$name: $expected", async ({ text, expected }) => {
  expect(parts(await send(text))).toEqual([`HTTP/1.1 ${expected}`, expected]);
});

const MAPS = "/api/v1/namespaces/default/configmaps";
const count = async (): Promise<number> => {
  const list = await send(
    `GET ${MAPS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`,
  );
  return list.split('"generateName":"x-"').length - 1;
};

test("a request before an unknown method in one packet runs once and gets its own answer", async () => {
  const before = await count();
  const body = JSON.stringify({ metadata: { generateName: "x-" } });
  const head = `Host: a\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const answers = await send(`POST ${MAPS} HTTP/1.1\r\n${head}\r\n\r\n${body}NOPE /api HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 400"]);
  expect(await count()).toBe(before + 1);
});

test.each([
  { name: "no Host", hosts: "", expected: "400 Bad Request: missing required Host header" },
  { name: "two Hosts", hosts: "Host: a\r\nHost: b\r\n", expected: "400 Bad Request: too many Host headers" },
])("a request with $name is refused", async ({ hosts, expected }) => {
  expect(parts(await send(`GET /livez HTTP/1.1\r\n${hosts}\r\n`))).toEqual(["HTTP/1.1 400 Bad Request", expected]);
});

test("a token after two blanks is invalid", async () => {
  const asked = (blanks: string): Promise<string> =>
    send(
      `GET ${MAPS} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer${blanks}${server.token}\r\n\r\n`,
    );
  expect(parts(await asked(" "))[0]).toBe("HTTP/1.1 200 OK");
  const refused = await asked("  ");
  expect(parts(refused)[0]).toBe("HTTP/1.1 403 Forbidden");
  expect(refused).toContain("contains extra space before the bearer token, and is ignored");
});

test.each(["http://other", "HTTPS://user@other:1"])(
  "a target with scheme and host is served as its path: %s",
  async (host) => {
    const head = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${server.token}`;
    expect(parts(await send(`GET ${host}${MAPS}?limit=1 HTTP/1.1\r\n${head}\r\n\r\n`))[0]).toBe("HTTP/1.1 200 OK");
    expect(parts(await send(`GET ${host}?a HTTP/1.1\r\n${head}\r\n\r\n`))[0]).toBe("HTTP/1.1 200 OK");
  },
);

test("chunks in HTTP/1.0 are refused, and nothing that follows is taken for a request", async () => {
  const head = `Host: a\r\nAuthorization: Bearer ${server.token}\r\n`;
  const chunked = `POST /api/v1/namespaces HTTP/1.0\r\n${head}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
  const answer = await send(`${chunked}GET /livez HTTP/1.1\r\n${head}\r\n`);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  expect(parts(answer)[1]).toBe("400 Bad Request: unexpected transfer encoding");
});

test("what follows a refused request is dropped although the connection was paused", async () => {
  const head = `Host: a\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
  const socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(server.url).port),
    ca: server.ca,
    ALPNProtocols: ["http/1.1"],
  });
  socket.on("error", () => {});
  // Responses that wait for one another, until Node stops reading.
  socket.write(`GET /openapi/v2 HTTP/1.1\r\n${head}`.repeat(4));
  socket.write(`NO PE / HTTP/1.1\r\n${head}`);
  const more = setInterval(() => socket.writable && socket.write("x".repeat(1000)), 5);
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(more);
  expect(parts(await send("GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))[1]).toBe("ok");
});

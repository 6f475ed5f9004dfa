/** A large request on a connection whose client has not read the response before it. */
import { once } from "node:events";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../start.ts";

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

test("a body that arrives while the client does not read the response before it is read as a whole", async () => {
  const head = `Host: a\r\nAuthorization: Bearer ${server.token}\r\n`;
  const body = JSON.stringify({ metadata: { name: "large" }, data: { a: "x".repeat(200_000) } });
  const socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(server.url).port),
    ca: server.ca,
    ALPNProtocols: ["http/1.1"],
  });
  let answer = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
  });
  socket.write(`GET /openapi/v2 HTTP/1.1\r\n${head}\r\n`);
  await once(socket, "data");
  socket.pause();
  socket.write(
    `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\n${head}Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  socket.resume();
  await once(socket, "close");
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 201"]);
});

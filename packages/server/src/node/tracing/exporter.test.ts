import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { WireReader } from "@portcullis/engine/internal/builtin/protobuf/reader";
import { expect, onTestFinished, test } from "vitest";
import { scratchFolder } from "../scratch.testing.ts";
import { startServer } from "../start.ts";
import { openTracing } from "./open.ts";

/** Whether a message is compressed, and its length. */
const HEADER_BYTES = 5;

/** A collector that keeps what it is sent. */
async function startCollector(
  place: { port: number; host: string } | { path: string } = { port: 0, host: "127.0.0.1" },
) {
  const received: Buffer[] = [];
  const server = createServer();
  server.on("stream", (stream, headers) => {
    expect(headers[":path"]).toBe("/opentelemetry.proto.collector.trace.v1.TraceService/Export");
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      received.push(Buffer.concat(chunks).subarray(HEADER_BYTES));
      stream.respond({ ":status": 200 }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(Buffer.alloc(HEADER_BYTES));
    });
  });
  await new Promise<void>((resolve) => server.listen(place, resolve));
  onTestFinished(() => void server.close());
  const address = server.address() as AddressInfo | string;
  return { received, endpoint: typeof address === "string" ? `unix:${address}` : `dns:///127.0.0.1:${address.port}` };
}

/** The fields of a message with their bytes. */
function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  const reader = new WireReader(bytes);
  while (!reader.isDone) {
    const { field, wireType } = reader.readTag("message");
    if (wireType === 2) fields.set(field, [...(fields.get(field) ?? []), reader.readBytes()]);
    else reader.skip(wireType);
  }
  return fields;
}

function at(bytes: Uint8Array, ...fields: number[]): Uint8Array[] {
  const [field, ...rest] = fields;
  if (field === undefined) return [bytes];
  return (fieldsOf(bytes).get(field) ?? []).flatMap((inner) => at(inner, ...rest));
}

test("a collector gets the spans of requests", async () => {
  const { received, endpoint } = await startCollector();
  const tracing = await openTracing({ endpoint, samplingRatePerMillion: 1_000_000 });
  const server = await startServer({ tls: "none", tracing });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const headers = { authorization: `Bearer ${server.token}`, traceparent };
  expect((await fetch(`${server.url}/api/v1/namespaces/default`, { headers })).status).toBe(200);
  await server.stop();
  await tracing.close();
  const [request = Buffer.alloc(0)] = received;
  const names = at(request, 1, 2, 2, 5).map((name) => Buffer.from(name).toString());
  expect(names).toEqual(["Get", "GET /api/v1/namespaces/{:namespace}/namespaces/{:name}"]);
  expect(at(request, 1, 2, 2, 1).map((id) => Buffer.from(id).toString("hex"))).toEqual([
    "4bf92f3577b34da6a3ce929d0e0e4736",
    "4bf92f3577b34da6a3ce929d0e0e4736",
  ]);
  const resource = at(request, 1, 1, 1).map((pair) =>
    at(pair, 1)
      .concat(at(pair, 2, 1))
      .map((each) => Buffer.from(each).toString()),
  );
  expect(resource[0]).toEqual(["service.name", "apiserver"]);
});

test("a collector may listen on a socket file", async () => {
  const { received, endpoint } = await startCollector({ path: path.join(scratchFolder(), "collector.sock") });
  const tracing = await openTracing({ endpoint, samplingRatePerMillion: 1_000_000 });
  const server = await startServer({ tls: "none", tracing });
  await fetch(`${server.url}/api/v1/namespaces/default`, { headers: { authorization: `Bearer ${server.token}` } });
  await server.stop();
  await tracing.close();
  expect(received).toHaveLength(1);
});

test("a collector that is away costs nothing but spans", async () => {
  const tracing = await openTracing({ endpoint: "127.0.0.1:1", samplingRatePerMillion: 1_000_000 });
  const server = await startServer({ tls: "none", tracing });
  const headers = { authorization: `Bearer ${server.token}` };
  expect((await fetch(`${server.url}/api/v1/namespaces/default`, { headers })).status).toBe(200);
  await server.stop();
  await tracing.close();
});

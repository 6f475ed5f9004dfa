import { Server, ServerCredentials } from "@grpc/grpc-js";
import { WireReader } from "@portcullis/engine/internal/builtin/protobuf/reader";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../start.ts";
import { openTracing } from "./open.ts";

/** A collector that keeps what it is sent. */
async function startCollector() {
  const received: Buffer[] = [];
  const server = new Server();
  const plain = (bytes: Buffer): Buffer => bytes;
  server.addService(
    {
      Export: {
        path: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
        requestStream: false,
        responseStream: false,
        requestSerialize: plain,
        requestDeserialize: plain,
        responseSerialize: plain,
        responseDeserialize: plain,
      },
    },
    {
      Export: (call: { request: Buffer }, answer: (error: null, bytes: Buffer) => void) => {
        received.push(call.request);
        answer(null, Buffer.alloc(0));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return { received, endpoint: `127.0.0.1:${port}` };
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

function at(bytes: Uint8Array, ...path: number[]): Uint8Array[] {
  const [field, ...rest] = path;
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

test("a collector that is away costs nothing but spans", async () => {
  const tracing = await openTracing({ endpoint: "127.0.0.1:1", samplingRatePerMillion: 1_000_000 });
  const server = await startServer({ tls: "none", tracing });
  const headers = { authorization: `Bearer ${server.token}` };
  expect((await fetch(`${server.url}/api/v1/namespaces/default`, { headers })).status).toBe(200);
  await server.stop();
  await tracing.close();
});

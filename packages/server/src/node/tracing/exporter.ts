/**
 * Sends spans to an OpenTelemetry collector over gRPC, in batches. A collector that is away costs spans, never requests:
 * there is a limit to how many wait. The sizes are those of OpenTelemetry's own batch processor.
 */
import { connect } from "node:net";
import { hostname } from "node:os";
import type { Span, Tracing } from "../../observe/tracing/span.ts";
import { Channel } from "../grpc/channel.ts";
import { encodeSpans, type Resource } from "./otlp.ts";

export interface ExporterOptions {
  /** Such as `localhost:4317`, the default; the connection is not encrypted, as upstream. */
  readonly endpoint?: string | undefined;
  /** Of a million requests without a sampled parent, how many are traced. Default 0. */
  readonly samplingRatePerMillion?: number | undefined;
}

export interface Exporter extends Tracing {
  /** Sends what waits. */
  close(): Promise<void>;
}

const DEFAULT_ENDPOINT = "localhost:4317";
const PATH = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const [BATCH, QUEUE, DELAY_MS, TIMEOUT_MS] = [512, 2_048, 5_000, 10_000];

export function openExporter({ endpoint = DEFAULT_ENDPOINT, samplingRatePerMillion = 0 }: ExporterOptions): Exporter {
  const channel = openChannel(endpoint);
  const resource: Resource = {
    attributes: [
      ["service.name", "apiserver"],
      ["service.instance.id", `${hostname()}_${process.pid}`],
    ],
    scope: "portcullis",
  };
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  const send = async (spans: readonly Span[]): Promise<void> => {
    await channel.unary(PATH, Buffer.from(encodeSpans(spans, resource)), TIMEOUT_MS).catch(() => {});
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    if (batch.length > 0) sending = sending.then(() => send(batch));
    return waiting.length > 0 ? flush() : sending;
  };

  return {
    ratio: samplingRatePerMillion / 1_000_000,
    export: (span) => {
      if (waiting.length >= QUEUE) return;
      waiting.push(span);
      if (waiting.length >= BATCH) void flush();
      else timer ??= setTimeout(() => void flush(), DELAY_MS).unref();
    },
    close: async () => {
      await flush();
      channel.close();
    },
  };
}

/** Endpoints are names in the syntax of gRPC: an address, with or without `dns:`, or a socket file. */
function openChannel(endpoint: string): Channel {
  const file = /^unix:(?:\/\/)?(.+)$/.exec(endpoint)?.[1];
  if (file !== undefined) return new Channel("http://localhost", { createConnection: () => connect(file) });
  return new Channel(`http://${endpoint.replace(/^dns:(?:\/\/[^/]*\/?)?/, "")}`);
}

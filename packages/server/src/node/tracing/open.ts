/** Opens the exporter of traces. Its code is loaded only if traces are wanted. */
import type { Exporter, ExporterOptions } from "./exporter.ts";

/** Sends traces of requests to an OpenTelemetry collector, by OTLP over gRPC. */
export async function openTracing(options: ExporterOptions): Promise<Exporter> {
  return (await import("./exporter.ts")).openExporter(options);
}

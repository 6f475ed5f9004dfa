/** Spans in OTLP, the protocol of OpenTelemetry: the message ExportTraceServiceRequest of opentelemetry-proto 1.x. */
import { WireWriter } from "@portcullis/engine/internal/builtin/protobuf/writer";
import type { AttributeValue, Span } from "../../observe/tracing/span.ts";

const KINDS = { internal: 1n, server: 2n } as const;
const ERROR = 2n;

export interface Resource {
  readonly attributes: readonly (readonly [name: string, value: AttributeValue])[];
  /** The name of the library that made the spans. */
  readonly scope: string;
}

export function encodeSpans(spans: readonly Span[], { attributes, scope }: Resource): Uint8Array {
  const writer = new WireWriter();
  writer.writeMessage(1, (resourceSpans) => {
    resourceSpans.writeMessage(1, (resource) => writeAttributes(resource, 1, attributes));
    resourceSpans.writeMessage(2, (scopeSpans) => {
      scopeSpans.writeMessage(1, (library) => library.writeText(1, scope));
      for (const span of spans) scopeSpans.writeMessage(2, (message) => writeSpan(message, span));
    });
  });
  return writer.finish();
}

function writeSpan(writer: WireWriter, span: Span): void {
  const { parentId, link } = span;
  writer.writeBytes(1, bytesOf(span.traceId));
  writer.writeBytes(2, bytesOf(span.spanId));
  if (parentId !== undefined) writer.writeBytes(4, bytesOf(parentId));
  writer.writeText(5, span.name);
  writer.writeInteger(6, KINDS[span.kind]);
  writer.writeFixed64(7, span.start);
  writer.writeFixed64(8, span.end);
  writeAttributes(writer, 9, span.attributes);
  if (link !== undefined) {
    writer.writeMessage(13, (message) => {
      message.writeBytes(1, bytesOf(link.traceId));
      message.writeBytes(2, bytesOf(link.spanId));
    });
  }
  if (span.isError) writer.writeMessage(15, (status) => status.writeInteger(3, ERROR));
}

function writeAttributes(writer: WireWriter, field: number, attributes: Resource["attributes"]): void {
  for (const [name, value] of attributes) {
    writer.writeMessage(field, (pair) => {
      pair.writeText(1, name);
      pair.writeMessage(2, (any) => {
        if (typeof value === "string") any.writeText(1, value);
        else any.writeInteger(3, BigInt(value));
      });
    });
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * Spans of requests, as OpenTelemetry has them: one for the request, and one inside it for the handler.
 *
 * Follows apiserver pkg/endpoints/filters/traces.go, pkg/endpoints/handlers/trace_util.go, and otelhttp for attributes.
 */
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { ApiRequest } from "../../http/exchange.ts";
import type { RequestInfo } from "../../http/request-info.ts";
import { isSampledByRatio, parseTraceParent, type SpanContext } from "./trace-context.ts";

export type AttributeValue = string | number;

/** A finished span: data, so that processes can pass it on. */
export interface Span {
  /** In hexadecimal, like all identifiers. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  /** A span of the client that did not become the parent. */
  readonly link: SpanContext | undefined;
  readonly name: string;
  readonly kind: "server" | "internal";
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: readonly (readonly [name: string, value: AttributeValue])[];
  readonly isError: boolean;
}

/** Traces requests and sends their spans somewhere. */
export interface Tracing {
  /** The share of requests without a sampled parent that is traced, from 0 to 1. */
  readonly ratio: number;
  /** Gets each span when it is over. */
  readonly export: (span: Span) => void;
}

export interface TraceOptions {
  readonly tracing: Tracing;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  readonly auditId: string;
  /** Milliseconds since 1970. */
  readonly received: number;
  readonly now: () => number;
}

/** Groups whose spans may be parents; for all others the server starts a trace of its own and links to theirs. */
const TRUSTED: ReadonlySet<string> = new Set(["system:masters", "system:monitoring"]);

/** The spans of one request; undefined if it is not sampled. */
export function beginSpans(options: TraceOptions): RequestSpans | undefined {
  const { tracing, request, user } = options;
  const given = parseTraceParent(request.header("traceparent"));
  const parent = user.groups.some((group) => TRUSTED.has(group)) ? given : undefined;
  const traceId = parent?.traceId ?? randomHex(TRACE_BYTES);
  const isSampled = parent === undefined ? isSampledByRatio(traceId, tracing.ratio) : parent.isSampled;
  return isSampled ? new RequestSpans(options, traceId, { parent, given }) : undefined;
}

interface Given {
  readonly parent: SpanContext | undefined;
  readonly given: SpanContext | undefined;
}

export class RequestSpans {
  readonly #options: TraceOptions;
  readonly #traceId: string;
  readonly #given: Given;
  readonly #id = randomHex(SPAN_BYTES);
  #handlerStart: number | undefined;

  constructor(options: TraceOptions, traceId: string, given: Given) {
    this.#options = options;
    this.#traceId = traceId;
    this.#given = given;
  }

  /** The request is authorized and about to be handled. */
  beginHandler(): void {
    this.#handlerStart = this.#options.now();
  }

  end(status: number): void {
    const { tracing, now, received } = this.#options;
    const end = now();
    const common = { traceId: this.#traceId, end: nanos(end), isError: status >= 500 };
    const handler = this.#handlerName();
    if (handler !== undefined && this.#handlerStart !== undefined) {
      tracing.export({
        ...common,
        spanId: randomHex(SPAN_BYTES),
        parentId: this.#id,
        link: undefined,
        name: handler,
        kind: "internal",
        start: nanos(this.#handlerStart),
        isError: false,
        attributes: handlerAttributes(this.#options),
      });
    }
    const { parent, given } = this.#given;
    tracing.export({
      ...common,
      spanId: this.#id,
      parentId: parent?.spanId,
      name: spanName(this.#options),
      link: parent === undefined ? given : undefined,
      kind: "server",
      start: nanos(received),
      attributes: [...serverAttributes(this.#options), ["http.response.status_code", status]],
    });
  }

  #handlerName(): string | undefined {
    const { isResource, verb } = this.#options.info;
    return isResource ? HANDLERS[verb] : undefined;
  }
}

const HANDLERS: Readonly<Record<string, string>> = {
  create: "Create",
  get: "Get",
  list: "List",
  watch: "WatchServer.HandleHTTP",
  update: "Update",
  patch: "Patch",
  delete: "Delete",
  deletecollection: "Delete",
};

function spanName({ request, info }: TraceOptions): string {
  if (!info.isResource) return request.method;
  const place = [
    info.path.startsWith("/api/") ? "/api" : "/apis",
    info.group,
    info.version,
    info.namespace === "" ? "" : "namespaces/{:namespace}",
    info.resource,
    info.name === "" ? "" : "{:name}",
    info.subresource,
  ];
  return `${request.method} ${place.filter((part) => part !== "").join("/")}`;
}

type Attributes = [name: string, value: AttributeValue][];

function serverAttributes({ request, info, auditId }: TraceOptions): Attributes {
  const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(request.header("host") ?? "") ?? [];
  return known([
    ["server.address", host],
    ["server.port", port === undefined ? "" : Number(port)],
    ["http.request.method", request.method],
    ["network.peer.address", request.address ?? ""],
    ["user_agent.original", request.header("user-agent") ?? ""],
    ["url.path", info.path],
    ["http.target", request.target],
    ["audit-id", auditId],
  ]);
}

function handlerAttributes({ request, info, auditId }: TraceOptions): Attributes {
  return known([
    ["accept", request.header("accept") ?? ""],
    ["audit-id", auditId],
    ["client", request.address ?? ""],
    ["api-group", info.group],
    ["api-version", info.version],
    ["name", info.name],
    ["subresource", info.subresource],
    ["namespace", info.namespace],
    ["resource", info.resource],
    ["scope", info.name !== "" ? "resource" : info.namespace !== "" ? "namespace" : "cluster"],
    ["url", info.path],
    ["user-agent", request.header("user-agent") ?? ""],
    ["verb", info.verb],
  ]);
}

function known(attributes: Attributes): Attributes {
  return attributes.filter(([, value]) => value !== "");
}

const [TRACE_BYTES, SPAN_BYTES] = [16, 8];

function randomHex(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function nanos(millis: number): bigint {
  return BigInt(Math.round(millis)) * 1_000_000n;
}

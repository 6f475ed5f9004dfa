/** Follows requests from arrival to answer: counts them, writes the audit log, and logs them where it is wanted. */

import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Attributes } from "@portcullis/engine/internal/review/authorizer";
import type { Annotate, Kinds } from "@portcullis/engine/internal/review/cluster-view";
import {
  type ApiRequest,
  type ApiResponse,
  type HeaderList,
  isStream,
  type StreamBody,
  whenEnded,
  whenWritten,
} from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { auditLine, wants } from "./audit-event.ts";
import { type AuditConfig, type AuditPolicy, auditConfig, METADATA_POLICY, type Stage } from "./audit-policy.ts";
import type { Labels } from "./metrics.ts";
import { requestLabels, type ServerMetrics } from "./server-metrics.ts";
import { beginSpans, type RequestSpans, type Tracing } from "./tracing/span.ts";

/** Receives audit events. */
export interface AuditLog {
  /** Everything at level Metadata where absent. */
  readonly policy?: AuditPolicy;
  /** Gets a line of JSON for each event, without the line break. */
  readonly write: (line: string) => void;
}

/** Gets what happens, as data: a message and what it is about. */
export type Log = (message: string, about: Readonly<Record<string, string | number>>) => void;

export interface ObserverOptions {
  readonly registry: Kinds;
  readonly metrics: ServerMetrics;
  readonly audit: AuditLog | undefined;
  readonly log: Log | undefined;
  readonly tracing: Tracing | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uid: () => string;
}

const MAX_AUDIT_ID = 64;
const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

export class Observer {
  readonly options: ObserverOptions;

  constructor(options: ObserverOptions) {
    this.options = options;
  }

  begin(request: ApiRequest, info: RequestInfo | undefined): Trace {
    const given = request.header("audit-id") ?? "";
    const id = given === "" ? this.options.uid() : given.slice(0, MAX_AUDIT_ID);
    return new Trace(this.options, id, request, info);
  }
}

/** One request on its way. */
export class Trace {
  readonly id: string;
  /** The request with an ear at its body. */
  readonly request: ApiRequest;
  /** What the answer says beside itself, whatever it is. */
  headers: HeaderList = [];
  readonly #options: ObserverOptions;
  readonly #original: ApiRequest;
  readonly #info: RequestInfo | undefined;
  readonly #received: number;
  readonly #start: number;
  readonly #annotations: Record<string, string> = {};
  readonly #isCounted: boolean;
  #user: User | undefined;
  #impersonated: User | undefined;
  #constraint: string | undefined;
  #config: AuditConfig | undefined;
  #body: Uint8Array | undefined;
  #isAllowed = false;
  /** Undefined if the request is not traced. */
  #spans: RequestSpans | undefined;

  constructor(options: ObserverOptions, id: string, request: ApiRequest, info: RequestInfo | undefined) {
    this.id = id;
    this.#options = options;
    this.#original = request;
    this.#info = info;
    this.#received = options.now();
    this.#start = options.metrics.clock();
    this.#isCounted = info !== undefined && info.verb !== "watch";
    if (this.#isCounted) options.metrics.inflight(this.#isWrite(), 1);
    this.request = options.audit === undefined ? request : this.#listening(request);
  }

  /** Who asks is known, or known to be wrong. */
  authenticated(attributes: Attributes | undefined): void {
    const { audit } = this.#options;
    if (attributes === undefined) return;
    this.#user = attributes.user;
    this.#beginSpans(attributes.user);
    if (audit === undefined) return;
    this.#config = auditConfig(audit.policy ?? METADATA_POLICY, attributes);
    this.#write("RequestReceived", undefined);
  }

  /** Which constrained mode allowed the impersonation. */
  impersonatedBy(constraint: string | undefined): void {
    this.#constraint = constraint;
  }

  authorized(user: User, isAllowed: boolean, reason: string): void {
    this.#isAllowed = isAllowed;
    if (isAllowed) this.#spans?.beginHandler();
    if (user !== this.#user) this.#impersonated = user;
    this.#annotations["authorization.k8s.io/decision"] = isAllowed ? "allow" : "forbid";
    this.#annotations["authorization.k8s.io/reason"] = reason;
  }

  /** For the audit event. What is set is never replaced. */
  readonly annotate: Annotate = (key, value, level) => {
    if (level !== undefined && (this.#config === undefined || !wants(this.#config, level))) return;
    this.#annotations[key] ??= value;
  };

  /** The response, with a callback at its end if it is a stream. */
  finish(response: ApiResponse): ApiResponse {
    const { body } = response;
    if (!isStream(body)) {
      this.#complete(response, body.length);
      return response;
    }
    if (body.isAnswer) return { ...response, body: this.#answering(body, response) };
    const labels = this.#labels();
    const { metrics } = this.#options;
    if (this.#isCounted) metrics.inflight(this.#isWrite(), -1);
    if (labels !== undefined) metrics.request(labels, response.status, undefined);
    this.#log(response, metrics.clock() - this.#start);
    this.#write("ResponseStarted", response);
    return { ...response, body: this.#followed(body, labels, response) };
  }

  /** `text` is that of an answer that was sent as it was made. */
  #complete(response: ApiResponse, size: number, text?: string): void {
    const labels = this.#labels();
    const { metrics } = this.#options;
    const seconds = metrics.clock() - this.#start;
    if (this.#isCounted) metrics.inflight(this.#isWrite(), -1);
    if (labels !== undefined) {
      metrics.request(labels, response.status, { seconds, size });
      metrics.fieldValidation(this.#info?.query.get("fieldValidation") ?? [], seconds);
    }
    this.#log(response, seconds);
    this.#spans?.end(response.status);
    this.#write("ResponseComplete", response, text);
  }

  #beginSpans(user: User): void {
    const { tracing, now } = this.#options;
    const [request, info] = [this.#original, this.#info];
    if (tracing === undefined || info === undefined) return;
    this.#spans = beginSpans({ tracing, request, info, user, auditId: this.id, received: this.#received, now });
  }

  #listening(request: ApiRequest): ApiRequest {
    const readBody = async (limit: number): Promise<Uint8Array> => {
      const body = await request.readBody(limit);
      if (this.#config !== undefined && wants(this.#config, "Metadata")) this.#body = body;
      return body;
    };
    const { method, target, peer, address } = request;
    return {
      method,
      target,
      peer,
      address,
      readBody,
      header: (name) => request.header(name),
      headerValues: (name) => request.headerValues(name),
      headerNames: () => request.headerNames(),
    };
  }

  #followed(body: StreamBody, labels: Labels | undefined, response: ApiResponse): StreamBody {
    const { metrics } = this.#options;
    if (labels !== undefined) metrics.longRunning(labels, 1);
    return whenEnded(body, () => {
      if (labels !== undefined) metrics.longRunning(labels, -1);
      this.#spans?.end(response.status);
      this.#write("ResponseComplete", response);
    });
  }

  /** Its text is kept only where the audit event has it. */
  #answering(body: StreamBody, response: ApiResponse): StreamBody {
    const isKept = this.#config !== undefined && wants(this.#config, "RequestResponse");
    let size = 0;
    const texts: string[] = [];
    const seen = whenWritten(body, (part) => {
      size += part.length;
      if (isKept && typeof part === "string") texts.push(part);
    });
    return whenEnded(seen, () => this.#complete(response, size, isKept ? texts.join("") : undefined));
  }

  #isWrite(): boolean {
    return WRITES.has(this.#info?.verb ?? "");
  }

  #labels(): Labels | undefined {
    const info = this.#info;
    if (info === undefined) return undefined;
    const kind = this.#options.registry.find(info.group, info.version, info.resource);
    const isApply = info.verb === "patch" && this.#original.header("content-type")?.includes("apply-patch") === true;
    const labels = requestLabels(info, kind !== undefined, isApply);
    if (this.#isAllowed && kind?.warning !== undefined)
      this.#options.metrics.deprecatedApis.requested(labels, kind.warning);
    return labels;
  }

  #write(stage: Stage, response: ApiResponse | undefined, text?: string): void {
    const [config, user, info] = [this.#config, this.#user, this.#info];
    const { audit, metrics, now } = this.#options;
    if (audit === undefined || config === undefined || user === undefined || info === undefined) return;
    if (config.level === "None" || config.omitStages.includes(stage)) return;
    const facts = {
      id: this.id,
      request: this.#original,
      info,
      config,
      user,
      impersonated: this.#impersonated,
      constraint: this.#constraint,
      annotations: this.#annotations,
      received: this.#received,
      body: this.#body,
      answer: text,
    };
    audit.write(auditLine(facts, stage, now(), response));
    metrics.auditEvent();
  }

  #log({ status }: ApiResponse, seconds: number): void {
    const { method, target } = this.#original;
    this.#options.log?.("HTTP", {
      verb: this.#info?.verb ?? method,
      URI: target,
      latency: `${(seconds * 1000).toFixed(3)}ms`,
      userAgent: this.#original.header("user-agent") ?? "",
      user: (this.#impersonated ?? this.#user)?.name ?? "",
      "audit-ID": this.id,
      resp: status,
    });
  }
}

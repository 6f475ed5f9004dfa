/** Requests that another thread performs, as data. Who asks and whether they may was decided before. */
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Annotate } from "@portcullis/engine/internal/review/cluster-view";
import { type ApiRequest, type ApiResponse, BodyTooLarge, isStream } from "../http/exchange.ts";

export interface HeavyRequest {
  readonly method: string;
  readonly target: string;
  /** By lower-case name, all values of each. */
  readonly headers: readonly (readonly [name: string, values: readonly string[]])[];
  readonly body: Uint8Array;
  readonly user: User;
  /** Milliseconds from now in which it must be answered. */
  readonly timeLeft: number;
}

export interface HeavyAnswer {
  readonly status: number;
  readonly headers: ApiResponse["headers"];
  readonly body: string | Uint8Array;
  readonly warnings: readonly string[];
  /** For the request's audit event. */
  readonly annotations: readonly Parameters<Annotate>[];
}

/** Another thread with an app on the same store. */
export interface HeavyWorker {
  /** Rejects with a StatusError if there is no answer. */
  perform(request: HeavyRequest): Promise<HeavyAnswer>;
  /** Its part of the server's metrics; undefined if it has none. */
  metrics(): Promise<string | undefined>;
}

/** Bodies are read once: a request that another thread has to perform keeps its own. */
export function keepingBody(request: ApiRequest): ApiRequest {
  let body: Promise<Uint8Array> | undefined;
  const { method, target, peer, address } = request;
  return {
    method,
    target,
    peer,
    address,
    header: (name) => request.header(name),
    headerValues: (name) => request.headerValues(name),
    headerNames: () => request.headerNames(),
    readBody: (limit) => {
      body ??= request.readBody(limit);
      return body;
    },
  };
}

/** Only headers that the API reads: credentials stay where they were checked. */
const WITHHELD: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

export function headersOf(request: ApiRequest): HeavyRequest["headers"] {
  const names = request.headerNames().filter((name) => !WITHHELD.has(name));
  return names.map((name) => [name, [...request.headerValues(name)]] as const);
}

/** The request as an app takes it. */
export function requestOf({ method, target, headers, body }: HeavyRequest): ApiRequest {
  const values = new Map(headers);
  return {
    method,
    target,
    header: (name) => values.get(name)?.[0],
    headerValues: (name) => values.get(name) ?? [],
    headerNames: () => [...values.keys()],
    readBody: async (limit) => {
      if (body.length > limit) throw new BodyTooLarge();
      return body;
    },
  };
}

/** Watches are never performed elsewhere. */
export function wholeBody({ body }: ApiResponse): string | Uint8Array {
  if (isStream(body)) throw new Error("the answer is a stream");
  return body;
}

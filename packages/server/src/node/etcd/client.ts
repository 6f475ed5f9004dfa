/**
 * Calls to an etcd cluster over several endpoints: one is used until it fails, then the next.
 *
 * A read is retried until its timeout. A write is retried only if it certainly was not sent; otherwise the caller
 * learns that the outcome is unknown, because a second try could undo a write made in between.
 */
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { badEndpoint, mixedEndpoints, outcomeUnknown, refusedByEtcd, unreachable } from "./messages.ts";
import { decodeWatchResponse, type UnaryMethod, WATCH_PATH, type WatchResponse } from "./protocol.ts";

export interface EtcdTls {
  /** Certificates in PEM form; the system's authorities where absent. */
  readonly ca?: string | Uint8Array;
  /** For a cluster that asks clients for certificates. */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
  /** The name to look for in the server's certificate, if it is not the endpoint's. */
  readonly serverName?: string;
}

export interface EtcdClientOptions {
  /** Such as `http://127.0.0.1:2379`; without a scheme, https where TLS is given. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls;
  /** How long a request may take in all. */
  readonly timeout?: number;
}

export type WatchCall = ClientDuplexStream<Buffer, WatchResponse>;

const DEFAULT_TIMEOUT = 10_000;
/** One endpoint gets this long to answer a read before another is asked. */
const ATTEMPT_TIMEOUT = 3_000;
const RETRY_PAUSE = 50;

const CHANNEL_OPTIONS: ChannelOptions = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 3_000,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.min_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1_000,
  "grpc.enable_http_proxy": 0,
  "grpc.use_local_subchannel_pool": 1,
};

export class EtcdClient {
  readonly timeout: number;
  readonly #endpoints: readonly Endpoint[];
  #current = 0;
  #isClosed = false;

  constructor({ endpoints, tls, timeout = DEFAULT_TIMEOUT }: EtcdClientOptions) {
    this.timeout = timeout;
    this.#endpoints = parseEndpoints(endpoints, tls);
  }

  /** For requests that change nothing, or nothing more when they are made twice. */
  async read<Request, Response>(method: UnaryMethod<Request, Response>, request: Request): Promise<Response> {
    return this.#call(method, request, isTransient);
  }

  async write<Request, Response>(method: UnaryMethod<Request, Response>, request: Request): Promise<Response> {
    return this.#call(method, request, wasNotSent);
  }

  /** Where the next request goes. */
  get endpoint(): Endpoint {
    const endpoint = this.#endpoints[this.#current];
    if (endpoint === undefined) throw new Error("no endpoint");
    return endpoint;
  }

  /** Switches to the next endpoint, unless another call has already done so. */
  leave(endpoint: Endpoint): void {
    if (this.endpoint === endpoint) this.#current = (this.#current + 1) % this.#endpoints.length;
  }

  close(): void {
    this.#isClosed = true;
    for (const endpoint of this.#endpoints) endpoint.close();
  }

  async #call<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    mayRepeat: (error: ServiceError) => boolean,
  ): Promise<Response> {
    const deadline = Date.now() + this.timeout;
    const attemptTimeout = mayRepeat === isTransient && this.#endpoints.length > 1 ? ATTEMPT_TIMEOUT : this.timeout;
    for (;;) {
      const { endpoint } = this;
      try {
        return await endpoint.call(method, request, Math.min(deadline, Date.now() + attemptTimeout));
      } catch (error) {
        if (!isServiceError(error)) throw error;
        if (isTransient(error)) this.leave(endpoint);
        const isOver = Date.now() + RETRY_PAUSE >= deadline;
        if (isOver || this.#isClosed || !mayRepeat(error)) throw this.#translate(error, mayRepeat);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE));
    }
  }

  #translate(error: ServiceError, mayRepeat: (error: ServiceError) => boolean): Error {
    const names = this.#endpoints.map(({ name }) => name);
    if (isCompacted(error)) return error;
    if (error.code === status.RESOURCE_EXHAUSTED) {
      return new StoreUnavailable(refusedByEtcd(error.details), { cause: error });
    }
    if (!isTransient(error)) return new Error(refusedByEtcd(error.details), { cause: error });
    if (mayRepeat(error)) return new StoreUnavailable(unreachable(names, error.details), { cause: error });
    return new StoreUnavailable(outcomeUnknown(error.details), { definite: false, cause: error });
  }
}

/** One member of the cluster. */
export class Endpoint {
  readonly name: string;
  readonly #client: Client;

  constructor(name: string, client: Client) {
    this.name = name;
    this.#client = client;
  }

  call<Request, Response>(
    { path, encode, decode }: UnaryMethod<Request, Response>,
    request: Request,
    deadline: number,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      // The library creates an error for every call, in case it fails: its stack would cost a tenth of the call.
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = 0;
      this.#client.makeUnaryRequest(path, encode, decode, request, new Metadata(), { deadline }, (error, response) => {
        if (error !== null) reject(error);
        else if (response === undefined) reject(new Error("an answer without a message"));
        else resolve(response);
      });
      Error.stackTraceLimit = limit;
    });
  }

  /** A member cut off from the others ends the call, so that another can be asked. */
  openWatch(): WatchCall {
    const metadata = new Metadata();
    metadata.set("hasleader", "true");
    return this.#client.makeBidiStreamRequest(WATCH_PATH, (bytes: Buffer) => bytes, decodeWatchResponse, metadata);
  }

  close(): void {
    this.#client.close();
  }
}

/** The revision has been compacted, says etcd. */
export function isCompacted(error: unknown): boolean {
  return isServiceError(error) && error.code === status.OUT_OF_RANGE && error.details.includes("has been compacted");
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && typeof error.details === "string";
}

const TRANSIENT: readonly number[] = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.UNKNOWN,
  status.INTERNAL,
];

function isTransient(error: ServiceError): boolean {
  return TRANSIENT.includes(error.code);
}

/** No connection could be made, so there was nothing to send the request on. */
function wasNotSent({ code, details }: ServiceError): boolean {
  return code === status.UNAVAILABLE && /^(No connection established|Name resolution failed)/.test(details);
}

function parseEndpoints(endpoints: readonly string[], tls: EtcdTls | undefined): Endpoint[] {
  const parsed = endpoints.map((text) => parseEndpoint(text, tls !== undefined));
  if (parsed.length === 0) throw new Error(badEndpoint(""));
  if (new Set(parsed.map(({ isSecure }) => isSecure)).size > 1) throw new Error(mixedEndpoints());
  const options = { ...CHANNEL_OPTIONS, ...(tls?.serverName && { "grpc.ssl_target_name_override": tls.serverName }) };
  return parsed.map(({ name, address, isSecure }) => {
    const secret = isSecure ? secureCredentials(tls ?? {}) : credentials.createInsecure();
    return new Endpoint(name, new Client(address, secret, options));
  });
}

function parseEndpoint(text: string, isSecureByDefault: boolean): { name: string; address: string; isSecure: boolean } {
  const match = /^(?:(https?):\/\/)?([^\s/:[\]]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})\/?$/.exec(text);
  if (match === null) throw new Error(badEndpoint(text));
  const [, scheme = isSecureByDefault ? "https" : "http", host, port] = match;
  return { name: `${scheme}://${host}:${port}`, address: `${host}:${port}`, isSecure: scheme === "https" };
}

function secureCredentials({ ca, cert, key }: EtcdTls): ChannelCredentials {
  const pem = (text: string | Uint8Array | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(pem(ca), pem(key), pem(cert));
}

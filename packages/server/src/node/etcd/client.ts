/**
 * Calls to an etcd cluster over several endpoints: one is used until it fails, then the next.
 *
 * A read is retried until its timeout. A write is retried only if it certainly was not sent; otherwise the caller
 * learns that the outcome is unknown, because a second try could undo a write made in between.
 */
import type { ConnectionOptions } from "node:tls";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { Channel, type OpenStream, type StreamReceiver } from "../grpc/channel.ts";
import { OUT_OF_RANGE, RESOURCE_EXHAUSTED, RpcError } from "../grpc/rpc-error.ts";
import { badEndpoint, mixedEndpoints, outcomeUnknown, refusedByEtcd, unreachable } from "./messages.ts";
import { type UnaryMethod, WATCH_PATH } from "./protocol.ts";

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

const DEFAULT_TIMEOUT = 10_000;
/** One endpoint gets this long to answer a read before another is asked. */
const ATTEMPT_TIMEOUT = 3_000;
const RETRY_PAUSE = 50;

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
    mayRepeat: (error: RpcError) => boolean,
  ): Promise<Response> {
    const deadline = Date.now() + this.timeout;
    const attemptTimeout = mayRepeat === isTransient && this.#endpoints.length > 1 ? ATTEMPT_TIMEOUT : this.timeout;
    for (;;) {
      const { endpoint } = this;
      try {
        return await endpoint.call(method, request, Math.min(deadline - Date.now(), attemptTimeout));
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        if (error.isTransient) this.leave(endpoint);
        const isOver = Date.now() + RETRY_PAUSE >= deadline;
        if (isOver || this.#isClosed || !mayRepeat(error)) throw this.#translate(error, mayRepeat);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE));
    }
  }

  #translate(error: RpcError, mayRepeat: (error: RpcError) => boolean): Error {
    const names = this.#endpoints.map(({ name }) => name);
    if (isCompacted(error)) return error;
    if (error.code === RESOURCE_EXHAUSTED) {
      return new StoreUnavailable(refusedByEtcd(error.message), { cause: error });
    }
    if (!error.isTransient) return new Error(refusedByEtcd(error.message), { cause: error });
    if (mayRepeat(error)) return new StoreUnavailable(unreachable(names, error.message), { cause: error });
    return new StoreUnavailable(outcomeUnknown(error.message), { definite: false, cause: error });
  }
}

/** One member of the cluster. */
export class Endpoint {
  readonly name: string;
  readonly #channel: Channel;

  constructor(name: string, channel: Channel) {
    this.name = name;
    this.#channel = channel;
  }

  /** Rejects with an `RpcError`, after `timeout` milliseconds at the latest. */
  async call<Request, Response>(
    { path, encode, decode }: UnaryMethod<Request, Response>,
    request: Request,
    timeout: number,
  ): Promise<Response> {
    return decode(await this.#channel.unary(path, encode(request), timeout));
  }

  /** A member cut off from the others ends the call, so that another can be asked. */
  openWatch(receiver: StreamReceiver): OpenStream {
    return this.#channel.openStream(WATCH_PATH, { hasleader: "true" }, receiver);
  }

  close(): void {
    this.#channel.close();
  }
}

/** The revision has been compacted, says etcd. */
export function isCompacted(error: unknown): boolean {
  return error instanceof RpcError && error.code === OUT_OF_RANGE && error.message.includes("has been compacted");
}

function isTransient({ isTransient: isSo }: RpcError): boolean {
  return isSo;
}

/** There was no connection to send the request on, or the member refused to read it. */
function wasNotSent({ isTransient: isSo, wasSent }: RpcError): boolean {
  return isSo && !wasSent;
}

function parseEndpoints(endpoints: readonly string[], tls: EtcdTls | undefined): Endpoint[] {
  const parsed = endpoints.map((text) => parseEndpoint(text, tls !== undefined));
  if (parsed.length === 0) throw new Error(badEndpoint(""));
  if (new Set(parsed.map(({ isSecure }) => isSecure)).size > 1) throw new Error(mixedEndpoints());
  const options = tls === undefined ? {} : secureOptions(tls);
  return parsed.map(({ name }) => new Endpoint(name, new Channel(name, options)));
}

function parseEndpoint(text: string, isSecureByDefault: boolean): { name: string; isSecure: boolean } {
  const match = /^(?:(https?):\/\/)?([^\s/:[\]]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})\/?$/.exec(text);
  if (match === null) throw new Error(badEndpoint(text));
  const [, scheme = isSecureByDefault ? "https" : "http", host, port] = match;
  return { name: `${scheme}://${host}:${port}`, isSecure: scheme === "https" };
}

function secureOptions({ ca, cert, key, serverName }: EtcdTls): ConnectionOptions {
  const pem = (text: string | Uint8Array): string | Buffer => (typeof text === "string" ? text : Buffer.from(text));
  return {
    ...(ca !== undefined && { ca: pem(ca) }),
    ...(cert !== undefined && { cert: pem(cert) }),
    ...(key !== undefined && { key: pem(key) }),
    ...(serverName !== undefined && { servername: serverName }),
  };
}

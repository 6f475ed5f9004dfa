/** The app behind a socket of Node: plain HTTP on the loopback interface, or HTTPS. */

import { createServer as createHttpServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { App } from "../app/app.ts";
import {
  type ApiRequest,
  type ApiResponse,
  BodyTooLarge,
  ClientGone,
  isStream,
  type PeerCertificate,
  type StreamBody,
} from "../http/exchange.ts";
import { compressed } from "./compress.ts";
import { answerParserErrors, noteRequest } from "./parser-errors.ts";

/** Address, TLS and time limits of a listener. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Plain HTTP where absent. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly clientCa?: string | undefined } | undefined;
  /** A client that takes nothing of what is ready for it for this long is taken for dead. */
  readonly stallMs?: number | undefined;
  /** An HTTP/2 connection on which nothing is asked for this long is closed. */
  readonly idleMs?: number | undefined;
  /** In place of the usual limits of HTTP/1. */
  readonly http1?: Partial<typeof HTTP1_LIMITS>;
}

/** An open port. */
export interface Listener {
  readonly port: number;
  /** Open at present. */
  connections(): number;
  /** Stops accepting requests, lets active ones finish, and ends unlimited responses. */
  stop(): Promise<void>;
}

/** HTTP/1 and HTTP/2 look alike as far as we use them. */
type Incoming = IncomingMessage | Http2ServerRequest;
interface Outgoing {
  statusCode: number;
  readonly writableLength: number;
  setHeader(name: string, value: string | string[]): unknown;
  flushHeaders?(): void;
  write(part: string | Uint8Array): boolean;
  end(body?: string | Uint8Array): unknown;
  once(event: "close", listener: () => void): unknown;
  on(event: "drain", listener: () => void): unknown;
  destroy(): unknown;
}

const MAX_CONNECTIONS = 10_000;
const HANDSHAKE_MS = 10_000;
/** As in Go. */
const MAX_HEADER = 1 << 20;
/** How long an HTTP/1 client may take to say what it wants. */
const HTTP1_LIMITS = {
  maxHeaderSize: MAX_HEADER,
  requestTimeout: 60_000,
  headersTimeout: 30_000,
  keepAliveTimeout: 120_000,
  connectionsCheckingInterval: 10_000,
};
/** What one HTTP/2 connection may have open, and how much it may upset us before it is closed. */
const HTTP2_LIMITS = {
  settings: { maxConcurrentStreams: 1000, maxHeaderListSize: MAX_HEADER },
  maxSessionInvalidFrames: 100,
  unknownProtocolTimeout: 5_000,
};

/** Requests wait for an app that is still to come. */
export async function listen(app: App | Promise<App>, options: ListenOptions): Promise<Listener> {
  const { host, port, tls, stallMs = STALL_MS, idleMs = IDLE_MS } = options;
  const limits = { ...HTTP1_LIMITS, ...options.http1 };
  const streams: Streams = new Set();
  const handler = (request: Incoming, response: Outgoing): void => {
    if (request.httpVersionMajor === 1) noteRequest(request.socket, request, response);
    const problem = hostProblem(request);
    if (problem === undefined) void exchange(app, request, response, { streams, stallMs });
    else refuseHost(response, problem);
  };
  const server = tls === undefined ? createHttpServer(limits, handler) : createTlsServer(tls, handler);
  // A server of HTTP/2 takes these for HTTP/1 as members only.
  Object.assign(server, limits);
  server.on("clientError", answerParserErrors(app, peerOf));
  server.maxConnections = MAX_CONNECTIONS;
  server.on("session", (session: ServerHttp2Session) => closeIdle(session, idleMs));
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // Detect peers that disappeared without closing the connection.
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return { port: address.port, connections: () => sockets.size, stop: () => stop(server, streams, sockets) };
}

/** HTTP/1.1 requires exactly one; this is Go's message. */
function hostProblem(request: Incoming): string | undefined {
  if (request.httpVersion !== "1.1") return undefined;
  const hosts = headerValues(request, "host").length;
  return hosts === 1 ? undefined : hosts === 0 ? "missing required Host header" : "too many Host headers";
}

function refuseHost(response: Outgoing, problem: string): void {
  response.statusCode = 400;
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.setHeader("Connection", "close");
  response.end(`400 Bad Request: ${problem}`);
}

function createTlsServer(
  { key, cert, clientCa }: NonNullable<ListenOptions["tls"]>,
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Http2SecureServer {
  const client = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  const options = { ...HTTP2_LIMITS, handshakeTimeout: HANDSHAKE_MS, allowHTTP1: true };
  return createSecureServer({ ...options, key, cert, ...client }, handler);
}

const GRACE_MS = 2_000;
const STALL_MS = 60_000;
const IDLE_MS = 90_000;
const KEEP_ALIVE_MS = 30_000;

/** A watch without events is not idle. */
function closeIdle(session: ServerHttp2Session, idleMs: number): void {
  let open = 0;
  session.on("stream", (stream) => {
    open++;
    stream.once("close", () => open--);
  });
  session.setTimeout(idleMs, () => {
    if (open === 0) session.close();
  });
}

/** How to end unlimited responses. */
type Streams = Set<() => void>;

/** Requests under way may finish; connections that are still there after that are cut. */
function stop(server: Server | Http2SecureServer, streams: Streams, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const end of streams) end();
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  });
}

interface StreamContext {
  readonly streams: Streams;
  readonly stallMs: number;
}

async function exchange(
  app: App | Promise<App>,
  incoming: Incoming,
  outgoing: Outgoing,
  context: StreamContext,
): Promise<void> {
  try {
    const accepted = incoming.headers["accept-encoding"];
    const response = await compressed(await (await app).handle(toRequest(incoming)), textOf(accepted));
    if (isStream(response.body)) {
      sendHead(response, incoming, outgoing);
      sendStream(response.body, outgoing, context);
    } else sendWhole(response, response.body, incoming, outgoing);
  } catch {
    // Only a broken connection gets here: the app turns everything else into an answer.
    outgoing.destroy();
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.join(",");
}

function toRequest(incoming: Incoming): ApiRequest {
  return {
    method: incoming.method ?? "GET",
    target: incoming.url ?? "/",
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    headerValues: (name) => headerValues(incoming, name),
    headerNames: () => Object.keys(incoming.headers),
    readBody: (limit) => readBody(incoming, limit),
    peer: peerOf(incoming.socket),
    address: incoming.socket.remoteAddress,
  };
}

/** Node joins some headers and drops repetitions of others; the raw list has them all. */
function headerValues({ rawHeaders }: Incoming, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function readBody(incoming: Incoming, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) return reject(new ClientGone());
    const chunks: Buffer[] = [];
    let size = 0;
    const gone = (): void => reject(new ClientGone());
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      incoming.pause();
      reject(new BodyTooLarge());
    });
    incoming.once("end", () => {
      incoming.off("close", gone);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    incoming.once("error", gone);
    incoming.once("close", gone);
  });
}

/** Looked at once for each connection: taking a certificate apart is not cheap. */
const peers = new WeakMap<Socket, PeerCertificate | undefined>();

function peerOf(socket: Socket): PeerCertificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  if (!peers.has(socket)) peers.set(socket, readPeer(socket));
  return peers.get(socket);
}

function readPeer(socket: TLSSocket): PeerCertificate | undefined {
  const subject = socket.getPeerCertificate().subject;
  if (subject?.CN === undefined) return undefined;
  const organizations = subject.O === undefined ? [] : [subject.O].flat();
  return { commonName: [subject.CN].flat()[0] ?? "", organizations };
}

/** With one list of headers and a length HTTP/1 has the least to do. */
function sendWhole(response: ApiResponse, body: string | Uint8Array, incoming: Incoming, outgoing: Outgoing): void {
  // Bytes: with a text, Node would write the headers in the text's encoding.
  const bytes = incoming.method === "HEAD" ? undefined : bytesOf(body);
  if (!(outgoing instanceof ServerResponse)) sendHead(response, incoming, outgoing);
  else {
    const head = response.headers.flatMap(([name, value]) => [name, headerBytes(value)]);
    if (bytes !== undefined && !BODILESS.has(response.status)) head.push("Content-Length", String(bytes.length));
    if (!incoming.complete) head.push("Connection", "close");
    outgoing.writeHead(response.status, head);
  }
  outgoing.end(bytes);
}

/** Large bodies are not copied. */
function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

const BODILESS: ReadonlySet<number> = new Set([204, 304]);

function sendHead({ status, headers }: ApiResponse, incoming: Incoming, outgoing: Outgoing): void {
  const names = new Map<string, string[]>();
  for (const [name, value] of headers) names.set(name, [...(names.get(name) ?? []), headerBytes(value)]);
  for (const [name, values] of names) outgoing.setHeader(name, values.length === 1 ? (values[0] ?? "") : values);
  // A body that was not read to its end would be taken for the next request.
  if (!incoming.complete && incoming.httpVersionMajor === 1) outgoing.setHeader("Connection", "close");
  outgoing.statusCode = status;
}

/** Warnings may say anything: Go sends the bytes of UTF-8, which Node wants as characters of one byte. */
function headerBytes(value: string): string {
  return /[^\0-\x7f]/.test(value) ? Buffer.from(value, "utf8").toString("latin1") : value;
}

/** Clients wait for the headers of a watch before its first event, so they go at once. */
function sendStream(body: StreamBody, outgoing: Outgoing, { streams, stallMs }: StreamContext): void {
  const finish = (): void => {
    streams.delete(end);
    flow.stop();
    body.cancel();
  };
  const end = (): void => {
    finish();
    outgoing.end();
  };
  const cut = (): void => {
    finish();
    outgoing.destroy();
  };
  const flow = new Flow(outgoing, stallMs, cut);
  streams.add(end);
  outgoing.once("close", end);
  outgoing.flushHeaders?.();
  body.start({
    write: (part) => flow.write(part),
    pending: () => outgoing.writableLength,
    drained: () => flow.drained(),
    end,
    cut,
  });
}

/** What is written to a client that may be slow to take it, or dead. */
class Flow {
  readonly #outgoing: Outgoing;
  readonly #stallMs: number;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: Promise<void> | undefined;
  #resolve = (): void => {};
  #written = 0;

  constructor(outgoing: Outgoing, stallMs: number, onStall: () => void) {
    this.#outgoing = outgoing;
    this.#stallMs = stallMs;
    this.#onStall = onStall;
    outgoing.on("drain", () => this.#release());
    outgoing.once("close", () => this.#release());
  }

  write(part: string | Uint8Array): void {
    const bytes =
      typeof part === "string" ? Buffer.from(part) : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    this.#written += bytes.length;
    if (!this.#outgoing.write(bytes)) this.#wait();
  }

  drained(): Promise<void> {
    return this.#waiting ?? Promise.resolve();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#waiting !== undefined) return;
    this.#waiting = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#watchOver(this.#taken());
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    this.#resolve();
  }

  #taken(): number {
    return this.#written - this.#outgoing.writableLength;
  }

  /** Slow is fine as long as it moves. */
  #watchOver(taken: number): void {
    this.#timer = setTimeout(() => {
      if (this.#taken() === taken) this.#onStall();
      else this.#watchOver(this.#taken());
    }, this.#stallMs);
  }
}

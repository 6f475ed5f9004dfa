/** The app behind a socket of Node: plain HTTP on the loopback interface, or HTTPS. */

import { createServer as createHttpServer, type Server } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { App } from "../app/app.ts";
import { isStream } from "../http/exchange.ts";
import { headerValues, type Incoming, toRequest } from "./incoming.ts";
import { type Outgoing, type StreamContext, type Streams, sendHead, sendStream, sendWhole } from "./outgoing.ts";
import { type PeerAuthorities, peerReader, type ReadPeer } from "./peer.ts";
import { compressed } from "./transport/compress.ts";
import { Connections } from "./transport/connections.ts";
import { answerParserErrors, noteRequest } from "./transport/parser-errors.ts";

/** Address, TLS and time limits of a listener. */
export interface ListenOptions {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
  /** Plain HTTP if absent. */
  readonly tls?: (PeerAuthorities & TlsLimits & { readonly key: string; readonly cert: string }) | undefined;
  /** The connection of a client that reads nothing for this long is closed. */
  readonly stallMs?: number | undefined;
  /** An HTTP/2 connection without requests for this long is closed. */
  readonly idleMs?: number | undefined;
  /** Overrides the default limits of HTTP/1. */
  readonly http1?: Partial<typeof HTTP1_LIMITS>;
  /** How many connections may be open; as many as the system allows, up to 10,000, if absent. */
  readonly maxConnections?: number | undefined;
}

/** What a listener offers during the handshake; the defaults of Node.js where absent. */
export interface TlsLimits {
  readonly minVersion?: "TLSv1.2" | "TLSv1.3" | undefined;
  /** Cipher suites in the syntax of OpenSSL. */
  readonly ciphers?: string | undefined;
}

/** An open port. */
export interface Listener {
  readonly port: number;
  /** The number of open connections. */
  connections(): number;
  /** Stops accepting requests, lets active ones finish, and ends unlimited responses. */
  stop(): Promise<void>;
}

const HANDSHAKE_MS = 10_000;
/** As in Go. */
const MAX_HEADER = 1 << 20;
/** How long an HTTP/1 client may take to say what it wants. */
const HTTP1_LIMITS = {
  maxHeaderSize: MAX_HEADER,
  // Otherwise Node.js drops those beyond the two thousandth, also one by which a proxy says for whom it asks.
  maxHeadersCount: 0,
  requestTimeout: 60_000,
  headersTimeout: 30_000,
  keepAliveTimeout: 120_000,
  connectionsCheckingInterval: 10_000,
};
/** What one HTTP/2 connection may have open, and how much it may upset us before it is closed. */
const HTTP2_LIMITS = {
  settings: { maxConcurrentStreams: 1000, maxHeaderListSize: MAX_HEADER },
  // As many as fit: each counts as at least 32 bytes.
  maxHeaderListPairs: MAX_HEADER / 32,
  maxSessionInvalidFrames: 100,
  unknownProtocolTimeout: 5_000,
};

/**
 * Accepts connections. Requests wait until the app is ready.
 * @example
 * const listener = await listen(app, { host: "127.0.0.1", port: 0 });
 * await listener.stop();
 */
export async function listen(app: App | Promise<App>, options: ListenOptions): Promise<Listener> {
  const { host, port, tls, stallMs = STALL_MS, idleMs = IDLE_MS } = options;
  const limits = { ...HTTP1_LIMITS, ...options.http1 };
  const streams: Streams = new Set();
  const peerOf = peerReader(tls ?? {});
  const connections = new Connections(options.maxConnections);
  const handler = (request: Incoming, response: Outgoing): void => {
    response.once("close", connections.begin(request.socket));
    if (request.httpVersionMajor === 1) noteRequest(request.socket, request, response);
    const problem = problemOf(request);
    if (problem === undefined) void exchange({ app, peerOf }, request, response, { streams, stallMs });
    else refuse(response, problem);
  };
  const server = tls === undefined ? createHttpServer(limits, handler) : createTlsServer(tls, handler);
  // A server of HTTP/2 takes these for HTTP/1 as members only.
  Object.assign(server, limits);
  server.on("clientError", answerParserErrors(app, peerOf));
  if (tls !== undefined) {
    server.on("secureConnection", readInTurn);
    server.on("tlsClientError", () => void countHandshakeError(app));
  }
  server.on("session", (session: ServerHttp2Session) => closeIdle(session, idleMs));
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    // Detect peers that disappeared without closing the connection.
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return { port: address.port, connections: () => connections.size, stop: () => stop(server, streams, connections) };
}

/** An app that cannot be opened has no metrics. */
async function countHandshakeError(app: App | Promise<App>): Promise<void> {
  const opened = await Promise.resolve(app).catch(() => undefined);
  opened?.context.metrics.handshakeFailed();
}

/**
 * HTTP/1.0 has no chunks, so others may see the end of such a request elsewhere. HTTP/1.1 requires exactly one host; the
 * messages about it are Go's.
 */
function problemOf(request: Incoming): string | undefined {
  if (request.httpVersion === "1.0" && request.headers["transfer-encoding"] !== undefined) return UNEXPECTED_ENCODING;
  if (request.httpVersion !== "1.1") return undefined;
  const hosts = headerValues(request, "host").length;
  return hosts === 1 ? undefined : hosts === 0 ? "missing required Host header" : "too many Host headers";
}

const UNEXPECTED_ENCODING = "unexpected transfer encoding";

function refuse(response: Outgoing, problem: string): void {
  response.statusCode = 400;
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.setHeader("Connection", "close");
  response.end(`400 Bad Request: ${problem}`);
}

function createTlsServer(
  { key, cert, clientCa, proxyCa, minVersion, ciphers }: NonNullable<ListenOptions["tls"]>,
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Http2SecureServer {
  const ca = [clientCa, proxyCa].filter((bundle) => bundle !== undefined);
  const client = ca.length === 0 ? {} : { ca, requestCert: true, rejectUnauthorized: false };
  const limits = { ...(minVersion && { minVersion }), ...(ciphers && { ciphers }) };
  const options = { ...HTTP2_LIMITS, ...limits, handshakeTimeout: HANDSHAKE_MS, allowHTTP1: true };
  return createSecureServer({ ...options, key, cert, ...client }, handler);
}

/**
 * Node stops reading a connection whose client does not take the responses. Over TLS its parser still gets the records
 * that were decrypted together, and refuses them as malformed. With a listener for data, they wait in the stream.
 */
function readInTurn(socket: TLSSocket): void {
  if (socket.alpnProtocol !== "h2") socket.on("data", () => {});
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

/** Requests under way may finish; connections that are still there after that are cut. */
function stop(server: Server | Http2SecureServer, streams: Streams, connections: Connections): Promise<void> {
  for (const end of streams) end();
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      for (const socket of connections.sockets()) socket.destroy();
    }, GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  });
}

async function exchange(
  { app, peerOf }: { readonly app: App | Promise<App>; readonly peerOf: ReadPeer },
  incoming: Incoming,
  outgoing: Outgoing,
  context: StreamContext,
): Promise<void> {
  let isGone = false;
  outgoing.once("close", () => {
    isGone = true;
  });
  try {
    const accepted = incoming.headers["accept-encoding"];
    const response = await compressed(
      await (await app).handle(toRequest(incoming, peerOf(incoming.socket))),
      textOf(accepted),
    );
    if (isStream(response.body)) {
      // Nobody would end it.
      if (isGone || incoming.method === "HEAD") response.body.cancel();
      if (isGone) return;
      sendHead(response, incoming, outgoing);
      if (incoming.method === "HEAD") outgoing.end();
      else sendStream(response.body, outgoing, context);
    } else sendWhole(response, response.body, { incoming, outgoing, stallMs: context.stallMs });
  } catch {
    // Only a broken connection gets here: the app turns everything else into an answer.
    outgoing.destroy();
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.join(",");
}

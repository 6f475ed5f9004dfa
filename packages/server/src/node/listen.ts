/** The app behind a socket of Node: plain HTTP on the loopback interface, or HTTPS. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import type { App } from "../app.ts";
import {
  type ApiRequest,
  type ApiResponse,
  BodyTooLarge,
  isStream,
  type PeerCertificate,
  type StreamBody,
} from "../endpoints/exchange.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Plain HTTP where absent. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly clientCa?: string | undefined } | undefined;
}

export interface Listener {
  readonly port: number;
  /** Stops taking requests, lets those under way finish, and ends what goes on for ever. */
  stop(): Promise<void>;
}

const LIMITS = { maxHeaderSize: 64 * 1024, requestTimeout: 60_000, headersTimeout: 30_000, keepAliveTimeout: 120_000 };

export async function listen(app: App, { host, port, tls }: ListenOptions): Promise<Listener> {
  const streams: Streams = new Set();
  const handler = (request: IncomingMessage, response: ServerResponse): void =>
    void exchange(app, request, response, streams);
  const server: Server =
    tls === undefined
      ? createHttpServer(LIMITS, handler)
      : createHttpsServer(
          {
            ...LIMITS,
            key: tls.key,
            cert: tls.cert,
            ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: false }),
          },
          handler,
        );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return { port: address.port, stop: () => stop(server, streams) };
}

const GRACE_MS = 2_000;

/** How to end the answers that go on for ever. */
type Streams = Set<() => void>;

function stop(server: Server, streams: Streams): Promise<void> {
  return new Promise((resolve) => {
    for (const end of streams) end();
    const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function exchange(
  app: App,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  streams: Streams,
): Promise<void> {
  const aborter = new AbortController();
  outgoing.once("close", () => aborter.abort());
  try {
    const response = await app.handle(toRequest(incoming, aborter.signal));
    sendHead(response, incoming, outgoing);
    if (isStream(response.body)) sendStream(response.body, outgoing, streams);
    else outgoing.end(incoming.method === "HEAD" ? undefined : response.body);
  } catch {
    // Only a broken connection gets here: the app turns everything else into an answer.
    outgoing.destroy();
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): ApiRequest {
  return {
    method: incoming.method ?? "GET",
    target: incoming.url ?? "/",
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    readBody: (limit) => readBody(incoming, limit),
    signal,
    peer: peerOf(incoming),
  };
}

async function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function peerOf({ socket }: IncomingMessage): PeerCertificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const subject = socket.getPeerCertificate().subject;
  if (subject?.CN === undefined) return undefined;
  const organizations = subject.O === undefined ? [] : [subject.O].flat();
  return { commonName: [subject.CN].flat()[0] ?? "", organizations };
}

function sendHead({ status, headers }: ApiResponse, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const names = new Map<string, string[]>();
  for (const [name, value] of headers) names.set(name, [...(names.get(name) ?? []), value]);
  for (const [name, values] of names) outgoing.setHeader(name, values.length === 1 ? (values[0] ?? "") : values);
  // A body that was not read to its end would be taken for the next request.
  if (!incoming.complete) outgoing.setHeader("Connection", "close");
  outgoing.statusCode = status;
}

/** Clients wait for the headers of a watch before its first event, so they go at once. */
function sendStream(body: StreamBody, outgoing: ServerResponse, streams: Streams): void {
  const end = (): void => {
    streams.delete(end);
    body.cancel();
    outgoing.end();
  };
  streams.add(end);
  outgoing.once("close", end);
  outgoing.flushHeaders();
  body.start({ write: (text) => void outgoing.write(text), pending: () => outgoing.writableLength, end });
}

/** Calls extension API servers over HTTPS, with the proxy's client certificate, on connections that are kept open. */
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import {
  type CallExtension,
  type ExtensionAnswer,
  type ExtensionRequest,
  ExtensionUnreachable,
} from "../aggregation/transport.ts";
import type { HeaderList, StreamSink } from "../http/exchange.ts";
import { identityProblem, unreachable } from "./webhook-errors.ts";

export interface ExtensionClientOptions {
  /** The client certificate that extension API servers expect of the proxy, in PEM. */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined;
}

export interface ExtensionClient {
  readonly call: CallExtension;
  /** Closes connections. */
  close(): void;
}

const MAX_CONNECTIONS = 256;

export function createExtensionClient({ identity }: ExtensionClientOptions = {}): ExtensionClient {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: "lifo" });
  return {
    call: (sent) => send(sent, { ...tlsOptions(sent), ...identity, agent }),
    close: () => agent.destroy(),
  };
}

function tlsOptions({ serverName, ca, isInsecure }: ExtensionRequest): RequestOptions {
  if (isInsecure) return { servername: serverName, rejectUnauthorized: false };
  return {
    servername: serverName,
    checkServerIdentity: (_, certificate) => identityProblem(serverName, certificate),
    ...(ca === undefined ? {} : { ca, ...TRUST_AS_GIVEN }),
  };
}

/** A bundle may name the server's own certificate instead of an authority. */
const TRUST_AS_GIVEN: RequestOptions & { allowPartialTrustChain: boolean } = { allowPartialTrustChain: true };

/** Resolves when the head of the answer is there. */
function send(sent: ExtensionRequest, options: RequestOptions): Promise<ExtensionAnswer> {
  const { method, target, connect, body, timeoutMs } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...options, ...connect, method, path: target, headers: headersOf(sent) });
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => outgoing.destroy(new ExtensionUnreachable("context deadline exceeded")), timeoutMs);
    outgoing.on("response", (incoming) => {
      clearTimeout(timer);
      resolve(answerOf(incoming));
    });
    outgoing.on("error", (error) => {
      clearTimeout(timer);
      const isKnown = error instanceof ExtensionUnreachable;
      reject(isKnown ? error : new ExtensionUnreachable(unreachable(error, connect).message));
    });
    outgoing.end(body);
  });
}

function headersOf({ headers, connect, body }: ExtensionRequest): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = { host: `${connect.host}:${connect.port}` };
  for (const [name, value] of headers) {
    const before = found[name];
    found[name] = before === undefined ? value : [before, value].flat();
  }
  if (body !== undefined) found["content-length"] = String(body.length);
  return found;
}

function answerOf(incoming: IncomingMessage): ExtensionAnswer {
  const headers: HeaderList = pairsOf(incoming.rawHeaders);
  return {
    status: incoming.statusCode ?? 502,
    headers,
    stream: { start: (sink) => pass(incoming, sink), cancel: () => incoming.destroy() },
    read: (limit) => readWhole(incoming, limit),
  };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as [string, string]] : []));
}

/** At the pace of the client. */
function pass(incoming: IncomingMessage, sink: StreamSink): void {
  incoming.on("data", (chunk: Buffer) => {
    sink.write(chunk);
    if (sink.pending() === 0) return;
    incoming.pause();
    void sink.drained().then(() => incoming.resume());
  });
  incoming.on("end", () => sink.end());
  incoming.on("error", () => sink.cut());
}

function readWhole(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) incoming.destroy(new ExtensionUnreachable(`the answer is larger than ${limit} bytes`));
    });
    incoming.on("end", () => resolve(Buffer.concat(chunks)));
    incoming.on("error", (error) => reject(new ExtensionUnreachable(error.message)));
  });
}

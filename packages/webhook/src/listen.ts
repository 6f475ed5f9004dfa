/** The handler behind HTTPS. A new certificate applies to new connections; open connections keep theirs. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { KeyPair } from "./certificates.ts";
import type { Handler } from "./handler.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly bodyLimit: number;
  readonly certificate: KeyPair;
}

export interface Listener {
  readonly port: number;
  use(certificate: KeyPair): void;
  /** Lets the requests under way finish, then closes; after `graceMs` connections are cut. */
  stop(graceMs: number): Promise<void>;
}

const LIMITS = { maxHeaderSize: 64 * 1024, requestTimeout: 60_000, headersTimeout: 30_000, keepAliveTimeout: 120_000 };

export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
  let isStopping = false;
  const { cert, key } = options.certificate;
  const server = createServer({ ...LIMITS, minVersion: "TLSv1.2", cert, key }, (request, response) => {
    if (isStopping) response.setHeader("connection", "close");
    void exchange(handler, request, response, options.bodyLimit);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    use: (certificate) => server.setSecureContext({ minVersion: "TLSv1.2", ...certificate }),
    stop: (graceMs) => {
      isStopping = true;
      return new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

async function exchange(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<void> {
  try {
    const { status, type, body } = await handler.handle({
      method: request.method ?? "GET",
      path: (request.url ?? "/").replace(/\?.*$/s, ""),
      contentType: request.headers["content-type"] ?? "",
      readBody: () => readBody(request, limit),
    });
    response.writeHead(status, { "content-type": type });
    response.end(body);
    // Callers read the answer only once they have sent all of the body, so the rest of it is taken and dropped.
    request.resume();
  } catch {
    // Only a broken connection gets here: the handler turns everything else into an answer.
    response.destroy();
  }
}

async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

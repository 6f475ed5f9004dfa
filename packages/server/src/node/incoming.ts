/** Requests as Node receives them, read for the app. */
import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { type ApiRequest, BodyTooLarge, ClientGone, type PeerCertificate } from "../http/exchange.ts";

/** HTTP/1 and HTTP/2 look alike as far as we use them. */
export type Incoming = IncomingMessage | Http2ServerRequest;

export function toRequest(incoming: Incoming, peer: PeerCertificate | undefined): ApiRequest {
  let values: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    method: incoming.method ?? "GET",
    target: originForm(incoming.url ?? "/"),
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    headerValues: (name) => {
      values ??= allValues(incoming);
      return values.get(name) ?? [];
    },
    headerNames: () => Object.keys(incoming.headers),
    readBody: (limit) => readBody(incoming, limit),
    peer,
    address: incoming.socket.remoteAddress,
  };
}

/** A target with scheme and host, as clients send it to proxies, is served as its path. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** By their lower-case names. Node joins some headers and drops repetitions of others; the raw list has them all. */
function allValues({ rawHeaders }: Incoming): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name, value] = [(rawHeaders[i] ?? "").toLowerCase(), rawHeaders[i + 1] ?? ""];
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/** Of one header. */
export function headerValues({ rawHeaders }: Incoming, name: string): string[] {
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

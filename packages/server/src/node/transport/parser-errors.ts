/**
 * Requests that Node's HTTP/1 parser refuses, answered as Go's server does. A method that the parser has never heard of is
 * a request like any other to Go, so it is read here and goes to the app, which knows what to say.
 */
import { METHODS, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { App } from "../../app/app.ts";
import { type ApiRequest, type ApiResponse, isStream, type PeerCertificate } from "../../http/exchange.ts";

interface ParserError extends Error {
  readonly code?: string;
  /** What the parser was given last. */
  readonly rawPacket?: Buffer;
  /** How much of it the parser took. */
  readonly bytesParsed?: number;
}

interface UnderWay {
  readonly request: { readonly complete: boolean };
  readonly answered: Promise<void>;
}

/** The last request of each connection: nothing else may be written before its answer. */
const underWay = new WeakMap<Socket, UnderWay>();

interface Answering {
  once(event: "close", listener: () => void): unknown;
}

/** To be called for each request of HTTP/1. */
export function noteRequest(socket: Socket, request: { readonly complete: boolean }, response: Answering): void {
  const answered = new Promise<void>((resolve) => {
    response.once("close", resolve);
  });
  underWay.set(socket, { request, answered });
}

/** For the server's `clientError` event. */
export function answerParserErrors(app: App | Promise<App>, peerOf: (socket: Socket) => PeerCertificate | undefined) {
  return (error: ParserError, socket: Socket): void => {
    // The parser complains again about whatever follows; the response is still on its way.
    if (ending.has(socket)) return;
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const head = error.code === "HPE_INVALID_METHOD" ? readHead(error) : undefined;
    const respond = (): void => {
      if (!socket.writable) socket.destroy();
      else if (head === undefined) endSoon(socket, refusal(error.code));
      else void answer(app, toRequest(head, socket, peerOf(socket)), socket);
    };
    const before = underWay.get(socket);
    // A request whose body is not all there is the one that cannot be read.
    if (before === undefined || !before.request.complete) respond();
    else void before.answered.then(respond);
  };
}

const LINGER_MS = 1_000;

/** Connections that have got their last response. */
const ending = new WeakSet<Socket>();

/**
 * Ends the connection after the last response. What the client still sends is read and dropped: closing with unread data
 * would reset the connection, and the client might lose the response.
 */
function endSoon(socket: Socket, last: string | Uint8Array): void {
  ending.add(socket);
  // Node's own listener throws if the connection was paused for a client that does not read.
  socket.removeAllListeners("data");
  socket.on("data", () => {});
  socket.on("error", () => {});
  socket.resume();
  socket.end(last);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

interface Head {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Undefined if it is not a request for Go either, or not complete. Earlier data in the packet was a separate request
 * and has been handled; where it ends is not certain enough to continue, so such a packet is refused.
 */
function readHead({ rawPacket, bytesParsed = 0 }: ParserError): Head | undefined {
  const text = rawPacket?.toString("latin1") ?? "";
  if (bytesParsed > text.search(/[ \r\n]|$/)) return;
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...fields] = text.slice(0, Math.max(0, end)).split("\r\n");
  const [method = "", target = "", protocol = "", ...rest] = line.split(" ");
  if (METHODS.includes(method)) return;
  if (!TOKEN.test(method) || !target.startsWith("/") || !/^HTTP\/1\.[01]$/.test(protocol) || rest.length > 0) return;
  const headers = fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, Math.max(0, colon)).toLowerCase(), field.slice(colon + 1).trim()] as const;
  });
  const isSound = headers.every(([name, value]) => TOKEN.test(name) && !FORBIDDEN.test(value));
  return isSound ? { method, target, headers } : undefined;
}

function toRequest({ method, target, headers }: Head, socket: Socket, peer: PeerCertificate | undefined): ApiRequest {
  const headerValues = (wanted: string): string[] =>
    headers.filter(([name]) => name === wanted).map(([, value]) => value);
  return {
    method,
    target,
    peer,
    headerValues,
    address: socket.remoteAddress,
    header: (name) => headerValues(name)[0],
    headerNames: () => [...new Set(headers.map(([name]) => name))],
    // No such method has a meaning that could need it.
    readBody: async () => new Uint8Array(),
  };
}

/** The following data cannot be distinguished from a body, so the connection ends here. */
async function answer(app: App | Promise<App>, request: ApiRequest, socket: Socket): Promise<void> {
  try {
    const response = await (await app).handle(request);
    const body = isStream(response.body) ? "" : Buffer.from(response.body);
    socket.write(headOf(response, body.length), "latin1");
    endSoon(socket, body);
  } catch {
    socket.destroy();
  }
}

function headOf({ status, headers }: ApiResponse, length: number): string {
  const lines = headers.map(([name, value]) => `${name}: ${Buffer.from(value).toString("latin1")}`);
  const own = [`Date: ${new Date().toUTCString()}`, `Content-Length: ${length}`, "Connection: close"];
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, ...own, "", ""].join("\r\n");
}

function refusal(code: string | undefined): string {
  const status = code === "HPE_HEADER_OVERFLOW" ? 431 : code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const text = `${status} ${STATUS_CODES[status]}`;
  return `HTTP/1.1 ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`;
}

/** Sends the app's responses: whole ones at once, unlimited ones as far as the client takes them. */
import { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiResponse, StreamBody } from "../http/exchange.ts";
import type { Incoming } from "./incoming.ts";

export interface Outgoing {
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

/** How to end unlimited responses. */
export type Streams = Set<() => void>;

export interface WholeContext {
  readonly incoming: Incoming;
  readonly outgoing: Outgoing;
  readonly stallMs: number;
}

export interface StreamContext {
  readonly streams: Streams;
  readonly stallMs: number;
}

/** So much is encrypted and written at once. */
const PIECE = 256 * 1024;

/** With one list of headers and a length HTTP/1 has the least to do. */
export function sendWhole(
  response: ApiResponse,
  body: string | Uint8Array,
  { incoming, outgoing, stallMs }: WholeContext,
): void {
  // Bytes: with a text, Node would write the headers in the text's encoding.
  const bytes = incoming.method === "HEAD" ? undefined : bytesOf(body);
  if (!(outgoing instanceof ServerResponse)) sendHead(response, incoming, outgoing);
  else {
    const head = response.headers.flatMap(([name, value]) => [name, headerBytes(value)]);
    if (bytes !== undefined && !BODILESS.has(response.status)) head.push("Content-Length", String(bytes.length));
    if (!incoming.complete) head.push("Connection", "close");
    outgoing.writeHead(response.status, head);
  }
  if (bytes === undefined || bytes.length <= PIECE) outgoing.end(bytes);
  else void sendPieces(bytes, outgoing, stallMs);
}

/** As the client takes them, so that others are served meanwhile. */
async function sendPieces(bytes: Buffer, outgoing: Outgoing, stallMs: number): Promise<void> {
  let isOpen = true;
  const flow = new Flow(outgoing, stallMs, () => outgoing.destroy());
  outgoing.once("close", () => {
    isOpen = false;
    flow.stop();
  });
  for (let at = 0; at < bytes.length && isOpen; at += PIECE) {
    flow.write(bytes.subarray(at, at + PIECE));
    await flow.drained();
    await nextTurn();
  }
  if (isOpen) outgoing.end();
}

/** Large bodies are not copied. */
function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

const BODILESS: ReadonlySet<number> = new Set([204, 304]);

export function sendHead({ status, headers }: ApiResponse, incoming: Incoming, outgoing: Outgoing): void {
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
export function sendStream(body: StreamBody, outgoing: Outgoing, { streams, stallMs }: StreamContext): void {
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

/**
 * gRPC over one HTTP/2 connection, as much of it as etcd needs: unary calls and streams of uncompressed messages. The
 * connection is made when it is needed, and again after it was lost.
 */
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { CallStatus, frameMessage, messageFrames, UnaryCall } from "./call.ts";
import { encodeHeaders } from "./hpack.ts";
import { CODE } from "./http2-frames.ts";
import { Http2Session } from "./http2-session.ts";
import type { Http2Stream } from "./http2-stream.ts";
import { RpcError, UNAVAILABLE } from "./rpc-error.ts";

/** A member that does not complete the connection in this time is not reachable. */
const CONNECT_MS = 5_000;
/** After a failure, the next attempt to connect is made no earlier. */
const RECONNECT_MS = 50;
/** etcd closes connections that send pings more often than every five seconds. */
const PING_EVERY_MS = 10_000;
const PING_TIMEOUT_MS = 3_000;
export interface StreamReceiver {
  message(bytes: Buffer): void;
  /** Called once, at the end; nothing follows. */
  ended(error: RpcError): void;
}

export interface OpenStream {
  send(message: Buffer): void;
  /** Nothing is received after it. */
  cancel(): void;
}

export interface ChannelOptions extends ConnectionOptions {
  /** In place of a connection to the origin. */
  readonly createConnection?: () => Socket;
}

export class Channel {
  readonly #origin: URL;
  readonly #options: ChannelOptions;
  readonly #headers = new HeaderBlocks();
  #session: Http2Session | undefined;
  #connecting: Promise<Http2Session> | undefined;
  #failure: { readonly error: RpcError; readonly at: number } | undefined;
  #isClosed = false;

  constructor(origin: string, options: ChannelOptions = {}) {
    this.#origin = new URL(origin);
    this.#options = options;
  }

  async unary(path: string, message: Buffer, timeout: number): Promise<Buffer> {
    const session = this.#usable;
    if (session !== undefined) return this.#ask(session, path, message, Math.max(1, Math.ceil(timeout)));
    const began = performance.now();
    const connected = await this.#connected(timeout);
    const left = timeout - (performance.now() - began);
    return this.#ask(connected, path, message, Math.max(1, Math.ceil(left)));
  }

  #ask(session: Http2Session, path: string, message: Buffer, timeout: number): Promise<Buffer> {
    const headers = this.#headersOf(path, { "grpc-timeout": `${timeout}m` });
    return new Promise((resolve, reject) => {
      const call = new UnaryCall(timeout, resolve, reject);
      call.stream = session.request(headers, call);
      call.stream.end(frameMessage(message));
    });
  }

  openStream(path: string, headers: Readonly<Record<string, string>>, receiver: StreamReceiver): OpenStream {
    let stream: Http2Stream | undefined;
    let isOver = false;
    const unsent: Buffer[] = [];
    const end = (error: RpcError): void => {
      if (isOver) return;
      isOver = true;
      receiver.ended(error);
    };
    const frames = messageFrames((bytes) => {
      if (!isOver) receiver.message(bytes);
    });
    const status = new CallStatus();
    this.#connected(CONNECT_MS).then((session) => {
      if (isOver) return;
      stream = session.request(this.#headersOf(path, headers), {
        headers: (fields) => status.note(fields),
        data: (bytes) => frames.add(bytes),
        closed: (closed) => end(status.errorOf(closed) ?? new RpcError(UNAVAILABLE, "the stream ended")),
      });
      for (const message of unsent.splice(0)) stream.write(frameMessage(message));
    }, end);
    return {
      send: (message) => {
        if (stream === undefined) unsent.push(message);
        else if (!isOver) stream.write(frameMessage(message));
      },
      cancel: () => {
        isOver = true;
        stream?.reset(CODE.cancel);
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#session?.destroy();
  }

  #headersOf(path: string, headers: Readonly<Record<string, string>>): Buffer {
    const { protocol, host } = this.#origin;
    return this.#headers.encode({
      ":method": "POST",
      ":scheme": protocol.slice(0, -1),
      ":authority": host,
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
  }

  get #usable(): Http2Session | undefined {
    return this.#session?.isUsable === true ? this.#session : undefined;
  }

  /** Rejects with an error that says that nothing was sent. */
  async #connected(timeout: number): Promise<Http2Session> {
    if (this.#isClosed) throw notConnected("the connection is closed");
    const usable = this.#usable;
    if (usable !== undefined) return usable;
    if (this.#failure !== undefined && performance.now() - this.#failure.at < RECONNECT_MS) throw this.#failure.error;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return inTime(this.#connecting, timeout);
  }

  #connect(): Promise<Http2Session> {
    return new Promise((resolve, reject) => {
      const socket = this.#open();
      const timer = setTimeout(() => fail(new Error("the connection takes too long")), CONNECT_MS);
      const fail = (cause: Error | undefined): void => {
        clearTimeout(timer);
        socket.destroy();
        const error = notConnected(cause?.message ?? "the connection was closed");
        this.#failure = { error, at: performance.now() };
        reject(error);
      };
      const closed = (): void => fail(undefined);
      socket.once("error", fail);
      socket.once("close", closed);
      socket.once(this.#isSecure ? "secureConnect" : "connect", () => {
        clearTimeout(timer);
        if (this.#isClosed) {
          fail(undefined);
          return;
        }
        socket.off("error", fail);
        socket.off("close", closed);
        socket.setNoDelay(true);
        this.#session = newSession(socket);
        resolve(this.#session);
      });
    });
  }

  get #isSecure(): boolean {
    return this.#origin.protocol === "https:";
  }

  #open(): Socket {
    const { createConnection, ...options } = this.#options;
    if (createConnection !== undefined) return createConnection();
    const { hostname, port } = this.#origin;
    const host = hostname.replace(/^\[|\]$/g, "");
    const address = { host, port: Number(port === "" ? (this.#isSecure ? 443 : 80) : port) };
    if (!this.#isSecure) return connectPlain(address);
    return connectTls({ ...address, ...(isIP(host) === 0 && { servername: host }), ALPNProtocols: ["h2"], ...options });
  }
}

/** Calls that follow each other have the same headers. */
class HeaderBlocks {
  readonly #known = new Map<string, Buffer>();

  encode(headers: Readonly<Record<string, string>>): Buffer {
    const key = `${headers[":path"]}\n${headers["grpc-timeout"]}`;
    let block = this.#known.get(key);
    if (block === undefined) {
      block = encodeHeaders(headers);
      if (this.#known.size >= KNOWN_HEADERS) this.#known.clear();
      this.#known.set(key, block);
    }
    return block;
  }
}

const KNOWN_HEADERS = 100;

/** A peer that does not answer pings has disappeared. Without a call etcd allows no pings, and nobody waits. */
function newSession(socket: Socket): Http2Session {
  const session = new Http2Session(socket, () => clearInterval(timer));
  const timer = setInterval(() => {
    if (!session.isBusy) return;
    const deadline = setTimeout(() => session.destroy(new Error("no answer to a ping")), PING_TIMEOUT_MS);
    session.ping(() => clearTimeout(deadline));
  }, PING_EVERY_MS);
  timer.unref();
  return session;
}

async function inTime<T>(promise: Promise<T>, timeout: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notConnected("the connection takes too long")), timeout);
  });
  try {
    return await Promise.race([promise, isOver]);
  } finally {
    clearTimeout(timer);
  }
}

function notConnected(reason: string): RpcError {
  return new RpcError(UNAVAILABLE, reason, { wasSent: false });
}

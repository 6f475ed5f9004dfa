/**
 * gRPC over one HTTP/2 connection, as much of it as etcd needs: unary calls and streams of uncompressed messages. The
 * connection is made when it is needed, and again after it was lost.
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type SecureClientSessionOptions,
} from "node:http2";
import { type FrameHeader, Frames } from "./frames.ts";
import { DEADLINE_EXCEEDED, RpcError, UNAVAILABLE, UNKNOWN } from "./rpc-error.ts";

/** A member that does not complete the connection in this time is not reachable. */
const CONNECT_MS = 5_000;
/** After a failure, the next attempt to connect is made no earlier. */
const RECONNECT_MS = 50;
/** etcd closes connections that send pings more often than every five seconds. */
const PING_EVERY_MS = 10_000;
const PING_TIMEOUT_MS = 3_000;
/** What etcd may send before it is read: pages of large objects and bursts of events. */
const STREAM_WINDOW = 1 << 20;
const CONNECTION_WINDOW = 8 << 20;
/** A byte that says whether the message is compressed, and its length. */
const HEADER: FrameHeader = { bytes: 5, lengthOf: (header) => header.readUInt32BE(1) };

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

export class Channel {
  readonly #origin: string;
  readonly #options: SecureClientSessionOptions;
  #session: ClientHttp2Session | undefined;
  #connecting: Promise<ClientHttp2Session> | undefined;
  #failure: { readonly error: RpcError; readonly at: number } | undefined;
  /** Calls and streams that are open. */
  #calls = 0;
  #isClosed = false;

  constructor(origin: string, options: SecureClientSessionOptions = {}) {
    this.#origin = origin;
    this.#options = options;
  }

  async unary(path: string, message: Buffer, timeout: number): Promise<Buffer> {
    const began = performance.now();
    const session = this.#usable ?? (await this.#connected(timeout));
    const left = Math.max(1, Math.ceil(timeout - (performance.now() - began)));
    const stream = this.#request(session, { ...requestHeaders(path), "grpc-timeout": `${left}m` });
    return new Promise((resolve, reject) => completeUnary(stream, { message, timeout: left, resolve, reject }));
  }

  openStream(path: string, headers: Readonly<Record<string, string>>, receiver: StreamReceiver): OpenStream {
    let stream: ClientHttp2Stream | undefined;
    let isOver = false;
    const unsent: Buffer[] = [];
    const end = (error: RpcError): void => {
      if (isOver) return;
      isOver = true;
      receiver.ended(error);
    };
    const frames = new Frames(HEADER, (bytes) => {
      if (!isOver) receiver.message(bytes);
    });
    this.#connected(CONNECT_MS).then((session) => {
      if (isOver) return;
      stream = this.#request(session, { ...requestHeaders(path), ...headers });
      stream.on("data", (chunk: Buffer) => frames.add(chunk));
      onEnd(stream, (status) => end(errorOf(status) ?? new RpcError(UNAVAILABLE, "the stream ended")));
      for (const message of unsent.splice(0)) stream.write(frameMessage(message));
    }, end);
    return {
      send: (message) => {
        if (stream === undefined) unsent.push(message);
        else if (!isOver) stream.write(frameMessage(message));
      },
      cancel: () => {
        isOver = true;
        stream?.close(constants.NGHTTP2_CANCEL);
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#session?.destroy();
  }

  #request(session: ClientHttp2Session, headers: Readonly<Record<string, string>>): ClientHttp2Stream {
    const stream = session.request(headers);
    this.#calls++;
    stream.once("close", () => this.#calls--);
    return stream;
  }

  get #usable(): ClientHttp2Session | undefined {
    const session = this.#session;
    return session === undefined || session.closed || session.destroyed ? undefined : session;
  }

  /** Rejects with an error that says that nothing was sent. */
  async #connected(timeout: number): Promise<ClientHttp2Session> {
    if (this.#isClosed) throw notConnected("the connection is closed");
    const usable = this.#usable;
    if (usable !== undefined) return usable;
    if (this.#failure !== undefined && performance.now() - this.#failure.at < RECONNECT_MS) throw this.#failure.error;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return inTime(this.#connecting, timeout);
  }

  #connect(): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      const settings = { enablePush: false, initialWindowSize: STREAM_WINDOW };
      const session = connect(this.#origin, { ...this.#options, settings });
      const timer = setTimeout(() => fail(new Error("the connection takes too long")), CONNECT_MS);
      const fail = (cause: Error | undefined): void => {
        clearTimeout(timer);
        session.destroy();
        if (this.#session === session) return;
        const error = notConnected(cause?.message ?? "the connection was closed");
        this.#failure = { error, at: performance.now() };
        reject(error);
      };
      session.once("connect", () => {
        clearTimeout(timer);
        if (this.#isClosed) {
          fail(undefined);
          return;
        }
        session.setLocalWindowSize(CONNECTION_WINDOW);
        keepAlive(session, () => this.#calls > 0);
        this.#session = session;
        resolve(session);
      });
      // Streams report the errors of their session too.
      session.on("error", fail);
      session.once("close", () => fail(undefined));
    });
  }
}

interface UnaryCall {
  readonly message: Buffer;
  readonly timeout: number;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: RpcError) => void;
}

function completeUnary(stream: ClientHttp2Stream, { message, timeout, resolve, reject }: UnaryCall): void {
  let answer: Buffer | undefined;
  const frames = new Frames(HEADER, (bytes) => {
    answer = bytes;
  });
  const timer = setTimeout(() => {
    stream.close(constants.NGHTTP2_CANCEL);
    reject(new RpcError(DEADLINE_EXCEEDED, `no answer within ${timeout} ms`));
  }, timeout);
  stream.on("data", (chunk: Buffer) => frames.add(chunk));
  onEnd(stream, (status) => {
    clearTimeout(timer);
    const error = errorOf(status);
    if (error !== undefined) reject(error);
    else if (answer === undefined) reject(new RpcError(UNKNOWN, "an answer without a message"));
    else resolve(answer);
  });
  stream.end(frameMessage(message));
}

/** What is known when a stream is over. */
interface StreamStatus {
  /** Those with the status, which come last; undefined if the stream broke off. */
  readonly trailers: IncomingHttpHeaders | undefined;
  readonly httpStatus: number | undefined;
  readonly error: Error | undefined;
  readonly resetCode: number | undefined;
}

function onEnd(stream: ClientHttp2Stream, ended: (status: StreamStatus) => void): void {
  let [isOver, httpStatus, error] = [false, undefined as number | undefined, undefined as Error | undefined];
  const end = (trailers: IncomingHttpHeaders | undefined): void => {
    if (isOver) return;
    isOver = true;
    ended({ trailers, httpStatus, error, resetCode: stream.rstCode });
  };
  stream.on("response", (headers) => {
    httpStatus = headers[":status"];
    // A call that is refused at once has its status in the first headers.
    if (headers["grpc-status"] !== undefined) end(headers);
  });
  // Trailers come after all data was read.
  stream.on("trailers", end);
  stream.on("error", (reason: Error) => {
    error = reason;
  });
  stream.on("close", () => end(undefined));
}

function errorOf({ trailers, httpStatus, error, resetCode }: StreamStatus): RpcError | undefined {
  const code = trailers?.["grpc-status"];
  if (code === "0") return undefined;
  if (code !== undefined) return new RpcError(Number(code), decodeMessage(String(trailers?.["grpc-message"] ?? "")));
  const wasSent = resetCode !== constants.NGHTTP2_REFUSED_STREAM;
  if (error !== undefined) return new RpcError(UNAVAILABLE, error.message, { wasSent });
  if (httpStatus !== undefined && httpStatus !== 200) return new RpcError(UNAVAILABLE, `HTTP status ${httpStatus}`);
  return new RpcError(UNAVAILABLE, "the connection was lost", { wasSent });
}

/** A peer that does not answer pings has disappeared. Without a call etcd allows no pings, and nobody waits. */
function keepAlive(session: ClientHttp2Session, isBusy: () => boolean): void {
  const timer = setInterval(() => {
    if (!isBusy()) return;
    const deadline = setTimeout(() => session.destroy(new Error("no answer to a ping")), PING_TIMEOUT_MS);
    const isSent = session.ping(() => clearTimeout(deadline));
    if (!isSent) clearTimeout(deadline);
  }, PING_EVERY_MS);
  timer.unref();
  session.once("close", () => clearInterval(timer));
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

function frameMessage(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER.bytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, HEADER.bytes);
  return frame;
}

function requestHeaders(path: string): Record<string, string> {
  return { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
}

function notConnected(reason: string): RpcError {
  return new RpcError(UNAVAILABLE, reason, { wasSent: false });
}

/** Texts of errors are percent-encoded. */
function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Calls and their messages on an HTTP/2 connection. */
import { type FrameHeader, Frames } from "./frames.ts";
import type { HeaderFields } from "./hpack.ts";
import { CODE } from "./http2-frames.ts";
import type { Http2Stream, StreamEnd, StreamHandler } from "./http2-stream.ts";
import { DEADLINE_EXCEEDED, RpcError, UNAVAILABLE, UNKNOWN } from "./rpc-error.ts";

/** A byte that says whether the message is compressed, and its length. */
const HEADER: FrameHeader = { bytes: 5, lengthOf: (header) => header.readUInt32BE(1) };

export function messageFrames(handle: (message: Buffer) => void): Frames {
  return new Frames(HEADER, handle);
}

export function frameMessage(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER.bytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, HEADER.bytes);
  return frame;
}

/** A call with one message each way. */
export class UnaryCall implements StreamHandler {
  readonly #resolve: (bytes: Buffer) => void;
  readonly #reject: (error: RpcError) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #status = new CallStatus();
  readonly #frames = messageFrames((bytes) => {
    this.#answer = bytes;
  });
  #answer: Buffer | undefined;
  stream: Http2Stream | undefined;

  constructor(timeout: number, resolve: (bytes: Buffer) => void, reject: (error: RpcError) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => {
      this.#reject(new RpcError(DEADLINE_EXCEEDED, `no answer within ${timeout} ms`));
      this.stream?.reset(CODE.cancel);
    }, timeout);
  }

  headers(fields: HeaderFields): void {
    this.#status.note(fields);
  }

  data(bytes: Buffer): void {
    this.#frames.add(bytes);
  }

  closed(end: StreamEnd): void {
    clearTimeout(this.#timer);
    const error = this.#status.errorOf(end);
    if (error !== undefined) this.#reject(error);
    else if (this.#answer === undefined) this.#reject(new RpcError(UNKNOWN, "an answer without a message"));
    else this.#resolve(this.#answer);
  }
}

/** How a call went, by its headers and trailers. */
export class CallStatus {
  #httpStatus: string | undefined;
  #code: string | undefined;
  #message = "";

  note(fields: HeaderFields): void {
    this.#httpStatus ??= fields.get(":status");
    this.#code = fields.get("grpc-status") ?? this.#code;
    this.#message = fields.get("grpc-message") ?? this.#message;
  }

  /** Undefined if it succeeded. */
  errorOf({ resetCode, error }: StreamEnd): RpcError | undefined {
    const [code, httpStatus] = [this.#code, this.#httpStatus];
    if (code === "0") return undefined;
    if (code !== undefined) return new RpcError(Number(code), decodeMessage(this.#message));
    const wasSent = resetCode !== CODE.refusedStream;
    if (error !== undefined) return new RpcError(UNAVAILABLE, error.message, { wasSent });
    if (httpStatus !== undefined && httpStatus !== "200") return new RpcError(UNAVAILABLE, `HTTP status ${httpStatus}`);
    return new RpcError(UNAVAILABLE, "the connection was lost", { wasSent });
  }
}

/** Texts of errors are percent-encoded. */
function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

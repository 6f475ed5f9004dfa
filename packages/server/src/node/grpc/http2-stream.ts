/** One request on an HTTP/2 connection: what of it is still to be sent, and who hears of its answer. */
import type { HeaderFields } from "./hpack.ts";

export interface StreamHandler {
  /** The headers of the answer, and its trailers. */
  headers(fields: HeaderFields): void;
  data(bytes: Buffer): void;
  /** Called once; nothing follows. */
  closed(end: StreamEnd): void;
}

export interface StreamEnd {
  /** Set if one side has reset the stream. */
  readonly resetCode?: number;
  /** Set if the connection is lost. */
  readonly error?: Error | undefined;
}

/** What a stream needs of its connection. */
export interface StreamConnection {
  send(stream: Http2Stream): void;
  reset(stream: Http2Stream, code: number): void;
}

export class Http2Stream {
  readonly headers: Buffer;
  readonly #connection: StreamConnection;
  readonly #handler: StreamHandler;
  readonly #unsent: Buffer[] = [];
  #isEnding = false;
  #isOver = false;
  /** 0 until the peer has room for it. */
  id = 0;
  /** So many bytes the peer takes before it says more. */
  window = 0;
  /** Bytes received since the last window update. */
  taken = 0;

  constructor(connection: StreamConnection, headers: Buffer, handler: StreamHandler) {
    this.#connection = connection;
    this.headers = headers;
    this.#handler = handler;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether all was sent, the end included. */
  get isSent(): boolean {
    return this.#isEnding && this.#unsent.length === 0;
  }

  write(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#unsent.push(bytes);
    this.#connection.send(this);
  }

  end(bytes: Buffer): void {
    this.#isEnding = true;
    this.write(bytes);
  }

  reset(code: number): void {
    if (!this.#isOver) this.#connection.reset(this, code);
  }

  get hasUnsent(): boolean {
    return this.#unsent.length > 0;
  }

  /** The next part that is to be sent, and no longer than this. */
  take(length: number): Buffer {
    const first = this.#unsent[0] as Buffer;
    if (first.length <= length) {
      this.#unsent.shift();
      return first;
    }
    this.#unsent[0] = first.subarray(length);
    return first.subarray(0, length);
  }

  receiveHeaders(fields: HeaderFields): void {
    if (!this.#isOver) this.#handler.headers(fields);
  }

  receiveData(bytes: Buffer): void {
    if (!this.#isOver) this.#handler.data(bytes);
  }

  close(end: StreamEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.closed(end);
  }
}

/**
 * The client's end of an HTTP/2 connection (RFC 9113), as much of it as gRPC needs. A request takes a fraction of the
 * processor time that it takes with Node's own client, and requests of one turn are sent together.
 */
import type { Socket } from "node:net";
import { HeaderDecoder } from "./hpack.ts";
import {
  CODE,
  contentOf,
  DEFAULT_MAX_FRAME,
  DEFAULT_WINDOW,
  FLAG,
  FRAME,
  type Frame,
  FrameReader,
  frameHeader,
  PREFACE,
  resetStream,
  SETTING,
  settings,
  settingsOf,
  uint31,
  windowUpdate,
} from "./http2-frames.ts";
import { Http2Stream, type StreamConnection, type StreamHandler } from "./http2-stream.ts";

/** What the peer may send before it is read: pages of large objects and bursts of events. */
const STREAM_WINDOW = 1 << 20;
const CONNECTION_WINDOW = 8 << 20;
/** Numbers of streams end a little later; before that another connection is made. */
const LAST_STREAM = 2 ** 31 - 2 ** 20;
/** All fields of one answer together. */
const MAX_HEADERS = 1 << 20;
const PING = Buffer.alloc(8);

export class Http2Session {
  readonly #socket: Socket;
  readonly #closed: (error: Error | undefined) => void;
  readonly #decoder = new HeaderDecoder();
  readonly #streams = new Map<number, Http2Stream>();
  /** Streams that wait until the peer takes more at once. */
  #waiting: Http2Stream[] = [];
  /** Streams that wait until the peer takes more bytes. */
  readonly #blocked = new Set<Http2Stream>();
  readonly #pings: (() => void)[] = [];
  #outgoing: Buffer[] = [];
  #lastStream = -1;
  #maxStreams = Number.POSITIVE_INFINITY;
  #maxFrame: number = DEFAULT_MAX_FRAME;
  #initialWindow: number = DEFAULT_WINDOW;
  #window: number = DEFAULT_WINDOW;
  /** Bytes received since the last window update. */
  #taken = 0;
  /** Parts of a header block that is not complete, and the frame that began it. */
  #block: { readonly first: Frame; readonly parts: Buffer[] } | undefined;
  #isGoingAway = false;
  #isDestroyed = false;

  /** The socket is connected. `closed` is called once. */
  constructor(socket: Socket, closed: (error: Error | undefined) => void) {
    this.#socket = socket;
    this.#closed = closed;
    const reader = new FrameReader((frame) => {
      if (!this.#isDestroyed) this.#receive(frame);
    });
    socket.on("data", (chunk: Buffer) => {
      try {
        reader.add(chunk);
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
    const own = [
      [SETTING.headerTable, 0],
      [SETTING.push, 0],
      [SETTING.initialWindow, STREAM_WINDOW],
    ] as const;
    this.#send(PREFACE, settings(own), windowUpdate(0, CONNECTION_WINDOW - DEFAULT_WINDOW));
  }

  /** Whether new requests may be made. */
  get isUsable(): boolean {
    return !this.#isDestroyed && !this.#isGoingAway && this.#lastStream < LAST_STREAM;
  }

  /** Whether an answer is awaited. */
  get isBusy(): boolean {
    return this.#streams.size > 0 || this.#waiting.length > 0;
  }

  /** The headers are a block of `encodeHeaders`. */
  request(headers: Buffer, handler: StreamHandler): Http2Stream {
    const stream = new Http2Stream(this.#connection, headers, handler);
    if (this.#streams.size < this.#maxStreams) this.#begin(stream);
    else this.#waiting.push(stream);
    return stream;
  }

  ping(answered: () => void): void {
    this.#pings.push(answered);
    this.#send(frameHeader(FRAME.ping, 0, 0, PING.length), PING);
  }

  destroy(error?: Error): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#socket.destroy();
    const all = [...this.#streams.values(), ...this.#waiting];
    this.#streams.clear();
    this.#waiting = [];
    for (const stream of all) stream.close(stream.id === 0 ? { resetCode: CODE.refusedStream } : { error });
    this.#closed(error);
  }

  readonly #connection: StreamConnection = {
    send: (stream) => this.#sendBody(stream),
    reset: (stream, resetCode) => {
      if (stream.id > 0) this.#send(resetStream(stream.id, resetCode));
      this.#remove(stream);
      stream.close({ resetCode });
    },
  };

  #begin(stream: Http2Stream): void {
    this.#lastStream += 2;
    stream.id = this.#lastStream;
    stream.window = this.#initialWindow;
    this.#streams.set(stream.id, stream);
    const { headers } = stream;
    this.#send(frameHeader(FRAME.headers, FLAG.endHeaders, stream.id, headers.length), headers);
    this.#sendBody(stream);
  }

  #sendBody(stream: Http2Stream): void {
    if (stream.id === 0) return;
    while (stream.hasUnsent) {
      const room = Math.min(this.#window, stream.window, this.#maxFrame);
      if (room <= 0) {
        this.#blocked.add(stream);
        return;
      }
      const part = stream.take(room);
      stream.window -= part.length;
      this.#window -= part.length;
      const flags = stream.isSent ? FLAG.endStream : 0;
      this.#send(frameHeader(FRAME.data, flags, stream.id, part.length), part);
    }
    this.#blocked.delete(stream);
  }

  /** All that is sent in one turn is written at once. */
  #send(...parts: readonly Buffer[]): void {
    if (this.#isDestroyed) return;
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(...parts);
  }

  #flush(): void {
    const parts = this.#outgoing;
    this.#outgoing = [];
    if (!this.#isDestroyed) this.#socket.write(Buffer.concat(parts));
  }

  #receive(frame: Frame): void {
    if (this.#block !== undefined && frame.type !== FRAME.continuation)
      throw new Error("headers that were not completed");
    this.#receivers[frame.type]?.(frame);
  }

  /** By type; others are of extensions, and ignored. */
  readonly #receivers: Readonly<Record<number, (frame: Frame) => void>> = {
    [FRAME.data]: (frame) => this.#receiveData(frame),
    [FRAME.headers]: (frame) => {
      this.#block = { first: frame, parts: [contentOf(frame)] };
      this.#completeHeaders(frame);
    },
    [FRAME.continuation]: (frame) => {
      this.#block?.parts.push(frame.payload);
      this.#completeHeaders(frame);
    },
    [FRAME.resetStream]: ({ stream, payload }) => this.#close(stream, uint31(payload)),
    [FRAME.settings]: (frame) => this.#receiveSettings(frame),
    [FRAME.ping]: (frame) => this.#receivePing(frame),
    [FRAME.goAway]: ({ payload }) => this.#goAway(uint31(payload)),
    [FRAME.windowUpdate]: ({ stream, payload }) => this.#widen(stream, uint31(payload)),
    [FRAME.pushPromise]: () => {
      throw new Error("a push that was not allowed");
    },
  };

  #receiveData(frame: Frame): void {
    const { length } = frame.payload;
    this.#taken += length;
    if (this.#taken > CONNECTION_WINDOW / 2) {
      this.#send(windowUpdate(0, this.#taken));
      this.#taken = 0;
    }
    const stream = this.#streams.get(frame.stream);
    if (stream === undefined) return;
    stream.receiveData(contentOf(frame));
    if ((frame.flags & FLAG.endStream) !== 0) {
      this.#end(stream);
      return;
    }
    stream.taken += length;
    if (stream.taken <= STREAM_WINDOW / 2 || stream.isOver) return;
    this.#send(windowUpdate(stream.id, stream.taken));
    stream.taken = 0;
  }

  #completeHeaders({ flags }: Frame): void {
    if (this.#block === undefined) throw new Error("a part of headers that did not begin");
    const { first, parts } = this.#block;
    if (parts.reduce((sum, { length }) => sum + length, 0) > MAX_HEADERS) throw new Error("headers that are too long");
    if ((flags & FLAG.endHeaders) === 0) return;
    this.#block = undefined;
    const fields = this.#decoder.decode(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    const stream = this.#streams.get(first.stream);
    stream?.receiveHeaders(fields);
    if (stream !== undefined && (first.flags & FLAG.endStream) !== 0) this.#end(stream);
  }

  /** The peer has said all. What it did not hear to the end, it need not. */
  #end(stream: Http2Stream): void {
    if (!stream.isSent && !stream.isOver) this.#send(resetStream(stream.id, CODE.cancel));
    this.#remove(stream);
    stream.close({});
  }

  #close(id: number, resetCode: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#remove(stream);
    stream.close({ resetCode });
  }

  #remove(stream: Http2Stream): void {
    this.#streams.delete(stream.id);
    this.#blocked.delete(stream);
    if (stream.id === 0) this.#waiting = this.#waiting.filter((each) => each !== stream);
    if (this.#isGoingAway && this.#streams.size === 0) this.destroy();
    else this.#beginWaiting();
  }

  #beginWaiting(): void {
    while (this.#streams.size < this.#maxStreams && !this.#isGoingAway) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#begin(next);
    }
  }

  #receiveSettings({ flags, payload }: Frame): void {
    if ((flags & FLAG.acknowledge) !== 0) return;
    const values = settingsOf(payload);
    this.#maxStreams = values.get(SETTING.maxStreams) ?? this.#maxStreams;
    this.#maxFrame = values.get(SETTING.maxFrame) ?? this.#maxFrame;
    const window = values.get(SETTING.initialWindow) ?? this.#initialWindow;
    for (const stream of this.#streams.values()) stream.window += window - this.#initialWindow;
    this.#initialWindow = window;
    this.#send(frameHeader(FRAME.settings, FLAG.acknowledge, 0, 0));
    for (const stream of [...this.#blocked]) this.#sendBody(stream);
    this.#beginWaiting();
  }

  #receivePing({ flags, payload }: Frame): void {
    if ((flags & FLAG.acknowledge) !== 0) this.#pings.shift()?.();
    else this.#send(frameHeader(FRAME.ping, FLAG.acknowledge, 0, payload.length), payload);
  }

  /** Later requests were not looked at; those before are still answered. */
  #goAway(last: number): void {
    this.#isGoingAway = true;
    const refused = [...this.#streams.values()].filter(({ id }) => id > last);
    const unsent = this.#waiting;
    this.#waiting = [];
    for (const stream of refused) this.#streams.delete(stream.id);
    for (const stream of [...refused, ...unsent]) stream.close({ resetCode: CODE.refusedStream });
    if (this.#streams.size === 0) this.destroy();
  }

  #widen(id: number, bytes: number): void {
    const stream = this.#streams.get(id);
    if (id === 0) this.#window += bytes;
    else if (stream !== undefined) stream.window += bytes;
    for (const each of id === 0 ? [...this.#blocked] : stream ? [stream] : []) this.#sendBody(each);
  }
}

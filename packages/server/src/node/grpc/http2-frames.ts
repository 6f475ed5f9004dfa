/** Frames of HTTP/2 (RFC 9113) as bytes. */

// biome-ignore format: a table
export const FRAME = { data: 0, headers: 1, resetStream: 3, settings: 4, pushPromise: 5, ping: 6, goAway: 7, windowUpdate: 8, continuation: 9 } as const;
export const FLAG = { endStream: 1, acknowledge: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;
export const SETTING = { headerTable: 1, push: 2, maxStreams: 3, initialWindow: 4, maxFrame: 5 } as const;
export const CODE = { protocolError: 1, refusedStream: 7, cancel: 8 } as const;

export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
export const [DEFAULT_WINDOW, DEFAULT_MAX_FRAME] = [65_535, 16_384] as const;
const HEADER_BYTES = 9;
/** Of numbers with a reserved first bit. */
const MASK_31 = 0x7f_ff_ff_ff;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frameHeader(type: number, flags: number, stream: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUIntBE(length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return header;
}

export function windowUpdate(stream: number, bytes: number): Buffer {
  return Buffer.concat([frameHeader(FRAME.windowUpdate, 0, stream, 4), uint32(bytes)]);
}

export function resetStream(stream: number, code: number): Buffer {
  return Buffer.concat([frameHeader(FRAME.resetStream, 0, stream, 4), uint32(code)]);
}

export function settings(values: readonly (readonly [setting: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(values.length * 6);
  values.forEach(([setting, value], index) => {
    payload.writeUInt16BE(setting, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  });
  return Buffer.concat([frameHeader(FRAME.settings, 0, 0, payload.length), payload]);
}

export function settingsOf(payload: Buffer): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (let at = 0; at + 6 <= payload.length; at += 6)
    values.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
  return values;
}

export function uint31(payload: Buffer, at = 0): number {
  return payload.readUInt32BE(at) & MASK_31;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** What is left of the payload of DATA and HEADERS without padding and priority. */
export function contentOf({ flags, payload, type }: Frame): Buffer {
  const isPadded = (flags & FLAG.padded) !== 0;
  const padding = isPadded ? (payload[0] ?? 0) : 0;
  const start = (isPadded ? 1 : 0) + (type === FRAME.headers && (flags & FLAG.priority) !== 0 ? 5 : 0);
  const end = payload.length - padding;
  if (start > end) throw new Error("a frame with more padding than content");
  return payload.subarray(start, end);
}

/** Puts frames together from chunks that begin and end anywhere. */
export class FrameReader {
  readonly #handle: (frame: Frame) => void;
  #rest: Buffer = Buffer.alloc(0);
  /** Chunks of a frame that is not complete, and how many bytes it has. */
  #waiting: Buffer[] = [];
  #size = 0;
  #wanted = HEADER_BYTES;

  constructor(handle: (frame: Frame) => void) {
    this.#handle = handle;
  }

  /** Throws if a frame is longer than we allow. */
  add(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#wanted) return;
    this.#rest = this.#waiting.length === 1 ? chunk : Buffer.concat(this.#waiting);
    let at = 0;
    for (;;) {
      const left = this.#rest.length - at;
      this.#wanted = left < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + this.#lengthAt(at);
      if (left < this.#wanted) break;
      const end = at + this.#wanted;
      this.#handle(this.#frameAt(at, end));
      at = end;
    }
    this.#waiting = at < this.#rest.length ? [this.#rest.subarray(at)] : [];
    this.#size = this.#rest.length - at;
  }

  #lengthAt(at: number): number {
    const length = this.#rest.readUIntBE(at, 3);
    if (length > DEFAULT_MAX_FRAME) throw new Error("a frame that is too long");
    return length;
  }

  #frameAt(at: number, end: number): Frame {
    const bytes = this.#rest;
    const [type, flags] = [bytes[at + 3] ?? 0, bytes[at + 4] ?? 0];
    return { type, flags, stream: uint31(bytes, at + 5), payload: bytes.subarray(at + HEADER_BYTES, end) };
  }
}

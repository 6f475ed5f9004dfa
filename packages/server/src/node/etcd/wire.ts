/**
 * Protocol buffers, as much of them as etcd's messages need: integers, flags, bytes and nested messages. Every request
 * that writes passes through here, so integers are plain numbers and nested messages are not copied.
 */

const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5] as const;

export class ProtoWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Zero is what an absent field means, so it is not written. */
  int(field: number, value: number): this {
    if (value !== 0) this.#add(varints(field * 8 + VARINT, value));
    return this;
  }

  flag(field: number, value: boolean): this {
    return this.int(field, value ? 1 : 0);
  }

  bytes(field: number, value: string | Uint8Array): this {
    const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : value;
    this.#add(varints(field * 8 + BYTES, bytes.length));
    this.#add(bytes);
    return this;
  }

  /** Written even when empty: in a choice of fields its presence is the message. */
  message(field: number, inner: ProtoWriter): this {
    this.#add(varints(field * 8 + BYTES, inner.#length));
    for (const part of inner.#parts) this.#add(part);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }
}

function varints(tag: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2 * 10);
  return bytes.subarray(0, putVarint(bytes, putVarint(bytes, 0, tag), value));
}

function putVarint(bytes: Buffer, start: number, value: number): number {
  let [at, rest] = [start, value];
  while (rest >= 0x80) {
    bytes[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[at++] = rest;
  return at;
}

export interface FieldReaders {
  /** Integers and flags. Beyond 2^53 they lose precision; only identifiers that are not used here are that large. */
  readonly int?: (field: number, value: number) => void;
  readonly bytes?: (field: number, value: Buffer) => void;
}

/** Calls back for every field in order; unknown kinds are skipped. Throws on a truncated message. */
export function readFields(buffer: Buffer, { int, bytes }: FieldReaders): void {
  const reader = new Reader(buffer);
  while (!reader.isDone) {
    const tag = reader.varint();
    const field = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (wireType === VARINT) {
      const value = reader.varint();
      int?.(field, value);
    } else if (wireType === BYTES) {
      const value = reader.take(reader.varint());
      bytes?.(field, value);
    } else if (wireType === FIXED64) reader.take(8);
    else if (wireType === FIXED32) reader.take(4);
    else throw new Error(`etcd: wire type ${wireType} is not supported`);
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error("unexpected EOF");
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error("unexpected EOF");
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}

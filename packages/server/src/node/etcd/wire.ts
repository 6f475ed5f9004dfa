/** Protocol buffers, as much of them as etcd's messages need: integers, flags, bytes and nested messages. */

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

export class ProtoWriter {
  #buffer = Buffer.allocUnsafe(512);
  #length = 0;

  /** Zero is what an absent field means, so it is not written. */
  int(field: number, value: number): this {
    if (value === 0) return this;
    this.#tag(field, VARINT);
    this.#varint(value);
    return this;
  }

  flag(field: number, value: boolean): this {
    return this.int(field, value ? 1 : 0);
  }

  bytes(field: number, value: string | Uint8Array): this {
    const size = typeof value === "string" ? Buffer.byteLength(value) : value.length;
    this.#tag(field, LENGTH);
    this.#varint(size);
    this.#reserve(size);
    if (typeof value === "string") this.#buffer.write(value, this.#length, "utf8");
    else this.#buffer.set(value, this.#length);
    this.#length += size;
    return this;
  }

  /** Written even when empty: in a choice of fields its presence is the message. */
  message(field: number, inner: ProtoWriter): this {
    return this.bytes(field, inner.finish());
  }

  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #tag(field: number, wire: number): void {
    this.#varint(field * 8 + wire);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest > 127) {
      this.#buffer[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#length++] = rest;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe((this.#length + size) * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

export interface FieldReaders {
  /** Integers and flags. Beyond 2^53 they lose precision; only identifiers that are not used here are that large. */
  readonly int?: (field: number, value: number) => void;
  readonly bytes?: (field: number, value: Buffer) => void;
}

/** Calls back for every field in order; unknown kinds are skipped. Throws on a truncated message. */
export function readFields(buffer: Buffer, { int, bytes }: FieldReaders): void {
  const cursor: Cursor = { buffer, at: 0 };
  while (cursor.at < buffer.length) {
    const tag = readVarint(cursor);
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === VARINT) int?.(field, readVarint(cursor));
    else if (wire === LENGTH) bytes?.(field, readBytes(cursor, readVarint(cursor)));
    else if (wire === FIXED64) readBytes(cursor, 8);
    else if (wire === FIXED32) readBytes(cursor, 4);
    else throw new Error(`a field of kind ${wire} cannot be read`);
  }
}

interface Cursor {
  readonly buffer: Buffer;
  at: number;
}

function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = cursor.buffer[cursor.at++];
    if (byte === undefined) throw new Error("a message is truncated");
    value += (byte & 127) * scale;
    if (byte < 128) return value;
  }
}

function readBytes(cursor: Cursor, size: number): Buffer {
  const end = cursor.at + size;
  if (end > cursor.buffer.length) throw new Error("a message is truncated");
  const bytes = cursor.buffer.subarray(cursor.at, end);
  cursor.at = end;
  return bytes;
}

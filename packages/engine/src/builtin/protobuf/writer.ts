/**
 * Writing protobuf's wire format. A message inside another is written in place, and moved if its length, which comes
 * before it, takes more than one byte.
 */
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { BYTES, FIXED64, VARINT } from "./reader.ts";

/** Lengths below take one byte. */
const ONE_BYTE = 0x80;

export class WireWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  writeInteger(field: number, value: bigint): void {
    this.#writeTag(field, VARINT);
    this.#writeUnsigned(BigInt.asUintN(64, value));
  }

  writeBool(field: number, value: boolean): void {
    this.writeInteger(field, value ? 1n : 0n);
  }

  writeDouble(field: number, value: number): void {
    this.#writeTag(field, FIXED64);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.writeRaw(bytes);
  }

  writeFixed64(field: number, value: bigint): void {
    this.#writeTag(field, FIXED64);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, value, true);
    this.writeRaw(bytes);
  }

  writeText(field: number, text: string): void {
    if (text.length < ONE_BYTE && this.#writeShort(field, text)) return;
    this.writeBytes(field, encodeUtf8(text));
  }

  writeBytes(field: number, bytes: Uint8Array): void {
    this.#writeTag(field, BYTES);
    this.#writeSmall(bytes.length);
    this.writeRaw(bytes);
  }

  writeMessage(field: number, write: (message: WireWriter) => void): void {
    this.#writeTag(field, BYTES);
    this.#reserve(1);
    const start = ++this.#length;
    write(this);
    const length = this.#length - start;
    if (length < ONE_BYTE) {
      this.#bytes[start - 1] = length;
      return;
    }
    let more = 0;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) more++;
    this.#reserve(more);
    this.#bytes.copyWithin(start + more, start, this.#length);
    const end = this.#length + more;
    this.#length = start - 1;
    this.#writeSmall(length);
    this.#length = end;
  }

  writeRaw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** False for a text that is not ASCII: nothing is written then. */
  #writeShort(field: number, text: string): boolean {
    const before = this.#length;
    this.#writeTag(field, BYTES);
    this.#reserve(text.length + 1);
    this.#bytes[this.#length++] = text.length;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) {
        this.#length = before;
        return false;
      }
      this.#bytes[this.#length++] = unit;
    }
    return true;
  }

  #writeTag(field: number, wireType: number): void {
    this.#writeSmall(field * 8 + wireType);
  }

  /** A length or a tag: below 2^31. */
  #writeSmall(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  #writeUnsigned(value: bigint): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

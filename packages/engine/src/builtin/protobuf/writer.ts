/** Writing protobuf's wire format. A message inside another is written first and copied, as its length comes before it. */
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { BYTES, FIXED64, VARINT } from "./reader.ts";

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

  writeText(field: number, text: string): void {
    this.writeBytes(field, encodeUtf8(text));
  }

  writeBytes(field: number, bytes: Uint8Array): void {
    this.#writeTag(field, BYTES);
    this.#writeSmall(bytes.length);
    this.writeRaw(bytes);
  }

  writeMessage(field: number, write: (message: WireWriter) => void): void {
    const message = new WireWriter();
    write(message);
    this.writeBytes(field, message.finish());
  }

  writeRaw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
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

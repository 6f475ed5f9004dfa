/**
 * Reading protobuf's wire format. Every length is checked against what is left, so work and memory stay within a factor of
 * the input.
 */
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { integerValue, type JsonNumber } from "../../value/json.ts";
import * as messages from "./messages.ts";

/** Carries a malformed message out of the decoder; caught where the envelope is read. */
export class WireFailure extends Error {}

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

export interface Tag {
  readonly field: number;
  readonly wireType: number;
}

export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #pos: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#pos = start;
    this.#end = end;
  }

  get isDone(): boolean {
    return this.#pos >= this.#end;
  }

  readTag(message: string): Tag {
    const value = this.#readUnsigned();
    const [field, wireType] = [Number(value >> 3n) | 0, Number(value & 7n)];
    if (wireType === END_GROUP) throw new WireFailure(messages.endGroup(message));
    if (field <= 0) throw new WireFailure(messages.illegalTag(message, field, wireType));
    return { field, wireType };
  }

  /** As a signed integer of that many bits. */
  readInteger(bits: 32 | 64): JsonNumber {
    return integerValue(BigInt.asIntN(bits, this.#readUnsigned()));
  }

  readBool(): boolean {
    return this.#readUnsigned() !== 0n;
  }

  readDouble(): number {
    const start = this.#advance(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start, 8).getFloat64(0, true);
  }

  readBytes(): Uint8Array {
    const { start, end } = this.#readLength();
    return this.#bytes.subarray(start, end);
  }

  readText(): string {
    return decodeUtf8(this.readBytes());
  }

  /** A message inside this one. */
  readMessage(): WireReader {
    const { start, end } = this.#readLength();
    return new WireReader(this.#bytes, start, end);
  }

  /** Skips an unknown field. */
  skip(wireType: number): void {
    switch (wireType) {
      case VARINT:
        this.#readUnsigned();
        return;
      case FIXED64:
        this.#advance(8);
        return;
      case BYTES:
        this.#readLength();
        return;
      case START_GROUP:
        this.#skipGroup();
        return;
      case FIXED32:
        this.#advance(4);
        return;
      default:
        throw new WireFailure(messages.illegalWireType(wireType));
    }
  }

  #skipGroup(): void {
    for (let depth = 1; depth > 0; ) {
      if (this.isDone) throw new WireFailure(messages.unexpectedEnd());
      const wireType = Number(this.#readUnsigned() & 7n);
      if (wireType === START_GROUP) depth++;
      else if (wireType === END_GROUP) depth--;
      else this.skip(wireType);
    }
  }

  #readLength(): { readonly start: number; readonly end: number } {
    const length = this.#readUnsigned();
    if (length > 0x7fff_ffffn) throw new WireFailure(messages.badLength());
    const start = this.#advance(Number(length));
    return { start, end: this.#pos };
  }

  #advance(length: number): number {
    const start = this.#pos;
    if (start + length > this.#end) throw new WireFailure(messages.unexpectedEnd());
    this.#pos = start + length;
    return start;
  }

  #readUnsigned(): bigint {
    let small = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#nextByte();
      small |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(small);
    }
    let value = BigInt(small);
    for (let shift = 28n; shift < 64n; shift += 7n) {
      const byte = this.#nextByte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireFailure(messages.overflow());
  }

  #nextByte(): number {
    if (this.#pos >= this.#end) throw new WireFailure(messages.unexpectedEnd());
    return this.#bytes[this.#pos++] ?? 0;
  }
}

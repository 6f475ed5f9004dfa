/** Protocol buffers, as much of them as etcd's messages need: integers, flags, bytes and nested messages. */
import { BYTES, VARINT, WireReader } from "@portcullis/engine/internal/builtin/protobuf/reader";
import { WireWriter } from "@portcullis/engine/internal/builtin/protobuf/writer";

export class ProtoWriter {
  readonly #wire = new WireWriter();

  /** Zero is what an absent field means, so it is not written. */
  int(field: number, value: number): this {
    if (value !== 0) this.#wire.writeInteger(field, BigInt(value));
    return this;
  }

  flag(field: number, value: boolean): this {
    return this.int(field, value ? 1 : 0);
  }

  bytes(field: number, value: string | Uint8Array): this {
    this.#wire.writeBytes(field, typeof value === "string" ? Buffer.from(value, "utf8") : value);
    return this;
  }

  /** Written even when empty: in a choice of fields its presence is the message. */
  message(field: number, inner: ProtoWriter): this {
    return this.bytes(field, inner.finish());
  }

  finish(): Buffer {
    return asBuffer(this.#wire.finish());
  }
}

export interface FieldReaders {
  /** Integers and flags. Beyond 2^53 they lose precision; only identifiers that are not used here are that large. */
  readonly int?: (field: number, value: number) => void;
  readonly bytes?: (field: number, value: Buffer) => void;
}

/** Calls back for every field in order; unknown kinds are skipped. Throws on a truncated message. */
export function readFields(buffer: Buffer, { int, bytes }: FieldReaders): void {
  const reader = new WireReader(buffer);
  while (!reader.isDone) {
    const { field, wireType } = reader.readTag("etcd");
    if (wireType === VARINT) {
      const value = Number(reader.readInteger(64));
      int?.(field, value);
    } else if (wireType === BYTES) {
      const value = asBuffer(reader.readBytes());
      bytes?.(field, value);
    } else reader.skip(wireType);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Header fields of HTTP/2 (RFC 7541) without a dynamic table: we fill none, and ask peers to fill none. So blocks do not
 * depend on each other, and the block of an ordinary answer is always the same.
 */
import { decodeHuffman } from "./huffman.ts";

export type HeaderFields = ReadonlyMap<string, string>;

/** Names and values of the static table, which begins with 1. */
// biome-ignore format: a table
const STATIC: readonly (readonly [name: string, value: string])[] = [
  [":authority", ""], [":method", "GET"], [":method", "POST"], [":path", "/"], [":path", "/index.html"],
  [":scheme", "http"], [":scheme", "https"], [":status", "200"], [":status", "204"], [":status", "206"],
  [":status", "304"], [":status", "400"], [":status", "404"], [":status", "500"], ["accept-charset", ""],
  ["accept-encoding", "gzip, deflate"], ["accept-language", ""], ["accept-ranges", ""], ["accept", ""],
  ["access-control-allow-origin", ""], ["age", ""], ["allow", ""], ["authorization", ""], ["cache-control", ""],
  ["content-disposition", ""], ["content-encoding", ""], ["content-language", ""], ["content-length", ""],
  ["content-location", ""], ["content-range", ""], ["content-type", ""], ["cookie", ""], ["date", ""], ["etag", ""],
  ["expect", ""], ["expires", ""], ["from", ""], ["host", ""], ["if-match", ""], ["if-modified-since", ""],
  ["if-none-match", ""], ["if-range", ""], ["if-unmodified-since", ""], ["last-modified", ""], ["link", ""],
  ["location", ""], ["max-forwards", ""], ["proxy-authenticate", ""], ["proxy-authorization", ""], ["range", ""],
  ["referer", ""], ["refresh", ""], ["retry-after", ""], ["server", ""], ["set-cookie", ""],
  ["strict-transport-security", ""], ["transfer-encoding", ""], ["user-agent", ""], ["vary", ""], ["via", ""],
  ["www-authenticate", ""],
];

/** Each field as it is, or as its number where the static table has it. */
export function encodeHeaders(headers: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(headers).map(([name, value]) => {
    const index = STATIC.findIndex(([known, text]) => known === name && text === value) + 1;
    if (index > 0) return integer(index, 7, INDEXED);
    return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
  });
  return Buffer.concat(parts);
}

const INDEXED = 0x80;
const [ADDED, RESIZED, HUFFMAN] = [0x40, 0x20, 0x80] as const;
/** Blocks that are remembered, and their greatest length. */
const [KNOWN_BLOCKS, KNOWN_LENGTH] = [64, 256] as const;

/** Decodes the blocks of one connection. */
export class HeaderDecoder {
  readonly #known = new Map<string, HeaderFields>();

  /** Throws if the block is malformed. */
  decode(block: Buffer): HeaderFields {
    if (block.length > KNOWN_LENGTH) return new BlockReader(block).fields();
    const key = block.toString("latin1");
    let fields = this.#known.get(key);
    if (fields === undefined) {
      fields = new BlockReader(block).fields();
      if (this.#known.size < KNOWN_BLOCKS) this.#known.set(key, fields);
    }
    return fields;
  }
}

class BlockReader {
  readonly #block: Buffer;
  #at = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  fields(): HeaderFields {
    const fields = new Map<string, string>();
    while (this.#at < this.#block.length) {
      const first = this.#block[this.#at] ?? 0;
      if ((first & INDEXED) !== 0) {
        const [name, value] = this.#entry(this.#integer(7));
        fields.set(name, value);
      } else if ((first & ADDED) !== 0) this.#readField(6, fields);
      else if ((first & RESIZED) === 0) this.#readField(4, fields);
      else if (this.#integer(5) > 0) throw new Error("a header table that was not allowed");
    }
    return fields;
  }

  #readField(bits: number, fields: Map<string, string>): void {
    const index = this.#integer(bits);
    const name = index === 0 ? this.#text() : this.#entry(index)[0];
    fields.set(name, this.#text());
  }

  #entry(index: number): readonly [name: string, value: string] {
    const entry = STATIC[index - 1];
    if (entry === undefined) throw new Error("a header that is not in the table");
    return entry;
  }

  #text(): string {
    const isHuffman = ((this.#block[this.#at] ?? 0) & HUFFMAN) !== 0;
    const length = this.#integer(7);
    const bytes = this.#block.subarray(this.#at, this.#at + length);
    this.#at += length;
    const text = isHuffman ? decodeHuffman(bytes) : bytes.toString("latin1");
    if (text === undefined || bytes.length < length) throw new Error("a malformed header");
    return text;
  }

  #integer(bits: number): number {
    const most = 2 ** bits - 1;
    let value = (this.#block[this.#at++] ?? 0) & most;
    if (value < most) return value;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#block[this.#at++];
      if (byte === undefined || scale > MAX_SCALE) throw new Error("a malformed number in a header");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

/** Of four bytes. */
const MAX_SCALE = 128 ** 3;

function integer(value: number, bits: number, flags: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.from([flags | value]);
  const bytes = [flags | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  return Buffer.concat([integer(bytes.length, 7, 0), bytes]);
}

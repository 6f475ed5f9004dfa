/** The Huffman code of header fields (RFC 7541, appendix B). */

/** The bits of the code of each byte; that of the end of a text has 30. */
// biome-ignore format: a table
const LENGTHS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
   6, 10, 10, 12, 13,  6,  8, 11, 10, 10,  8, 11,  8,  6,  6,  6,  5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8, 15,  6, 12, 10,
  13,  6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8, 13, 19, 13, 14,  6,
  15,  5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,  6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
];
const LONGEST = 30;
/** Bits after the last byte are less than a byte, and all set. */
const MAX_PADDING = 7;

interface CodesOfLength {
  readonly first: number;
  readonly bytes: readonly number[];
}

/** Codes of one length follow each other in the order of their bytes, and continue those of the length before. */
function codesByLength(): readonly CodesOfLength[] {
  let first = 0;
  return Array.from({ length: LONGEST + 1 }, (_, length) => {
    const bytes = LENGTHS.flatMap((each, byte) => (each === length ? [byte] : []));
    const codes = { first, bytes };
    first = (first + bytes.length) * 2;
    return codes;
  });
}

let table: readonly CodesOfLength[] | undefined;

/** Undefined if the bytes are not a text in this code. */
export function decodeHuffman(encoded: Uint8Array): string | undefined {
  table ??= codesByLength();
  const bytes: number[] = [];
  let [code, length] = [0, 0];
  for (let at = 0; at < encoded.length * 8; at++) {
    code = code * 2 + (((encoded[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    const codes = table[++length];
    if (codes === undefined) return undefined;
    const byte = codes.bytes[code - codes.first];
    if (byte === undefined) continue;
    bytes.push(byte);
    [code, length] = [0, 0];
  }
  const isPadding = length <= MAX_PADDING && code === 2 ** length - 1;
  return isPadding ? Buffer.from(bytes).toString("latin1") : undefined;
}

/**
 * Go's encoding/base64: the standard and the URL alphabet, padded and raw.
 *
 * Decoding skips line breaks anywhere and, like Go, ignores stray bits in the last character.
 */
import { illegalBase64 } from "./messages.ts";
import type { Result } from "./result.ts";

/** Go's four encodings. Example: `encodeBase64(bytes, "rawUrl")`. */
export type Base64Encoding = "std" | "url" | "rawStd" | "rawUrl";

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

interface Variant {
  /** The characters of the alphabet. */
  readonly codes: Uint8Array;
  /** The value of each ASCII character, or -1. */
  readonly values: Int8Array;
  readonly padded: boolean;
}

const VARIANTS: Readonly<Record<Base64Encoding, Variant>> = {
  std: variant("+/", true),
  url: variant("-_", true),
  rawStd: variant("+/", false),
  rawUrl: variant("-_", false),
};

function variant(lastTwo: string, padded: boolean): Variant {
  const alphabet = LETTERS_AND_DIGITS + lastTwo;
  const values = new Int8Array(128).fill(-1);
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i;
  const codes = Uint8Array.from(alphabet, (char) => char.charCodeAt(0));
  return { codes, values, padded };
}

/**
 * `EncodeToString`.
 * @example encodeBase64(new Uint8Array([1])) // "AQ=="
 */
export function encodeBase64(bytes: Uint8Array, encoding: Base64Encoding = "std"): string {
  const { codes, padded } = VARIANTS[encoding];
  const text = new Uint8Array(4 * Math.ceil(bytes.length / 3)).fill(PADDING);
  let end = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const characters = Math.min(bytes.length - i, 3) + 1;
    for (let k = 0; k < characters; k++) text[end++] = codes[(group >> (18 - 6 * k)) & 0x3f] ?? 0;
  }
  return asciiText(padded ? text : text.subarray(0, end));
}

const PADDING = 0x3d;
const CHUNK = 8192;

function asciiText(codes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < codes.length; at += CHUNK) text += String.fromCharCode(...codes.subarray(at, at + CHUNK));
  return text;
}

/**
 * `DecodeString`.
 * @example decodeBase64("!").error // "illegal base64 data at input byte 0"
 */
export function decodeBase64(text: string, encoding: Base64Encoding = "std"): Result<Uint8Array> {
  const { values, padded } = VARIANTS[encoding];
  const bytes = new Uint8Array(3 * Math.ceil(text.length / 4));
  let size = 0;
  for (let at = 0; at < text.length; ) {
    const bits = plainBits(text, at, values);
    if (bits >= 0) {
      bytes[size++] = bits >> 16;
      bytes[size++] = bits >> 8;
      bytes[size++] = bits;
      at += 4;
      continue;
    }
    const quantum = readQuantum(text, at, values, padded);
    if (quantum.badAt !== undefined) return { error: illegalBase64(text, quantum.badAt) };
    for (let k = 0; k + 1 < quantum.count; k++) bytes[size++] = (quantum.bits >> (16 - 8 * k)) & 0xff;
    at = quantum.next;
  }
  return { value: bytes.slice(0, size) };
}

/** The 24 bits of four characters of the alphabet; negative if there is anything else among them. */
function plainBits(text: string, at: number, values: Int8Array): number {
  if (at + 4 > text.length) return -1;
  const a = values[text.charCodeAt(at)] ?? -1;
  const b = values[text.charCodeAt(at + 1)] ?? -1;
  const c = values[text.charCodeAt(at + 2)] ?? -1;
  const d = values[text.charCodeAt(at + 3)] ?? -1;
  return (a | b | c | d) < 0 ? -1 : (a << 18) | (b << 12) | (c << 6) | d;
}

interface Quantum {
  /** 24 bits, the first character's on top. */
  readonly bits: number;
  /** Characters of the alphabet read, at most 4. */
  readonly count: number;
  readonly next: number;
  /** Set when the input is corrupt: the offset that Go reports. */
  readonly badAt?: number;
}

function readQuantum(text: string, start: number, values: Int8Array, padded: boolean): Quantum {
  let bits = 0;
  let count = 0;
  let at = start;
  for (; count < 4; at++) {
    if (at === text.length) return endOfInput({ bits, count, next: at }, padded);
    const value = values[text.charCodeAt(at)] ?? -1;
    const char = text.charAt(at);
    if (value >= 0) bits |= value << (18 - 6 * count++);
    else if (isLineBreak(char)) continue;
    else if (padded && char === "=") return readPadding(text, { bits, count, next: at });
    else return { bits, count, next: at, badAt: at };
  }
  return { bits, count, next: at };
}

function endOfInput(quantum: Quantum, padded: boolean): Quantum {
  const complete = quantum.count === 0 || (quantum.count > 1 && !padded);
  return complete ? quantum : { ...quantum, badAt: quantum.next - quantum.count };
}

/** `next` is at the first `=`. After the padding nothing but line breaks may follow. */
function readPadding(text: string, quantum: Quantum): Quantum {
  const first = quantum.next;
  if (quantum.count < 2) return { ...quantum, badAt: first };
  let at = first + 1;
  if (quantum.count === 2) {
    at = skipLineBreaks(text, at);
    if (at === text.length) return { ...quantum, badAt: at };
    if (text.charAt(at) !== "=") return { ...quantum, badAt: at - 1 };
    at++;
  }
  at = skipLineBreaks(text, at);
  return at < text.length ? { ...quantum, badAt: at } : { ...quantum, next: at };
}

function skipLineBreaks(text: string, at: number): number {
  let next = at;
  while (isLineBreak(text.charAt(next))) next++;
  return next;
}

function isLineBreak(char: string): boolean {
  return char === "\n" || char === "\r";
}

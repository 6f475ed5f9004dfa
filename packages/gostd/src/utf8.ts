/**
 * Go's strings: UTF-8 bytes and runes (code points).
 *
 * A lone surrogate, which no Go string can hold, counts and encodes as U+FFFD. In the other direction every
 * single invalid byte becomes its own U+FFFD, which is what `range` and `[]rune(s)` do in Go; browsers'
 * decoders replace several bytes by one.
 */

/**
 * `utf8.RuneError`, in place of what is not a code point.
 * @example fromRunes([runeError]) // "\ufffd"
 */
export const runeError = 0xfffd;

const MAX_RUNE = 0x10ffff;
/** The number of arguments for one `String.fromCharCode` call that fits the stack. */
const CHUNK = 8192;

/**
 * Go's `[]byte(s)`.
 * @example [...encodeUtf8("é")] // [195, 169]
 */
export function encodeUtf8(text: string): Uint8Array {
  return encoder !== undefined && text.length > SHORT ? encoder.encode(text) : encodeUnits(text);
}

interface HostEncoder {
  encode(text: string): Uint8Array;
}

/** Available in Node and browsers, but not in a bare JavaScript engine. It agrees with Go. */
const Encoder: (new () => HostEncoder) | undefined = Reflect.get(globalThis, "TextEncoder");
const encoder = Encoder && new Encoder();
/** A call of the host takes longer than this many characters. */
const SHORT = 64;

function encodeUnits(text: string): Uint8Array {
  const bytes = new Uint8Array(byteLength(text));
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[at++] = unit;
      continue;
    }
    const rune = runeAt(text, i);
    if (rune > 0xffff) i++;
    at = writeRune(bytes, at, rune);
  }
  return bytes;
}

/**
 * Go's `string(bytes)`.
 * @example decodeUtf8(new Uint8Array([0xc3, 0xa9])) // "é"
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return decodeNatively(bytes) ?? decodeLeniently(bytes);
}

interface HostDecoder {
  decode(bytes: Uint8Array): string;
}

/** Available in Node and browsers, but not in a bare JavaScript engine. On valid text it agrees with Go. */
const Decoder: (new (label: string, options: object) => HostDecoder) | undefined = Reflect.get(
  globalThis,
  "TextDecoder",
);
const native = Decoder && new Decoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined if any byte is invalid. */
function decodeNatively(bytes: Uint8Array): string | undefined {
  try {
    return native?.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeLeniently(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] ?? 0;
    if (first < 0x80) {
      units[length++] = first;
      i++;
      continue;
    }
    const size = sequenceLength(bytes, i);
    const rune = size === 0 ? runeError : readRune(bytes, i, size);
    if (rune > 0xffff) {
      units[length++] = 0xd800 + ((rune - 0x10000) >> 10);
      units[length++] = 0xdc00 + ((rune - 0x10000) & 0x3ff);
    } else {
      units[length++] = rune;
    }
    i += size === 0 ? 1 : size;
  }
  return fromUnits(units, length);
}

/**
 * `utf8.Valid`.
 * @example isValidUtf8(new Uint8Array([0xff])) // false
 */
export function isValidUtf8(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; ) {
    if ((bytes[i] ?? 0) < 0x80) {
      i++;
      continue;
    }
    const size = sequenceLength(bytes, i);
    if (size === 0) return false;
    i += size;
  }
  return true;
}

/**
 * Whether all characters are ASCII.
 * @example isAscii("é") // false
 */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= 0x80) return false;
  }
  return true;
}

/**
 * Go's `len(s)`: bytes of UTF-8.
 * @example byteLength("é") // 2
 */
export function byteLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      length += 1;
      continue;
    }
    // Three bytes for the unit; a pair is two units and four bytes.
    length += 2;
    if (isPairAt(text, i)) i++;
  }
  return length;
}

/**
 * Go's `utf8.RuneCountInString`: code points.
 * @example countRunes("🙂") // 1
 */
export function countRunes(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= 0xd800 && isPairAt(text, i)) {
      count--;
      i++;
    }
  }
  return count;
}

/**
 * Go's `[]rune(s)`.
 * @example toRunes("é") // [233]
 */
export function toRunes(text: string): number[] {
  const runes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const rune = runeAt(text, i);
    if (rune > 0xffff) i++;
    runes.push(rune);
  }
  return runes;
}

/**
 * Go's `string(runes)`: numbers that are not code points become U+FFFD.
 * @example fromRunes([233]) // "é"
 */
export function fromRunes(runes: readonly number[]): string {
  let text = "";
  for (const rune of runes) text += String.fromCodePoint(isValidRune(rune) ? rune : runeError);
  return text;
}

/**
 * The text between two rune positions; positions beyond the end mean the end.
 * @example sliceRunes("🙂ab", 1, 2) // "a"
 */
export function sliceRunes(text: string, start: number, end: number = Number.POSITIVE_INFINITY): string {
  const from = unitIndexOfRune(text, start);
  return text.slice(from, end === Number.POSITIVE_INFINITY ? text.length : unitIndexOfRune(text, end));
}

/**
 * Go's order of strings, by bytes; JavaScript's `<` differs from it above U+D7FF.
 * @example compareStrings("a", "b") // -1
 */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return sortKey(left) < sortKey(right) ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

/**
 * `utf8.ValidRune`.
 * @example isValidRune(0xd800) // false
 */
export function isValidRune(rune: number): boolean {
  return rune >= 0 && rune <= MAX_RUNE && !(rune >= 0xd800 && rune <= 0xdfff);
}

/** Surrogates encode the highest code points, so they sort after U+E000 to U+FFFF. */
function sortKey(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function unitIndexOfRune(text: string, runeIndex: number): number {
  let i = 0;
  for (let seen = 0; seen < runeIndex && i < text.length; seen++) i += isPairAt(text, i) ? 2 : 1;
  return i;
}

function isPairAt(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
}

function runeAt(text: string, i: number): number {
  const rune = text.codePointAt(i) ?? runeError;
  return rune >= 0xd800 && rune <= 0xdfff ? runeError : rune;
}

function writeRune(bytes: Uint8Array, at: number, rune: number): number {
  if (rune < 0x800) {
    bytes[at++] = 0xc0 | (rune >> 6);
  } else {
    if (rune < 0x10000) {
      bytes[at++] = 0xe0 | (rune >> 12);
    } else {
      bytes[at++] = 0xf0 | (rune >> 18);
      bytes[at++] = 0x80 | ((rune >> 12) & 0x3f);
    }
    bytes[at++] = 0x80 | ((rune >> 6) & 0x3f);
  }
  bytes[at++] = 0x80 | (rune & 0x3f);
  return at;
}

/** Bytes of the well-formed multi-byte sequence at `i`, or 0: overlong forms and surrogates are ill-formed. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i] ?? 0;
  const second = bytes[i + 1] ?? 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return isContinuation(second) ? 2 : 0;
  if (first < 0xf0) {
    const lowest = first === 0xe0 ? 0xa0 : 0x80;
    const highest = first === 0xed ? 0x9f : 0xbf;
    return second >= lowest && second <= highest && isContinuation(bytes[i + 2]) ? 3 : 0;
  }
  const lowest = first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xf4 ? 0x8f : 0xbf;
  const tail = isContinuation(bytes[i + 2]) && isContinuation(bytes[i + 3]);
  return second >= lowest && second <= highest && tail ? 4 : 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function readRune(bytes: Uint8Array, i: number, size: number): number {
  let rune = (bytes[i] ?? 0) & (0xff >> (size + 1));
  for (let k = 1; k < size; k++) rune = (rune << 6) | ((bytes[i + k] ?? 0) & 0x3f);
  return rune;
}

function fromUnits(units: Uint16Array, length: number): string {
  let text = "";
  for (let i = 0; i < length; i += CHUNK) {
    text += Reflect.apply(String.fromCharCode, null, units.subarray(i, Math.min(i + CHUNK, length)));
  }
  return text;
}

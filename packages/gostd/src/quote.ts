/**
 * Go's string literals: `strconv.Quote` (what `%q` prints) and back.
 *
 * Printable is defined by Go's Unicode tables, which may differ from the JavaScript engine's.
 */
import { printableBoundaries } from "./generated/printable.ts";
import type { Result } from "./result.ts";
import { decodeUtf8, encodeUtf8, isValidRune, isValidUtf8, runeError } from "./utf8.ts";

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const BACKSLASH = 0x5c;

/**
 * `strconv.Quote`, what `%q` prints.
 * @example quote("a\n") // "\"a\\n\""
 */
export function quote(text: string): string {
  return isPlain(text) ? `"${text}"` : quoteWith(text, { asciiOnly: false });
}

/**
 * `strconv.Quote` of a string that need not be UTF-8: a stray byte is written as `\\xff`.
 * @example quoteBytes(new Uint8Array([0xff])) // "\"\\xff\""
 */
export function quoteBytes(bytes: Uint8Array): string {
  if (isValidUtf8(bytes)) return quote(decodeUtf8(bytes));
  let quoted = "";
  for (let i = 0; i < bytes.length; ) {
    const size = [1, 2, 3, 4].find((length) => isValidUtf8(bytes.subarray(i, i + length))) ?? 0;
    if (size === 0) quoted += `\\x${(bytes[i] ?? 0).toString(16).padStart(2, "0")}`;
    else quoted += quote(decodeUtf8(bytes.subarray(i, i + size))).slice(1, -1);
    i += Math.max(size, 1);
  }
  return `"${quoted}"`;
}

/**
 * `strconv.QuoteToASCII`.
 * @example quoteToAscii("é") // "\"\\u00e9\""
 */
export function quoteToAscii(text: string): string {
  return quoteWith(text, { asciiOnly: true });
}

/**
 * `strconv.QuoteRune`.
 * @example quoteRune(97) // "'a'"
 */
export function quoteRune(rune: number): string {
  const valid = isValidRune(rune) ? rune : runeError;
  return `'${escapeRune(valid, SINGLE_QUOTE, { asciiOnly: false })}'`;
}

/**
 * `strconv.Unquote`: the value of a Go string, raw string or character literal.
 * @example unquote("`a`").value // "a"
 */
export function unquote(text: string): Result<string> {
  const value = unquoteLiteral(text);
  return value === undefined ? { error: "invalid syntax" } : { value };
}

/**
 * `strconv.IsPrint`.
 * @example isPrint(0x41) // true
 */
export function isPrint(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  boundaries ??= decodeBoundaries();
  return countAtMost(boundaries, codePoint) % 2 === 1;
}

/**
 * Printable, or one of the spaces other than U+0020.
 * @example isGraphic(0xa0) // true
 */
export function isGraphic(codePoint: number): boolean {
  return isPrint(codePoint) || OTHER_SPACES.includes(codePoint);
}

const OTHER_SPACES: readonly number[] = [
  0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x202f, 0x205f,
  0x3000,
];

let boundaries: Uint32Array | undefined;

function decodeBoundaries(): Uint32Array {
  const steps = printableBoundaries.split(" ");
  const decoded = new Uint32Array(steps.length);
  let position = 0;
  for (const [i, step] of steps.entries()) {
    position += Number.parseInt(step, 36);
    decoded[i] = position;
  }
  return decoded;
}

function countAtMost(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface QuoteOptions {
  readonly asciiOnly: boolean;
}

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === DOUBLE_QUOTE || unit === BACKSLASH) return false;
  }
  return true;
}

function quoteWith(text: string, options: QuoteOptions): string {
  let quoted = '"';
  for (const char of text) quoted += escapeRune(char.codePointAt(0) ?? runeError, DOUBLE_QUOTE, options);
  return `${quoted}"`;
}

function escapeRune(codePoint: number, delimiter: number, { asciiOnly }: QuoteOptions): string {
  const rune = isValidRune(codePoint) ? codePoint : runeError;
  const char = String.fromCodePoint(rune);
  if (rune === delimiter || rune === BACKSLASH) return `\\${char}`;
  if (isPrint(rune) && (!asciiOnly || rune < 0x80)) return char;
  return NAMED_ESCAPES.get(rune) ?? hexEscape(rune);
}

const NAMED_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x0c, "\\f"],
  [0x0a, "\\n"],
  [0x0d, "\\r"],
  [0x09, "\\t"],
  [0x0b, "\\v"],
]);

function hexEscape(rune: number): string {
  const hex = rune.toString(16);
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex.padStart(2, "0")}`;
  return rune < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** `undefined` for what is not exactly one literal. */
function unquoteLiteral(text: string): string | undefined {
  const delimiter = text[0];
  if (text.length < 2 || text.at(-1) !== delimiter) return undefined;
  const body = text.slice(1, -1);
  if (delimiter === "`") return body.includes("`") ? undefined : body.replaceAll("\r", "");
  if (delimiter !== '"' && delimiter !== "'") return undefined;
  return unescapeBody(body, delimiter);
}

function unescapeBody(body: string, delimiter: '"' | "'"): string | undefined {
  // Collected as bytes because \x and octal escapes denote bytes, which may combine into one character.
  const bytes: number[] = [];
  let characters = 0;
  for (let i = 0; i < body.length; characters++) {
    const char = String.fromCodePoint(body.codePointAt(i) ?? runeError);
    if (char === delimiter || char === "\n") return undefined;
    if (char !== "\\") {
      bytes.push(...encodeUtf8(char));
      i += char.length;
      continue;
    }
    const escaped = readEscape(body, i, delimiter);
    if (escaped === undefined) return undefined;
    bytes.push(...escaped.bytes);
    i += escaped.length;
  }
  // Go takes the empty character literal, too.
  if (delimiter === "'" && characters > 1) return undefined;
  return decodeUtf8(Uint8Array.from(bytes));
}

interface Escape {
  readonly bytes: Iterable<number>;
  /** Units of source, the backslash included. */
  readonly length: number;
}

const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["b", 0x08],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
  ["\\", BACKSLASH],
]);

function readEscape(body: string, at: number, delimiter: string): Escape | undefined {
  const kind = body[at + 1] ?? "";
  const simple = SIMPLE_ESCAPES.get(kind);
  if (simple !== undefined) return { bytes: [simple], length: 2 };
  if (kind === delimiter) return { bytes: [kind.charCodeAt(0)], length: 2 };
  if (kind === "x") return readByte(body.slice(at + 2, at + 4), 16, 4);
  if (kind >= "0" && kind <= "7") return readByte(body.slice(at + 1, at + 4), 8, 4);
  if (kind === "u") return readCodePoint(body.slice(at + 2, at + 6), 4);
  if (kind === "U") return readCodePoint(body.slice(at + 2, at + 10), 8);
  return undefined;
}

function readByte(digits: string, base: 8 | 16, length: number): Escape | undefined {
  const wellFormed = base === 8 ? /^[0-7]{3}$/ : /^[0-9a-fA-F]{2}$/;
  const value = wellFormed.test(digits) ? Number.parseInt(digits, base) : 256;
  return value > 255 ? undefined : { bytes: [value], length };
}

function readCodePoint(digits: string, count: number): Escape | undefined {
  if (digits.length !== count || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const rune = Number.parseInt(digits, 16);
  return isValidRune(rune) ? { bytes: encodeUtf8(String.fromCodePoint(rune)), length: count + 2 } : undefined;
}

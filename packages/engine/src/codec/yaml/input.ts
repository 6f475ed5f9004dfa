/**
 * Bytes to YAML text.
 *
 * go-yaml accepts UTF-8 and, with a byte order mark, UTF-16; it refuses control characters. It reads 512 bytes at a
 * time and complains about a bad character when it fills the chunk holding it, so text before that chunk is still
 * parsed, and an error or the end of the document found there wins.
 */
import { byteLength, decodeUtf8, isValidUtf8 } from "@portcullis/gostd/utf8";

export interface YamlInput {
  /** The text up to the chunk with the bad character, or all of it. */
  readonly text: string;
  /** What is wrong with the character, if there is one. */
  readonly problem: string | undefined;
}

const CHUNK = 512;
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

export function readYamlInput(input: string | Uint8Array): YamlInput {
  if (typeof input === "string") return checkText(input.startsWith("\ufeff") ? input.slice(1) : input);
  if (input[0] === 0xff && input[1] === 0xfe) return readUtf16(input.subarray(2), 0);
  if (input[0] === 0xfe && input[1] === 0xff) return readUtf16(input.subarray(2), 1);
  const hasMark = input[0] === 0xef && input[1] === 0xbb && input[2] === 0xbf;
  const bytes = hasMark ? input.subarray(3) : input;
  return isValidUtf8(bytes) ? checkText(decodeUtf8(bytes)) : cutAtInvalid(bytes);
}

function checkText(text: string): YamlInput {
  const match = FORBIDDEN.exec(text);
  if (match === null) return { text, problem: undefined };
  const chunk = chunkStart(byteLength(text.slice(0, match.index)));
  return { text: cutAtByte(text, chunk), problem: "control characters are not allowed" };
}

function readUtf16(bytes: Uint8Array, low: 0 | 1): YamlInput {
  let text = "";
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    text += String.fromCharCode((bytes[i + low] ?? 0) | ((bytes[i + 1 - low] ?? 0) << 8));
  }
  const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text);
  if (lone !== null) return { text: "", problem: describeSurrogate(text, lone.index) };
  if (bytes.length % 2 !== 0) return { text: "", problem: "incomplete UTF-16 character" };
  return checkText(text);
}

function describeSurrogate(text: string, index: number): string {
  if (text.charCodeAt(index) >= 0xdc00) return "unexpected low surrogate area";
  return index + 1 < text.length ? "expected low surrogate area" : "incomplete UTF-16 surrogate pair";
}

function cutAtInvalid(bytes: Uint8Array): YamlInput {
  let at = 0;
  let problem: string | undefined;
  while (at < bytes.length && problem === undefined) {
    const width = sequenceWidth(bytes[at] ?? 0);
    problem = width === 0 ? "invalid leading UTF-8 octet" : checkSequence(bytes, at, width);
    if (problem === undefined) at += width;
  }
  const before = checkText(decodeUtf8(bytes.subarray(0, at)));
  if (before.problem !== undefined) return before;
  return { text: decodeUtf8(bytes.subarray(0, chunkStart(at))), problem };
}

function sequenceWidth(octet: number): number {
  if (octet < 0x80) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

const LEAST_VALUE = [0, 0, 0x80, 0x800, 0x10000];

function checkSequence(bytes: Uint8Array, at: number, width: number): string | undefined {
  if (width === 1) return undefined;
  if (at + width > bytes.length) return "incomplete UTF-8 octet sequence";
  let value = (bytes[at] ?? 0) & (0xff >> (width + 1));
  for (let k = 1; k < width; k++) {
    const octet = bytes[at + k] ?? 0;
    if ((octet & 0xc0) !== 0x80) return "invalid trailing UTF-8 octet";
    value = (value << 6) | (octet & 0x3f);
  }
  if (value < (LEAST_VALUE[width] ?? 0)) return "invalid length of a UTF-8 sequence";
  return (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff ? "invalid Unicode character" : undefined;
}

function chunkStart(byteOffset: number): number {
  return byteOffset - (byteOffset % CHUNK);
}

function cutAtByte(text: string, bytes: number): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byteLength(text.slice(0, middle)) < bytes) low = middle + 1;
    else high = middle;
  }
  return text.slice(0, low);
}

/** Percent-encoding of net/url: which characters are escaped depends on the part of the URL. */
import { invalidEscape, invalidHostCharacter } from "./messages.ts";
import type { Result } from "./result.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

export type EscapeMode = "path" | "pathSegment" | "host" | "zone" | "userPassword" | "queryComponent" | "fragment";

const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";

/** The bytes that each mode does not escape. For hosts more than in RFC 3986, which Go keeps for compatibility. */
const UNESCAPED: Readonly<Record<EscapeMode, ReadonlySet<number>>> = {
  path: bytesOf("$&+,/:;=@"),
  pathSegment: bytesOf("$&+:=@"),
  host: bytesOf("!\"$&'()*+,:;<=>[]"),
  zone: bytesOf("!\"$&'()*+,:;<=>[]"),
  userPassword: bytesOf("$&+,;="),
  queryComponent: bytesOf(""),
  fragment: bytesOf("!$&()*+,/:;=?@"),
};

function bytesOf(extra: string): ReadonlySet<number> {
  return new Set(encodeUtf8(UNRESERVED + extra));
}

export function escapePart(text: string, mode: EscapeMode): string {
  const plain = UNESCAPED[mode];
  let escaped = "";
  for (const byte of encodeUtf8(text)) {
    if (plain.has(byte)) escaped += String.fromCharCode(byte);
    else escaped += byte === 0x20 && mode === "queryComponent" ? "+" : hexEscape(byte);
  }
  return escaped;
}

function hexEscape(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

const SPECIAL = /[%+]/;

export function unescapePart(text: string, mode: EscapeMode): Result<string> {
  const inHost = mode === "host" || mode === "zone";
  if (!inHost) {
    if (!SPECIAL.test(text)) return { value: text };
    const decoded = decodedByEngine(mode === "queryComponent" ? text.replaceAll("+", " ") : text);
    if (decoded !== undefined) return { value: decoded };
  }
  const bytes = encodeUtf8(text);
  const plain: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === PERCENT) {
      const value = escapedByte(bytes, i, mode);
      if (value === undefined) return { error: invalidEscape(bytes.subarray(i, i + 3)) };
      plain.push(value);
      i += 2;
    } else if (inHost && byte < 0x80 && !UNESCAPED[mode].has(byte)) {
      return { error: invalidHostCharacter(String.fromCharCode(byte)) };
    } else {
      plain.push(byte === PLUS && mode === "queryComponent" ? 0x20 : byte);
    }
  }
  return { value: decodeUtf8(Uint8Array.from(plain)) };
}

/** By the engine, many times faster; undefined if it refuses the text. Lone surrogates are for the other way, too. */
function decodedByEngine(text: string): string | undefined {
  if (LONE_SURROGATE.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;

const PERCENT = 0x25;
const PLUS = 0x2b;

/** The byte written as `%XX` at `i`, or `undefined` if that is not allowed. */
function escapedByte(bytes: Uint8Array, i: number, mode: EscapeMode): number | undefined {
  const digits = String.fromCharCode(...bytes.subarray(i + 1, i + 3));
  if (!/^[0-9a-fA-F]{2}$/.test(digits)) return undefined;
  const value = Number.parseInt(digits, 16);
  // A host may only escape bytes that are not ASCII; a zone also the characters of hosts, and blanks.
  if (mode === "host" && value < 0x80 && value !== PERCENT) return undefined;
  if (mode === "zone" && value !== PERCENT && value !== 0x20 && !UNESCAPED.host.has(value)) return undefined;
  return value;
}

/** Whether a raw path or fragment is escaped well enough to be kept. */
export function validEncoded(text: string, mode: EscapeMode): boolean {
  return encodeUtf8(text).every((byte) => ALWAYS_VALID.has(byte) || UNESCAPED[mode].has(byte));
}

const ALWAYS_VALID: ReadonlySet<number> = new Set(encodeUtf8("!$&'()*+,;=:@[]%"));

/**
 * The value of a quoted literal. Follows cel-go parser/unescape.go.
 *
 * Line breaks inside a literal are normalised to `\n`, in raw literals too. In bytes, `\x` and octal escapes
 * are single bytes and `\u` is not allowed; in strings they are all code points.
 */
import { encodeUtf8, isValidRune } from "@portcullis/gostd/utf8";
import { invalidCodePoint, unableToUnescape } from "./messages.ts";

export type Unescaped<T> =
  | { readonly value: T; readonly problem: undefined }
  | { readonly value: undefined; readonly problem: string };

/** INVARIANT: `literal` is a whole string token, prefix and quotes included. */
export function unescapeString(literal: string): Unescaped<string> {
  const { body, raw } = stripQuotes(literal);
  if (raw || !body.includes("\\")) return done(body);
  let text = "";
  for (let at = 0; at < body.length; ) {
    const next = body.indexOf("\\", at);
    if (next < 0) return done(text + body.slice(at));
    const found = readEscape(body, next);
    if (!isValidRune(found.code)) return { value: undefined, problem: invalidCodePoint };
    text += body.slice(at, next) + String.fromCodePoint(found.code);
    at = found.end;
  }
  return done(text);
}

/** INVARIANT: `literal` is a whole bytes token without its leading `b`. */
export function unescapeBytes(literal: string): Unescaped<Uint8Array> {
  const { body, raw } = stripQuotes(literal);
  if (raw || !body.includes("\\")) return done(encodeUtf8(body));
  const bytes: number[] = [];
  for (let at = 0; at < body.length; ) {
    const next = body.indexOf("\\", at);
    const plain = body.slice(at, next < 0 ? body.length : next);
    for (const byte of encodeUtf8(plain)) bytes.push(byte);
    if (next < 0) break;
    if (body[next + 1] === "u" || body[next + 1] === "U") return { value: undefined, problem: unableToUnescape };
    const found = readEscape(body, next);
    bytes.push(found.code);
    at = found.end;
  }
  return done(Uint8Array.from(bytes));
}

function done<T>(value: T): Unescaped<T> {
  return { value, problem: undefined };
}

function stripQuotes(literal: string): { body: string; raw: boolean } {
  const raw = literal[0] === "r" || literal[0] === "R";
  const open = raw ? 1 : 0;
  const quote = literal[open] ?? "";
  // Two quotes in a row open a triple-quoted literal only if a third follows and there is room to close it.
  const isTriple = literal.length - open >= 6 && literal.startsWith(quote.repeat(3), open);
  const width = isTriple ? 3 : 1;
  const body = literal.slice(open + width, literal.length - width);
  return { body: body.includes("\r") ? body.replace(/\r\n?/g, "\n") : body, raw };
}

interface Escape {
  readonly code: number;
  readonly end: number;
}

const simpleEscapes: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const hexEscapes: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

/** INVARIANT: the lexer has checked the escape's form. */
function readEscape(body: string, at: number): Escape {
  const letter = body[at + 1] ?? "";
  const hexDigits = hexEscapes[letter];
  if (hexDigits !== undefined) return readNumber(body, at + 2, { digits: hexDigits, base: 16 });
  if (letter >= "0" && letter <= "3") return readNumber(body, at + 1, { digits: 3, base: 8 });
  return { code: simpleEscapes[letter] ?? letter.charCodeAt(0), end: at + 2 };
}

function readNumber(body: string, start: number, form: { digits: number; base: number }): Escape {
  const end = start + form.digits;
  return { code: Number.parseInt(body.slice(start, end), form.base), end };
}

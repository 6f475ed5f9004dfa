/**
 * Splits an expression into tokens, for the fast parser.
 *
 * It reads well-formed text only. Anything else makes it stop, and the parser that reports syntax errors takes
 * over; so there is no error handling here. That is safe because no text with an
 * unreadable piece is ever a valid expression: where the longest match of a broken string literal would be a
 * shorter one (`""` for an unclosed `"""`), what follows can never continue an expression.
 */

import { endOfString } from "./string-scan.ts";

export const Kind = {
  end: 0,
  identifier: 1,
  escapedIdentifier: 2,
  int: 3,
  uint: 4,
  double: 5,
  string: 6,
  bytes: 7,
  true: 8,
  false: 9,
  null: 10,
  dot: 11,
  comma: 12,
  colon: 13,
  question: 14,
  openParen: 15,
  closeParen: 16,
  openBracket: 17,
  closeBracket: 18,
  openBrace: 19,
  closeBrace: 20,
  not: 21,
  minus: 22,
  plus: 23,
  times: 24,
  divide: 25,
  modulo: 26,
  less: 27,
  lessEquals: 28,
  greater: 29,
  greaterEquals: 30,
  equals: 31,
  notEquals: 32,
  in: 33,
  and: 34,
  or: 35,
} as const;

/** Parallel arrays, ending with a token of kind `end`. Offsets count UTF-16 units. */
export interface Tokens {
  readonly kinds: number[];
  readonly starts: number[];
  readonly ends: number[];
}

/** The tokens of a text, or undefined if a part of it is not a token. */
export function tokenize(text: string): Tokens | undefined {
  const tokens: Tokens = { kinds: [], starts: [], ends: [] };
  const { kinds, starts, ends } = tokens;
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    scanned = at;
    const kind = scanToken(text, at);
    if (kind === UNREADABLE) return undefined;
    kinds.push(kind);
    starts.push(at);
    ends.push(scanned);
    at = scanned;
  }
  kinds.push(Kind.end);
  starts.push(text.length);
  ends.push(text.length);
  return tokens;
}

const UNREADABLE = -1;

/** Where the token found by the latest scan function ends: their second result, without an object per token. */
let scanned = 0;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const ZERO = 0x30;
const BACKQUOTE = 0x60;
const LOWER_X = 0x78;

const NAME_START = 1;
const NAME_PART = 2;
const DIGIT = 4;
const HEX_DIGIT = 8;
const ESCAPED_NAME_PART = 16;

const classes: Uint8Array = (() => {
  const table = new Uint8Array(128);
  const mark = (chars: string, bits: number) => {
    for (let i = 0; i < chars.length; i++) {
      const code = chars.charCodeAt(i);
      table[code] = (table[code] ?? 0) | bits;
    }
  };
  const letters = "abcdefghijklmnopqrstuvwxyz";
  mark(`${letters}${letters.toUpperCase()}_`, NAME_START | NAME_PART | ESCAPED_NAME_PART);
  mark("0123456789", NAME_PART | DIGIT | HEX_DIGIT | ESCAPED_NAME_PART);
  mark("abcdefABCDEF", HEX_DIGIT);
  mark(".-/ ", ESCAPED_NAME_PART);
  return table;
})();

function isClass(text: string, at: number, bits: number): boolean {
  // Past the end the code is NaN, and the table has undefined for it.
  return ((classes[text.charCodeAt(at)] ?? 0) & bits) !== 0;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN || code === FORM_FEED) at++;
    else if (code === SLASH && text.charCodeAt(at + 1) === SLASH) at = endOfLine(text, at);
    else return at;
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function scanToken(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const bits = classes[code] ?? 0;
  if ((bits & NAME_START) !== 0) return scanWord(text, at);
  if ((bits & DIGIT) !== 0) return scanNumber(text, at);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return scanString(text, at, { raw: false, kind: Kind.string });
  if (code === BACKQUOTE) return scanEscapedName(text, at);
  return scanSymbol(text, at);
}

function scanSymbol(text: string, at: number): number {
  const followedBy = (next: string) => text[at + 1] === next;
  switch (text[at]) {
    case ".":
      return isClass(text, at + 1, DIGIT) ? scanFraction(text, at) : symbol(at, 1, Kind.dot);
    case ",":
      return symbol(at, 1, Kind.comma);
    case ":":
      return symbol(at, 1, Kind.colon);
    case "?":
      return symbol(at, 1, Kind.question);
    case "(":
      return symbol(at, 1, Kind.openParen);
    case ")":
      return symbol(at, 1, Kind.closeParen);
    case "[":
      return symbol(at, 1, Kind.openBracket);
    case "]":
      return symbol(at, 1, Kind.closeBracket);
    case "{":
      return symbol(at, 1, Kind.openBrace);
    case "}":
      return symbol(at, 1, Kind.closeBrace);
    case "-":
      return symbol(at, 1, Kind.minus);
    case "+":
      return symbol(at, 1, Kind.plus);
    case "*":
      return symbol(at, 1, Kind.times);
    case "/":
      return symbol(at, 1, Kind.divide);
    case "%":
      return symbol(at, 1, Kind.modulo);
    case "!":
      return followedBy("=") ? symbol(at, 2, Kind.notEquals) : symbol(at, 1, Kind.not);
    case "<":
      return followedBy("=") ? symbol(at, 2, Kind.lessEquals) : symbol(at, 1, Kind.less);
    case ">":
      return followedBy("=") ? symbol(at, 2, Kind.greaterEquals) : symbol(at, 1, Kind.greater);
    case "=":
      return followedBy("=") ? symbol(at, 2, Kind.equals) : UNREADABLE;
    case "&":
      return followedBy("&") ? symbol(at, 2, Kind.and) : UNREADABLE;
    case "|":
      return followedBy("|") ? symbol(at, 2, Kind.or) : UNREADABLE;
    default:
      return UNREADABLE;
  }
}

function symbol(at: number, length: number, kind: number): number {
  scanned = at + length;
  return kind;
}

/** A name, a keyword, or a literal with a prefix such as `r"…"`, `b'…'` or `br"…"`. */
function scanWord(text: string, at: number): number {
  let end = at + 1;
  while (isClass(text, end, NAME_PART)) end++;
  const length = end - at;
  const next = text.charCodeAt(end);
  if (length <= 2 && (next === DOUBLE_QUOTE || next === SINGLE_QUOTE)) {
    const prefix = text.slice(at, end).toLowerCase();
    if (prefix === "r") return scanString(text, end, { raw: true, kind: Kind.string });
    if (prefix === "b") return scanString(text, end, { raw: false, kind: Kind.bytes });
    if (prefix === "br") return scanString(text, end, { raw: true, kind: Kind.bytes });
  }
  scanned = end;
  return length === 2 || length === 4 || length === 5 ? keywordOr(text.slice(at, end)) : Kind.identifier;
}

function keywordOr(word: string): number {
  switch (word) {
    case "in":
      return Kind.in;
    case "true":
      return Kind.true;
    case "null":
      return Kind.null;
    case "false":
      return Kind.false;
    default:
      return Kind.identifier;
  }
}

function scanEscapedName(text: string, at: number): number {
  let end = at + 1;
  while (isClass(text, end, ESCAPED_NAME_PART)) end++;
  if (end === at + 1 || text.charCodeAt(end) !== BACKQUOTE) return UNREADABLE;
  scanned = end + 1;
  return Kind.escapedIdentifier;
}

function scanNumber(text: string, at: number): number {
  const isHex = text.charCodeAt(at) === ZERO && text.charCodeAt(at + 1) === LOWER_X && isClass(text, at + 2, HEX_DIGIT);
  if (isHex) return scanSuffix(text, skipClass(text, at + 2, HEX_DIGIT));
  const end = skipClass(text, at, DIGIT);
  if (text[end] === "." && isClass(text, end + 1, DIGIT)) return scanFraction(text, end);
  const exponent = skipExponent(text, end);
  if (exponent === end) return scanSuffix(text, end);
  scanned = exponent;
  return Kind.double;
}

function scanSuffix(text: string, end: number): number {
  const unsigned = text[end] === "u" || text[end] === "U";
  scanned = unsigned ? end + 1 : end;
  return unsigned ? Kind.uint : Kind.int;
}

/** From a decimal point that a digit follows. */
function scanFraction(text: string, point: number): number {
  scanned = skipExponent(text, skipClass(text, point + 1, DIGIT));
  return Kind.double;
}

function skipExponent(text: string, at: number): number {
  if (text[at] !== "e" && text[at] !== "E") return at;
  const digits = text[at + 1] === "+" || text[at + 1] === "-" ? at + 2 : at + 1;
  return isClass(text, digits, DIGIT) ? skipClass(text, digits, DIGIT) : at;
}

function skipClass(text: string, from: number, bits: number): number {
  let at = from;
  while (isClass(text, at, bits)) at++;
  return at;
}

function scanString(text: string, open: number, form: { readonly raw: boolean; readonly kind: number }): number {
  scanned = endOfString(text, open, form.raw);
  return scanned < 0 ? UNREADABLE : form.kind;
}

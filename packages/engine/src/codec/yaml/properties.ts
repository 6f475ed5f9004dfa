/**
 * Anchors, tags and directives.
 *
 * Follows go-yaml v2's scannerc.go.
 */
import { type Cursor, isBlank, isBlankOrEnd, isBreakOrEnd, isDigit, isWord } from "./cursor.ts";

export interface TagName {
  /** `!`, `!!`, `!name!`, or "" when the suffix is the whole tag. */
  readonly handle: string;
  readonly suffix: string;
}

export type Directive =
  | { readonly name: "YAML"; readonly major: number; readonly minor: number }
  | { readonly name: "TAG"; readonly handle: string; readonly prefix: string };

/** Scans the name behind `&` or `*`. */
export function scanAnchor(cursor: Cursor): string {
  cursor.pos++;
  const name = readWord(cursor);
  const next = cursor.peek();
  if (name === "" || !(isBlankOrEnd(next) || "?:,]}%@`".includes(String.fromCharCode(next)))) {
    cursor.fail("did not find expected alphabetic or numeric character");
  }
  return name;
}

export function scanTag(cursor: Cursor): TagName {
  const tag = cursor.peek(1) === 0x3c ? readVerbatimTag(cursor) : readShorthandTag(cursor);
  if (!isBlankOrEnd(cursor.peek())) cursor.fail("did not find expected whitespace or line break");
  return tag;
}

function readVerbatimTag(cursor: Cursor): TagName {
  cursor.pos += 2;
  const suffix = readUri(cursor, "");
  if (cursor.peek() !== 0x3e) cursor.fail("did not find the expected '>'");
  cursor.pos++;
  return { handle: "", suffix };
}

function readShorthandTag(cursor: Cursor): TagName {
  const handle = readHandle(cursor);
  if (handle.length > 1 && handle.endsWith("!")) return { handle, suffix: readUri(cursor, "") };
  // What looked like a handle was the start of the suffix; a lone `!` is a tag by itself.
  const suffix = readUri(cursor, handle);
  return suffix === "" ? { handle: "", suffix: handle } : { handle: "!", suffix };
}

function readHandle(cursor: Cursor): string {
  if (cursor.peek() !== 0x21) cursor.fail("did not find expected '!'");
  cursor.pos++;
  const word = readWord(cursor);
  if (cursor.peek() !== 0x21) return `!${word}`;
  cursor.pos++;
  return `!${word}!`;
}

function readUri(cursor: Cursor, head: string): string {
  let uri = head.slice(1);
  let found = head !== "";
  for (;;) {
    const unit = cursor.peek();
    if (!isWord(unit) && !isUriMark(unit)) break;
    if (unit === 0x25) uri += readUriEscape(cursor);
    else {
      uri += String.fromCharCode(unit);
      cursor.pos++;
    }
    found = true;
  }
  if (!found) cursor.fail("did not find expected tag URI");
  return uri;
}

function isUriMark(unit: number): boolean {
  return unit > 0 && unit < 0x80 && ";/?:@&=+$,.!~*'()[]%".includes(String.fromCharCode(unit));
}

function readUriEscape(cursor: Cursor): string {
  let code = readOctet(cursor);
  const width =
    code < 0x80 ? 1 : (code & 0xe0) === 0xc0 ? 2 : (code & 0xf0) === 0xe0 ? 3 : (code & 0xf8) === 0xf0 ? 4 : 0;
  if (width === 0) cursor.fail("found an incorrect leading UTF-8 octet");
  cursor.pos += 3;
  if (width === 1) return String.fromCharCode(code);
  code &= 0xff >> (width + 1);
  for (let k = 1; k < width; k++) {
    const octet = readOctet(cursor);
    if ((octet & 0xc0) !== 0x80) cursor.fail("found an incorrect trailing UTF-8 octet");
    cursor.pos += 3;
    code = (code << 6) | (octet & 0x3f);
  }
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}

function readOctet(cursor: Cursor): number {
  const match = /^%([0-9a-fA-F]{2})/.exec(cursor.text.slice(cursor.pos, cursor.pos + 3));
  if (match === null) return cursor.fail("did not find URI escaped octet");
  return Number.parseInt(match[1] ?? "", 16);
}

export function scanDirective(cursor: Cursor): Directive {
  cursor.pos++;
  const name = readWord(cursor);
  if (name === "") cursor.fail("could not find expected directive name");
  if (!isBlankOrEnd(cursor.peek())) cursor.fail("found unexpected non-alphabetical character");
  if (name !== "YAML" && name !== "TAG") cursor.fail("found unknown directive name");
  cursor.skipBlanks();
  const directive = name === "YAML" ? readVersion(cursor) : readTagDirective(cursor);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) cursor.fail("did not find expected comment or line break");
  cursor.readBreak();
  return directive;
}

function readVersion(cursor: Cursor): Directive {
  const major = readVersionNumber(cursor);
  if (cursor.peek() !== 0x2e) cursor.fail("did not find expected digit or '.' character");
  cursor.pos++;
  return { name: "YAML", major, minor: readVersionNumber(cursor) };
}

function readVersionNumber(cursor: Cursor): number {
  const start = cursor.pos;
  for (; isDigit(cursor.peek()); cursor.pos++) {
    if (cursor.pos - start === 2) cursor.fail("found extremely long version number");
  }
  if (cursor.pos === start) cursor.fail("did not find expected version number");
  return Number(cursor.text.slice(start, cursor.pos));
}

function readTagDirective(cursor: Cursor): Directive {
  const handle = readHandle(cursor);
  if (handle !== "!" && !handle.endsWith("!")) cursor.fail("did not find expected '!'");
  if (!isBlank(cursor.peek())) cursor.fail("did not find expected whitespace");
  cursor.skipBlanks();
  const prefix = readUri(cursor, "");
  if (!isBlankOrEnd(cursor.peek())) cursor.fail("did not find expected whitespace or line break");
  return { name: "TAG", handle, prefix };
}

function readWord(cursor: Cursor): string {
  const start = cursor.pos;
  while (isWord(cursor.peek())) cursor.pos++;
  return cursor.text.slice(start, cursor.pos);
}

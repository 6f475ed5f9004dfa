/**
 * Plain and quoted scalars, whose lines are folded.
 *
 * Follows go-yaml v2's scannerc.go.
 */
import { type Cursor, isBlank, isBlankOrEnd, isBreak } from "./cursor.ts";

export interface PlainContext {
  /** The indentation of the block around the scalar. */
  readonly indent: number;
  readonly inFlow: boolean;
}

export interface PlainScalar {
  readonly value: string;
  readonly end: number;
  /** Whether line breaks followed, so that a key may come next. */
  readonly endsLine: boolean;
}

/** Space and line breaks met inside a scalar, to be folded if more of it follows. */
class Fold {
  spaces = "";
  first = "";
  more = "";
  inBreaks = false;

  // One break is a space and further ones stay; Unicode's own separators are kept as they are.
  take(): string {
    const folded = this.first === "\n" ? this.more || " " : this.first + this.more;
    const result = this.inBreaks ? folded : this.spaces;
    this.spaces = "";
    this.first = "";
    this.more = "";
    this.inBreaks = false;
    return result;
  }
}

export function scanPlain(cursor: Cursor, context: PlainContext): PlainScalar {
  const fold = new Fold();
  let value = "";
  let end = cursor.pos;
  for (;;) {
    if (cursor.peek() === 0x23 || cursor.atDocumentIndicator()) break;
    const stop = plainRunEnd(cursor, context.inFlow);
    if (stop > cursor.pos) {
      const run = cursor.text.slice(cursor.pos, stop);
      value = value === "" ? run : value + fold.take() + run;
      cursor.advanceTo(stop);
      end = stop;
    }
    const unit = cursor.peek();
    if (!isBlank(unit) && !isBreak(unit)) break;
    readPlainSpace(cursor, fold, context.indent + 1);
    if (!context.inFlow && cursor.column < context.indent + 1) break;
  }
  return { value, end, endsLine: fold.inBreaks };
}

function plainRunEnd(cursor: Cursor, inFlow: boolean): number {
  const text = cursor.text;
  let pos = cursor.pos;
  for (;;) {
    const unit = text.charCodeAt(pos);
    if (isBlankOrEnd(unit)) return pos;
    if (unit === 0x3a && isBlankOrEnd(text.charCodeAt(pos + 1))) return pos;
    if (inFlow && isFlowStop(unit)) return pos;
    pos++;
  }
}

// `,` `?` `[` `]` `{` `}`
function isFlowStop(unit: number): boolean {
  return unit === 0x2c || unit === 0x3f || unit === 0x5b || unit === 0x5d || unit === 0x7b || unit === 0x7d;
}

function readPlainSpace(cursor: Cursor, fold: Fold, indent: number): void {
  for (;;) {
    const unit = cursor.peek();
    if (isBlank(unit)) {
      if (unit === 0x09 && fold.inBreaks && cursor.column < indent) {
        cursor.fail("found a tab character that violates indentation");
      }
      if (!fold.inBreaks) fold.spaces += String.fromCharCode(unit);
      cursor.pos++;
    } else if (isBreak(unit)) readFoldedBreak(cursor, fold);
    else return;
  }
}

function readFoldedBreak(cursor: Cursor, fold: Fold): void {
  if (fold.inBreaks) fold.more += cursor.readBreak();
  else {
    fold.spaces = "";
    fold.first = cursor.readBreak();
    fold.inBreaks = true;
  }
}

/** Scans from the opening quote to behind the closing one. */
export function scanQuoted(cursor: Cursor): string {
  const quote = cursor.peek();
  const fold = new Fold();
  let value = "";
  cursor.pos++;
  for (;;) {
    if (cursor.atDocumentIndicator()) cursor.fail("found unexpected document indicator");
    if (cursor.peek() === 0) cursor.fail("found unexpected end of stream");
    value += readQuotedRun(cursor, quote, fold);
    if (cursor.peek() === quote) break;
    readQuotedSpace(cursor, fold);
    value += fold.take();
  }
  cursor.pos++;
  return value;
}

function readQuotedRun(cursor: Cursor, quote: number, fold: Fold): string {
  const { text } = cursor;
  let value = "";
  for (;;) {
    let pos = cursor.pos;
    let unit = text.charCodeAt(pos);
    while (unit !== quote && unit !== 0x5c && !isBlankOrEnd(unit)) unit = text.charCodeAt(++pos);
    // A backslash means something only between double quotes.
    if (unit === 0x5c && quote === 0x27) pos++;
    value += text.slice(cursor.pos, pos);
    cursor.advanceTo(pos);
    if (unit === 0x27 && quote === 0x27 && text.charCodeAt(pos + 1) === 0x27) {
      value += "'";
      cursor.pos += 2;
    } else if (unit === 0x5c && quote === 0x22) {
      if (isBreak(text.charCodeAt(pos + 1))) {
        cursor.pos++;
        cursor.readBreak();
        fold.inBreaks = true;
        return value;
      }
      value += readEscape(cursor);
    } else if (unit !== 0x5c) return value;
  }
}

function readQuotedSpace(cursor: Cursor, fold: Fold): void {
  for (;;) {
    const unit = cursor.peek();
    if (isBlank(unit)) {
      if (!fold.inBreaks) fold.spaces += String.fromCharCode(unit);
      cursor.pos++;
    } else if (isBreak(unit)) readFoldedBreak(cursor, fold);
    else return;
  }
}

// biome-ignore format: a table
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["0", "\0"], ["a", "\x07"], ["b", "\b"], ["t", "\t"], ["\t", "\t"], ["n", "\n"], ["v", "\v"], ["f", "\f"], ["r", "\r"],
  ["e", "\x1b"], [" ", " "], ['"', '"'], ["'", "'"], ["\\", "\\"], ["N", "\x85"], ["_", "\xa0"], ["L", "\u2028"], ["P", "\u2029"],
]);
const CODE_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

function readEscape(cursor: Cursor): string {
  const letter = cursor.text.charAt(cursor.pos + 1);
  const plain = ESCAPES.get(letter);
  const length = CODE_LENGTHS.get(letter) ?? 0;
  if (plain === undefined && length === 0) cursor.fail("found unknown escape character");
  cursor.pos += 2;
  return plain ?? readCodePoint(cursor, length);
}

function readCodePoint(cursor: Cursor, length: number): string {
  const digits = cursor.text.slice(cursor.pos, cursor.pos + length);
  if (!/^[0-9a-fA-F]*$/.test(digits)) cursor.fail("did not find expected hexdecimal number");
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    cursor.fail("found invalid Unicode character escape code");
  }
  cursor.pos += length;
  return String.fromCodePoint(code);
}

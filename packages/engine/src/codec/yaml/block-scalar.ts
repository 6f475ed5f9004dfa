/**
 * Literal and folded block scalars.
 *
 * Follows go-yaml v2's scannerc.go.
 */
import { type Cursor, isBlank, isBreak, isBreakOrEnd, isDigit } from "./cursor.ts";

interface Header {
  readonly chomping: "strip" | "clip" | "keep";
  /** The indentation asked for, relative to the block around it; 0 to find it out. */
  readonly increment: number;
}

/** Scans from the `|` or `>` to the start of the line behind the scalar. */
export function scanBlockScalar(cursor: Cursor, outerIndent: number): string {
  const literal = cursor.peek() === 0x7c;
  cursor.pos++;
  const header = readHeader(cursor);
  const asked = header.increment > 0 ? Math.max(outerIndent, 0) + header.increment : 0;
  const first = readBreaks(cursor, asked, outerIndent);
  const { indent } = first;
  let trailing = first.breaks;
  let leading = "";
  let startedBlank = false;
  let value = "";
  while (cursor.column === indent && cursor.peek() !== 0) {
    const blank = isBlank(cursor.peek());
    // Lines are joined unless one of the two is indented further.
    const joins = !literal && !startedBlank && !blank && leading.startsWith("\n");
    value += joins ? (trailing === "" ? " " : "") : leading;
    startedBlank = blank;
    value += trailing + readLine(cursor);
    leading = cursor.readBreak();
    trailing = readBreaks(cursor, indent, outerIndent).breaks;
  }
  if (header.chomping !== "strip") value += leading;
  return header.chomping === "keep" ? value + trailing : value;
}

function readHeader(cursor: Cursor): Header {
  let chomping = readChomping(cursor);
  let increment = 0;
  if (isDigit(cursor.peek())) {
    increment = cursor.peek() - 0x30;
    if (increment === 0) cursor.fail("found an indentation indicator equal to 0");
    cursor.pos++;
    chomping ??= readChomping(cursor);
  }
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) cursor.fail("did not find expected comment or line break");
  cursor.readBreak();
  return { chomping: chomping ?? "clip", increment };
}

function readChomping(cursor: Cursor): "strip" | "keep" | undefined {
  const unit = cursor.peek();
  if (unit !== 0x2b && unit !== 0x2d) return undefined;
  cursor.pos++;
  return unit === 0x2b ? "keep" : "strip";
}

function readLine(cursor: Cursor): string {
  const start = cursor.pos;
  let end = start;
  while (!isBreakOrEnd(cursor.text.charCodeAt(end))) end++;
  cursor.advanceTo(end);
  return cursor.text.slice(start, end);
}

// Passes indentation and empty lines. With no indentation known, the deepest one met decides.
function readBreaks(cursor: Cursor, known: number, outerIndent: number): { indent: number; breaks: string } {
  let breaks = "";
  let deepest = 0;
  for (;;) {
    while ((known === 0 || cursor.column < known) && cursor.peek() === 0x20) cursor.pos++;
    deepest = Math.max(deepest, cursor.column);
    const unit = cursor.peek();
    if (unit === 0x09 && (known === 0 || cursor.column < known)) {
      cursor.fail("found a tab character where an indentation space is expected");
    }
    if (!isBreak(unit)) break;
    breaks += cursor.readBreak();
  }
  return { indent: known === 0 ? Math.max(deepest, outerIndent + 1, 1) : known, breaks };
}

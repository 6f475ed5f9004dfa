/**
 * The position of a character of a decoded string in its YAML or JSON source, for findings inside a string: for example
 * an expression with a syntax error in a quoted scalar or a block scalar.
 *
 * What a scalar's style does to its text concerns white space, quotes and escapes only: lines are folded, indentation is
 * taken away. All other characters come through in their order, so the n-th of them is found by counting. A place
 * between them is put right behind the character before.
 */
import type { SourceNode } from "./position.ts";

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Offsets in `source`, which `node`'s count from. `offset` counts UTF-16 units of `value`, the decoded text. */
export function locateInScalar(source: string, { start, end }: TextSpan, value: string, offset: number): number {
  const anchors = inkOffsets(source, start, end);
  const before = countInk(value.slice(0, offset));
  const here = anchors[before];
  if (here !== undefined && isInk(value.charAt(offset))) return here;
  const last = anchors[before - 1];
  return last === undefined ? start : Math.min(last + 1, end);
}

/** The word or the sign at a line (from 1) and a column (from 1, in code points) of an expression within a scalar. */
export function spanInScalar(source: string, node: SourceNode, value: string, place: LinePlace): TextSpan {
  const offset = offsetOfPlace(value, place);
  // A selection's place is that of its dot.
  const word = /^\.?[A-Za-z0-9_]+/.exec(value.slice(offset))?.[0] ?? value.charAt(offset);
  const start = locateInScalar(source, node, value, offset);
  const last = locateInScalar(source, node, value, offset + Math.max(word.length, 1) - 1);
  const end = Math.min(Math.max(last, start) + 1, node.end);
  // At the very end there is nothing to show but what stands before.
  return start < end ? { start, end } : { start: Math.max(node.start, end - 1), end };
}

export interface LinePlace {
  readonly line: number;
  readonly column: number;
}

/** In UTF-16 units; the end of the text where it has no such place. */
export function offsetOfPlace(text: string, { line, column }: LinePlace): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const inLine = [...(lines[line - 1] ?? "")].slice(0, Math.max(0, column - 1)).join("").length;
  return Math.min(before + inLine, text.length);
}

/** One problem of those that cel-go prints together. */
export interface ExpressionProblem {
  readonly place: LinePlace;
  readonly message: string;
}

/** The problems in a message that quotes cel-go's; none if it does not, or names no place. */
export function expressionProblems(message: string): ExpressionProblem[] {
  return [...message.matchAll(/ERROR: [^\n:]*:(\d+):(\d+): ([^\n]*)/g)].map(([, line, column, text]) => ({
    place: { line: Number(line), column: Number(column) },
    message: text ?? "",
  }));
}

/** Where each character that is not white space stands. */
function inkOffsets(source: string, start: number, end: number): number[] {
  const first = source.charAt(start);
  if (first === '"') return doubleQuoted(source, start + 1, end - 1);
  if (first === "'") return singleQuoted(source, start + 1, end - 1);
  if (first === "|" || first === ">") return plain(source, lineEnd(source, start), end);
  return plain(source, start, end);
}

function plain(source: string, start: number, end: number): number[] {
  const offsets: number[] = [];
  for (let at = start; at < end; at++) if (isInk(source.charAt(at))) offsets.push(at);
  return offsets;
}

function singleQuoted(source: string, start: number, end: number): number[] {
  const offsets: number[] = [];
  for (let at = start; at < end; at++) {
    if (isInk(source.charAt(at))) offsets.push(at);
    if (source.startsWith("''", at)) at++;
  }
  return offsets;
}

/** Escapes of a fixed number of hexadecimal digits. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
/** Escapes that stand for white space, or for nothing at the end of a line. */
const BLANK_ESCAPES = "tnvfr NLP_\t\n\r";

function doubleQuoted(source: string, start: number, end: number): number[] {
  const offsets: number[] = [];
  for (let at = start; at < end; at++) {
    const char = source.charAt(at);
    if (char !== "\\") {
      if (isInk(char)) offsets.push(at);
      continue;
    }
    const kind = source.charAt(at + 1);
    const digits = DIGITS[kind] ?? 0;
    const text = digits === 0 ? kind : codeText(source.slice(at + 2, at + 2 + digits));
    if (digits > 0 ? isInk(text) : !BLANK_ESCAPES.includes(kind)) {
      for (let unit = 0; unit < text.length; unit++) offsets.push(at);
    }
    at += 1 + digits;
  }
  return offsets;
}

function codeText(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return Number.isNaN(code) || code > 0x10ffff ? "" : String.fromCodePoint(code);
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}

function countInk(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (isInk(text.charAt(at))) count++;
  return count;
}

function isInk(char: string): boolean {
  return char !== "" && !/[\s\x85\ufeff]/.test(char);
}

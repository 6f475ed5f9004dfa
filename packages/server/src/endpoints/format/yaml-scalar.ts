/**
 * One text in YAML, as go-yaml v2 writes it: plain where it can be, literal where it has lines, else in quotes, and folded
 * at a space beyond the eightieth column.
 *
 * Follows stringv of its encoder and the scalar part of its emitter. What counts as printable leaves out everything beyond
 * the first plane.
 */
import { isTextWhenPlain } from "@portcullis/engine/internal/codec/yaml/resolve";
import { byteLength } from "@portcullis/gostd/utf8";

export interface Place {
  /** Where the first character will stand. */
  readonly column: number;
  /** The prefix of continuation lines. */
  readonly indent: string;
  /** Keys stand on one line. */
  readonly isKey: boolean;
}

const WIDTH = 80;
const BREAK = /[\r\n\x85\u2028\u2029]/;
const SPECIAL = /[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|\x85/;
/** What a plain scalar may not begin with; some only where a blank follows. */
const INDICATOR = /^(?:[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$)|---|\.\.\.)/;

/** A text to the end of its line. */
export function yamlLine(text: string, place: Place): string {
  const written = yamlScalar(text, place);
  const isEnded = written.startsWith("|") && BREAK.test(written.at(-1) ?? "");
  return isEnded ? written : `${written}\n`;
}

export function yamlScalar(text: string, place: Place): string {
  const style = styleOf(text, place);
  if (style === "literal") return literal(text, place.indent);
  if (style === "double") return `"${doubleQuoted(text, place)}"`;
  return style === "plain" ? folded(text, place, 0) : `'${folded(text, place, 1)}'`;
}

type Style = "plain" | "single" | "double" | "literal";

function styleOf(text: string, { isKey }: Place): Style {
  // A blank before a break, or what cannot be printed, only stands between double quotes.
  const isSpecial = SPECIAL.test(text) || / [\r\n\x85\u2028\u2029]/.test(text);
  const hasBreak = BREAK.test(text);
  if (text.includes("\n")) return isSpecial || isKey || text.endsWith(" ") ? "double" : "literal";
  if (isSpecial || (isKey && hasBreak) || !isTextWhenPlain(text)) return "double";
  const isPlain = !hasBreak && !/^ | $/.test(text) && !INDICATOR.test(text) && !/:(?:[ \t]|$)|[ \t]#/.test(text);
  if (isPlain) return "plain";
  return /[\r\n\x85\u2028\u2029] /.test(text) ? "double" : "single";
}

/** The content of a plain scalar or of single quotes, which are as wide as they are many. */
function folded(text: string, { column, indent, isKey }: Place, quotes: 0 | 1): string {
  const chars = [...text];
  const last = byteLength(text) - 1;
  let result = "";
  let at = column + quotes;
  let bytes = 0;
  for (const [index, char] of chars.entries()) {
    const isInside = quotes === 0 || (bytes > 0 && bytes < last);
    const isSingle = char === " " && chars[index - 1] !== " " && chars[index + 1] !== " ";
    const isAfterBreak = BREAK.test(chars[index - 1] ?? "") && !BREAK.test(char);
    bytes += byteLength(char);
    if (isAfterBreak && quotes === 1) {
      result += indent;
      at = indent.length;
    }
    if (!isKey && isSingle && isInside && at > WIDTH) {
      result += `\n${indent}`;
      at = indent.length;
      continue;
    }
    result += char === "'" && quotes === 1 ? "''" : char;
    at = BREAK.test(char) ? 0 : at + (char === "'" && quotes === 1 ? 2 : 1);
  }
  return result;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...[
    "\0 0",
    "\x07 a",
    "\b b",
    "\t t",
    "\n n",
    "\v v",
    "\f f",
    "\r r",
    "\x1b e",
    '" "',
    "\\ \\",
    "\x85 N",
    "\u2028 L",
  ].map((pair): [string, string] => [pair.charAt(0), `\\${pair.charAt(2)}`]),
  ["\u2029", "\\P"],
]);

function doubleQuoted(text: string, { column, indent, isKey }: Place): string {
  const chars = [...text];
  const last = byteLength(text) - 1;
  let result = "";
  let at = column + 1;
  let bytes = 0;
  let afterSpace = false;
  for (const [index, char] of chars.entries()) {
    const isFolded = char === " " && !isKey && !afterSpace && at > WIDTH && bytes > 0 && bytes < last;
    bytes += byteLength(char);
    if (isFolded) {
      const mark = chars[index + 1] === " " ? "\\" : "";
      result += `\n${indent}${mark}`;
      at = indent.length + mark.length;
    } else {
      const written = escaped(char);
      result += written;
      at += [...written].length;
    }
    afterSpace = char === " ";
  }
  return result;
}

function escaped(char: string): string {
  const short = ESCAPES.get(char);
  if (short !== undefined) return short;
  if (!SPECIAL.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const [letter, width] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(Number(width), "0")}`;
}

/**
 * Writes an indentation indicator if the text starts with a blank, and a chomping indicator unless it ends with one
 * line break.
 */
function literal(text: string, indent: string): string {
  const chars = [...text];
  const isBreak = (index: number): boolean => BREAK.test(chars.at(index) ?? "");
  const hint = chars[0] === " " || isBreak(0) ? "2" : "";
  const chomp = !isBreak(-1) ? "-" : chars.length === 1 || isBreak(-2) ? "+" : "";
  let result = `|${hint}${chomp}\n`;
  let isStart = true;
  for (const char of chars) {
    if (isStart && !BREAK.test(char)) result += indent;
    isStart = BREAK.test(char);
    result += char;
  }
  return result;
}

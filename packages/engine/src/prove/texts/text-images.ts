/** Strings that a function takes out of another one: a test of the result is a test of the whole, as a pattern. */
import { matchesPattern, quotePattern, type TextTest } from "../theory/text-theory.ts";

/** A test that compares with a constant. */
export type LiteralKind = "contains" | "ends" | "equals" | "starts";

/** The pattern that the whole string matches if the result passes; `false` if no result passes. */
export type ImagePattern = (kind: LiteralKind, text: string) => string | false | undefined;

export interface TextImage {
  /** The place of the whole string. */
  readonly variable: string;
  readonly key: string;
  readonly apply: (whole: string) => string | undefined;
  readonly pattern: ImagePattern;
  /** The pattern of a whole whose result has at least so many characters. */
  readonly atLeast: (count: number) => string | false | undefined;
}

/** The test of the whole; undefined if there is none, `false` if no result passes. */
export function testOfWhole(image: TextImage, test: TextTest): TextTest | false | undefined {
  const pattern = patternOf(image, test);
  if (pattern === undefined || pattern === false) return pattern;
  const holds = (whole: string): boolean => {
    const part = image.apply(whole);
    return part !== undefined && test.holds(part);
  };
  return { key: `${image.key} ${test.key}`, pattern, holds };
}

function patternOf(image: TextImage, { equals, literal, minLength }: TextTest): string | false | undefined {
  if (equals !== undefined) return image.pattern("equals", equals);
  if (literal !== undefined) return image.pattern(literal.kind, literal.text);
  return minLength === undefined ? undefined : image.atLeast(minLength);
}

/** Automata with more repetitions than this take too long. */
export const MAX_REPEATED = 200;

const ANY_TEXT = "(?s:.*)";
const any = (from: number, to: number | "" = from): string => `(?s:.{${from === to ? from : `${from},${to}`}})`;
const count = (text: string): number => [...text].length;

/** From `start` to the end. */
export function suffixImage(variable: string, start: number): TextImage {
  const before = `\\A${any(start)}`;
  return {
    variable,
    key: `from ${start} of`,
    apply: (whole) => slice(whole, start, undefined),
    pattern: (kind, text) => {
      const quoted = quotePattern(text);
      if (kind === "equals") return `${before}${quoted}\\z`;
      if (kind === "starts") return `${before}${quoted}`;
      return `${before}${ANY_TEXT}${quoted}${kind === "ends" ? "\\z" : ""}`;
    },
    atLeast: (least) => (start + least > MAX_REPEATED ? undefined : `\\A${any(start + least)}`),
  };
}

/** From `start` up to `end`, which the whole has. */
export function sliceImage(variable: string, start: number, end: number): TextImage {
  const length = end - start;
  return {
    variable,
    key: `from ${start} to ${end} of`,
    apply: (whole) => slice(whole, start, end),
    pattern: (kind, text) => {
      const [own, quoted] = [count(text), quotePattern(text)];
      if (own > length || (kind === "equals" && own !== length)) return false;
      if (kind === "equals" || kind === "starts") return `\\A${any(start)}${quoted}`;
      return `\\A${kind === "ends" ? any(end - own) : any(start, end - own)}${quoted}`;
    },
    atLeast: (least) => (least > length ? false : `\\A${any(end)}`),
  };
}

/** The character at a position, or nothing at the end. */
export function charImage(variable: string, at: number): TextImage {
  return {
    variable,
    key: `character ${at} of`,
    apply: (whole) => slice(whole, at, Math.min(at + 1, count(whole))),
    pattern: (kind, text) => {
      const own = count(text);
      if (own > 1) return false;
      if (own === 0) return kind === "equals" ? `\\A${any(at)}\\z` : `\\A${any(at)}`;
      return `\\A${any(at)}${quotePattern(text)}`;
    },
    atLeast: (least) => (least > 1 ? false : `\\A${any(at + least)}`),
  };
}

/** One of the pieces between separators of a single character. */
export function pieceImage(variable: string, separator: string, at: number): TextImage {
  const other = `[^\\x{${hex(separator)}}]`;
  const before = `\\A(?:${other}*${quotePattern(separator)}){${at}}`;
  const end = `(?:${quotePattern(separator)}|\\z)`;
  return {
    variable,
    key: `piece ${at} by ${JSON.stringify(separator)} of`,
    apply: (whole) => whole.split(separator)[at],
    pattern: (kind, text) => {
      if (text.includes(separator)) return false;
      const quoted = quotePattern(text);
      if (kind === "equals") return `${before}${quoted}${end}`;
      if (kind === "starts") return `${before}${quoted}`;
      return `${before}${other}*${quoted}${kind === "ends" ? end : ""}`;
    },
    atLeast: (least) => (least > MAX_REPEATED ? undefined : `${before}${other}{${least}}`),
  };
}

/** At least so many pieces. */
export function piecesPattern(separator: string, least: number): string {
  return `(?s)(?:${quotePattern(separator)}.*){${least - 1}}`;
}

const SPACES =
  "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";
const startsWithSpace = (text: string): boolean => matchesPattern(`\\A[${SPACES}]`, text);
const endsWithSpace = (text: string): boolean => matchesPattern(`[${SPACES}]\\z`, text);

export function trimImage(variable: string, apply: (whole: string) => string | undefined): TextImage {
  const space = `[${SPACES}]*`;
  return {
    variable,
    key: "trimmed",
    apply,
    pattern: (kind, text) => {
      const [first, last] = [startsWithSpace(text), endsWithSpace(text)];
      if ((kind === "equals" || kind === "starts") && first) return false;
      if ((kind === "equals" || kind === "ends") && last) return false;
      if (text === "") return kind === "equals" ? `\\A${space}\\z` : "";
      if (kind === "equals") return `\\A${space}${quotePattern(text)}${space}\\z`;
      if (first || last) return undefined;
      if (kind === "contains") return quotePattern(text);
      return kind === "starts" ? `\\A${space}${quotePattern(text)}` : `${quotePattern(text)}${space}\\z`;
    },
    atLeast: (least) => (least === 1 ? `[^${SPACES}]` : undefined),
  };
}

/** With each of one character replaced by another one, or removed. */
export function replaceImage(variable: string, from: string, to: string): TextImage {
  const removed = `${quotePattern(from)}*`;
  const one = (char: string): string | false => {
    if (char === to) return `[\\x{${hex(from)}}\\x{${hex(to)}}]`;
    return char === from ? false : quotePattern(char);
  };
  return {
    variable,
    key: `${JSON.stringify(from)} as ${JSON.stringify(to)} in`,
    apply: (whole) => whole.replaceAll(from, to),
    pattern: (kind, text) => {
      const chars = [...text].map(one);
      if (chars.includes(false)) return false;
      const inner = to === "" ? [...chars.map((char) => `${removed}${char}`), removed].join("") : chars.join("");
      const [start, end] = [kind === "equals" || kind === "starts", kind === "equals" || kind === "ends"];
      return `${start ? "\\A" : ""}${inner}${end ? "\\z" : ""}`;
    },
    atLeast: (least) => {
      if (to !== "") return least > MAX_REPEATED ? undefined : any(least);
      return least > MAX_REPEATED ? undefined : `(?:[^\\x{${hex(from)}}](?s:.*)){${least}}`;
    },
  };
}

function hex(char: string): string {
  return char.codePointAt(0)?.toString(16) ?? "0";
}

function slice(whole: string, start: number, end: number | undefined): string | undefined {
  const chars = [...whole];
  return start > chars.length || (end ?? 0) > chars.length ? undefined : chars.slice(start, end).join("");
}

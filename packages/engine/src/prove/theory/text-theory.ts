/** Strings under constraints: patterns as automata, lengths, and lists of allowed values. */

import { compileRegexp, type Pattern } from "@portcullis/gostd/regexp";
import { type Automaton, compileAutomaton, findText } from "@portcullis/gostd/regexp/automaton";
import type { TextAlternative } from "../sorts/sort.ts";
import { tick } from "./time.ts";

/** A text between two others, with its letters in one case. */
export type Within = NonNullable<Automaton["within"]>;

export interface TextTest {
  readonly key: string;
  readonly holds: (text: string) => boolean;
  /** The same as a pattern that some part of the text matches; or as a length from `min` to `max`. */
  readonly pattern?: string | undefined;
  /** What the pattern is matched with instead of the text itself. */
  readonly within?: Within | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Set if it looks for a constant text. */
  readonly literal?: { readonly kind: "contains" | "ends" | "starts"; readonly text: string } | undefined;
  /** Set if only this string passes. */
  readonly equals?: string | undefined;
}

export interface TextDomain {
  readonly base: TextAlternative;
  readonly tests: readonly { readonly test: TextTest; readonly wanted: boolean }[];
}

export function textDomain(base: TextAlternative): TextDomain {
  return { base, tests: [] };
}

export function withTextTest(domain: TextDomain, test: TextTest, wanted: boolean): TextDomain {
  if (domain.tests.some((each) => each.test.key === test.key && each.wanted === wanted)) return domain;
  return { ...domain, tests: [...domain.tests, { test, wanted }] };
}

export type TextSolution =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

const solved = new Map<string, TextSolution>();
const MAX_SOLVED = 20_000;
const MAX_STEPS = 60_000;

export function solveText(domain: TextDomain): TextSolution {
  const key = keyOf(domain);
  const known = solved.get(key);
  if (known !== undefined) return known;
  const found = solve(domain);
  if (solved.size >= MAX_SOLVED) solved.clear();
  solved.set(key, found);
  return found;
}

const bases = new WeakMap<TextAlternative, number>();
let baseCount = 0;

function keyOf({ base, tests }: TextDomain): string {
  let id = bases.get(base);
  if (id === undefined) {
    id = baseCount++;
    bases.set(base, id);
  }
  return `${id}|${tests
    .map(({ test, wanted }) => `${wanted ? "+" : "-"}${test.key}`)
    .sort()
    .join("|")}`;
}

function solve(domain: TextDomain): TextSolution {
  const finite = finiteTexts(domain);
  if (finite !== undefined) {
    const text = finite.find((each) => isAllowed(domain, each));
    return text === undefined ? { kind: "none" } : { kind: "found", text };
  }
  const sampled = (domain.base.samples ?? []).find((each) => isAllowed(domain, each));
  if (sampled !== undefined) return { kind: "found", text: sampled };
  return searchText(domain);
}

function finiteTexts({ base, tests }: TextDomain): readonly string[] | undefined {
  const equal = tests.find(({ test, wanted }) => wanted && test.equals !== undefined)?.test.equals;
  return equal === undefined ? base.listed : [equal];
}

/** Whether a string is in the domain, tested one by one. */
export function isAllowed({ base, tests }: TextDomain, text: string): boolean {
  return isOfBase(base, text) && tests.every(({ test, wanted }) => test.holds(text) === wanted);
}

/** Whether a string is in a sort. */
export function isOfBase(base: TextAlternative, text: string): boolean {
  const length = [...text].length;
  if (length < (base.minLength ?? 0) || length > (base.maxLength ?? Number.POSITIVE_INFINITY)) return false;
  if (base.listed !== undefined && !base.listed.includes(text)) return false;
  if (base.isPossible?.(text) === false) return false;
  return (base.patterns ?? []).every((pattern) => matchesPattern(pattern, text));
}

const patterns = new Map<string, Pattern | undefined>();

export function matchesPattern(source: string, text: string): boolean {
  return patternOf(source)?.matches(text) ?? true;
}

/** Whether it is a valid regular expression. */
export function isPattern(source: string): boolean {
  return patternOf(source) !== undefined;
}

function patternOf(source: string): Pattern | undefined {
  if (!patterns.has(source)) patterns.set(source, compileRegexp(source).pattern);
  return patterns.get(source);
}

function searchText(domain: TextDomain): TextSolution {
  const query = queryOf(domain);
  if (query === undefined) return { kind: "unknown" };
  const answer = findText({ ...query.text, maxSteps: MAX_STEPS, tick });
  if (answer.kind === "found" && (query.isPartial || domain.base.isPossible !== undefined)) {
    return isAllowed(domain, answer.text) ? answer : { kind: "unknown" };
  }
  return answer.kind === "none" ? { kind: "none" } : answer.kind === "found" ? answer : { kind: "unknown" };
}

interface Query {
  readonly text: { accept: Automaton[]; reject: Automaton[]; minLength: number; maxLength?: number };
  /** Some constraint is not included: a found string may fail, but "none" is exact. */
  readonly isPartial: boolean;
}

function queryOf({ base, tests }: TextDomain): Query | undefined {
  const text: Query["text"] = { accept: [], reject: [], minLength: base.minLength ?? 0 };
  let max = base.maxLength ?? Number.POSITIVE_INFINITY;
  let isPartial = false;
  const add = (list: Automaton[], pattern: string, within?: Within): void => {
    const automaton = compileAutomaton(pattern);
    if (automaton === undefined) isPartial = true;
    else list.push(within === undefined ? automaton : { ...automaton, within });
  };
  for (const pattern of base.patterns ?? []) add(text.accept, pattern);
  for (const { test, wanted } of tests) {
    if (test.pattern !== undefined) add(wanted ? text.accept : text.reject, test.pattern, test.within);
    else if (test.minLength !== undefined) {
      if (wanted) text.minLength = Math.max(text.minLength, test.minLength);
      else max = Math.min(max, test.minLength - 1);
    } else isPartial = true;
  }
  if (max < text.minLength) return { text: { ...text, accept: NOTHING(), reject: [] }, isPartial: false };
  return { text: max === Number.POSITIVE_INFINITY ? text : { ...text, maxLength: max }, isPartial };
}

function NOTHING(): Automaton[] {
  const automaton = compileAutomaton("a\\z.");
  return automaton === undefined ? [] : [automaton];
}

/** A pattern for exactly one string. */
export function exactly(text: string): string {
  return `\\A${quotePattern(text)}\\z`;
}

export function quotePattern(text: string): string {
  return [...text]
    .map((char) => (/[A-Za-z0-9]/.test(char) ? char : `\\x{${char.codePointAt(0)?.toString(16) ?? "0"}}`))
    .join("");
}

/** A pattern for the strings before this one, in the order of code points. */
export function textsBefore(limit: string): string {
  const chars = [...limit];
  const options = chars.map((char, index) => {
    const code = char.codePointAt(0) ?? 0;
    const prefix = quotePattern(chars.slice(0, index).join(""));
    return code === 0 ? prefix : `${prefix}(?:[\\x{0}-\\x{${(code - 1).toString(16)}}](?s:.*))?`;
  });
  return options.length === 0 ? "a\\z." : `\\A(?:${options.join("|")})\\z`;
}

/** The text that a test sees. */
export function textWithin({ prefix = "", suffix = "", letters }: Within, text: string): string {
  return prefix + inCase(text, letters) + suffix;
}

export function inCase(text: string, letters: Within["letters"]): string {
  if (letters === undefined) return text;
  return letters === "lower"
    ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    : text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

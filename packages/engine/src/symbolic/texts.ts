/** Patterns for all conditions on strings, so that one theory, that of regular languages, decides them. */
import { compileAutomaton, findText, type TextAnswer } from "@portcullis/gostd/regexp/automaton";

/** Escapes the special characters of patterns. */
export function escapePattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&");
}

export function equalsPattern(text: string): string {
  return `^(?:${escapePattern(text)})$`;
}

export function oneOfPattern(texts: readonly string[]): string {
  return `^(?:${texts.map(escapePattern).join("|")})$`;
}

/** Strings before this one in the order of code points. */
export function beforePattern(text: string): string {
  const chars = [...text].map((char) => char.codePointAt(0) ?? 0);
  let tail = "";
  for (const char of chars.toReversed()) {
    const smaller = char === 0 ? "" : `[${runePattern(0)}-${runePattern(char - 1)}](?s:.*)`;
    const options = [
      "",
      ...(smaller === "" ? [] : [smaller]),
      ...(tail === "" ? [] : [`${runePattern(char)}(?:${tail})`]),
    ];
    tail = options.map((each) => (each === "" ? "(?:)" : each)).join("|");
  }
  // Nothing is before the empty string.
  return tail === "" ? "[^\\x{0}-\\x{10FFFF}]" : `^(?:${tail})$`;
}

function runePattern(rune: number): string {
  return `\\x{${rune.toString(16)}}`;
}

export interface TextFacts {
  readonly accept: readonly string[];
  readonly reject: readonly string[];
  readonly minLength: number;
  readonly maxLength: number;
  /** The limit of steps for the question. */
  readonly maxSteps?: number;
}

const MAX_STEPS = 250_000;
const known = new Map<string, TextAnswer>();
const MAX_KNOWN = 2000;

/** The shortest string that fits; `unknown` if a pattern is too large or the search too long. */
export function findFittingText(facts: TextFacts): TextAnswer {
  const { minLength, maxLength, maxSteps = MAX_STEPS } = facts;
  const [accept, reject] = [[...new Set(facts.accept)].sort(), [...new Set(facts.reject)].sort()];
  const key = JSON.stringify([
    accept,
    reject,
    minLength,
    maxLength === Number.POSITIVE_INFINITY ? -1 : maxLength,
    maxSteps,
  ]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const answer = search(accept, reject, facts);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, answer);
  return answer;
}

function search(accept: readonly string[], reject: readonly string[], facts: TextFacts): TextAnswer {
  const { minLength, maxLength, maxSteps = MAX_STEPS } = facts;
  if (minLength > maxLength) return { kind: "none", states: 0 };
  // Patterns that cannot be compiled are left out, which is safe: fewer constraints allow more strings.
  const automata = (sources: readonly string[]) => sources.flatMap((source) => compileAutomaton(source) ?? []);
  return findText({
    accept: automata(accept),
    reject: automata(reject),
    minLength,
    ...(maxLength === Number.POSITIVE_INFINITY ? {} : { maxLength }),
    maxSteps,
  });
}

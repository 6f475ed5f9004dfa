/** The characters that several programs distinguish: one representative per equivalence class. */
import { hasRune, MAX_RUNE, type NfaProgram, type RuneSet } from "./nfa.ts";

export interface Alphabet {
  /** Readable characters first, so that example texts are readable. */
  readonly representatives: readonly number[];
}

/** What a pattern is matched with instead of the text itself. */
export interface Within {
  /** Put before the text. */
  readonly prefix?: string | undefined;
  /** Put after it. */
  readonly suffix?: string | undefined;
  /** The case that letters of ASCII are changed to. */
  readonly letters?: "lower" | "upper" | undefined;
}

const CASE = 0x20;

/** A character in the given case. */
export function caseOf(rune: number, letters: Within["letters"]): number {
  if (letters === "lower" && rune >= 0x41 && rune <= 0x5a) return rune + CASE;
  return letters === "upper" && rune >= 0x61 && rune <= 0x7a ? rune - CASE : rune;
}

/** `withCase`: characters in the same class are also in the same class after a change of case. */
export function buildAlphabet(programs: readonly NfaProgram[], withCase = false): Alphabet {
  const sets = distinctSets(programs);
  const starts = boundaries(sets, withCase);
  const cases = withCase ? ([undefined, "lower", "upper"] as const) : [undefined];
  const classes = new Map<string, number>();
  starts.forEach((start, index) => {
    const end = (starts[index + 1] ?? MAX_RUNE + 1) - 1;
    if (start >= 0xd800 && end <= 0xdfff) return;
    const flags = cases.map((letters) =>
      sets.map((set) => (hasRune(set, caseOf(start, letters)) ? "1" : "0")).join(""),
    );
    const signature = flags.join() + kindOf(start);
    const best = mostReadable(start, end);
    const known = classes.get(signature);
    if (known === undefined || rank(best) < rank(known)) classes.set(signature, best);
  });
  return { representatives: [...classes.values()].sort((left, right) => rank(left) - rank(right)) };
}

function distinctSets(programs: readonly NfaProgram[]): RuneSet[] {
  const sets = new Map<string, RuneSet>();
  for (const { instructions } of programs) {
    for (const each of instructions) if (each.kind === "runes") sets.set(each.set.key, each.set);
  }
  return [...sets.values()];
}

/** The boundaries of classes: ends of ranges, and what positions depend on: words, line ends, surrogates. */
function boundaries(sets: readonly RuneSet[], withCase: boolean): number[] {
  const starts = new Set([0, 10, 11, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b, 0x20, 0x7f, 0xa1, 0xd800, 0xe000]);
  for (const { ranges } of sets) {
    for (let i = 0; i < ranges.length; i += 2) {
      starts.add(ranges[i] ?? 0);
      starts.add((ranges[i + 1] ?? 0) + 1);
    }
  }
  const moved = withCase ? [...starts].filter((each) => each < 0x80).flatMap((each) => [each + CASE, each - CASE]) : [];
  for (const each of moved) if (each >= 0) starts.add(each);
  return [...starts].filter((each) => each <= MAX_RUNE).sort((left, right) => left - right);
}

export type RuneKind = "newline" | "word" | "other";

export function kindOf(rune: number): RuneKind {
  if (rune === 10) return "newline";
  const isWord =
    (rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || rune === 0x5f || (rune >= 0x61 && rune <= 0x7a);
  return isWord ? "word" : "other";
}

const PREFERRED = [..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-._/: "].map(
  (char) => char.codePointAt(0) ?? 0,
);

function mostReadable(start: number, end: number): number {
  const preferred = PREFERRED.find((char) => char >= start && char <= end);
  if (preferred !== undefined) return preferred;
  return start >= 0xd800 && start <= 0xdfff ? 0xe000 : start;
}

function rank(rune: number): number {
  const index = PREFERRED.indexOf(rune);
  if (index >= 0) return index;
  return rune > 0x20 && rune < 0x7f ? 200 + rune : 1000 + rune;
}

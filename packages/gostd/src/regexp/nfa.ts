/** The instructions of a compiled pattern, read from re2js: characters by ranges, forks, and checks of the position. */

export type NfaInstruction =
  | { readonly kind: "runes"; readonly set: RuneSet; readonly out: number }
  | { readonly kind: "fork"; readonly out: number; readonly other: number }
  | { readonly kind: "check"; readonly flags: number; readonly out: number }
  | { readonly kind: "jump"; readonly out: number }
  | { readonly kind: "match" }
  | { readonly kind: "fail" };

/** Code points as sorted, separate, inclusive ranges, two numbers each. */
export interface RuneSet {
  readonly key: string;
  readonly ranges: readonly number[];
}

export interface NfaProgram {
  readonly instructions: readonly NfaInstruction[];
  readonly start: number;
}

/** re2js' flags of positions. */
export const POSITION = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

export const MAX_RUNE = 0x10ffff;

interface RawInstruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  matchRune(rune: number): boolean;
}

interface RawProgram {
  readonly inst: readonly RawInstruction[];
  readonly start: number;
}

/** Undefined if the program is larger than the limit or has instructions that an automaton cannot run. */
export function readProgram(raw: RawProgram, limit: number): NfaProgram | undefined {
  if (raw.inst.length > limit) return undefined;
  const instructions: NfaInstruction[] = [];
  for (const one of raw.inst) {
    const read = readInstruction(one);
    if (read === undefined) return undefined;
    instructions.push(read);
  }
  return { instructions, start: raw.start };
}

// The numbers are re2js' opcodes.
function readInstruction(raw: RawInstruction): NfaInstruction | undefined {
  const { op, out, arg } = raw;
  switch (op) {
    case 1:
    case 2:
      return { kind: "fork", out, other: arg };
    case 3:
    case 7:
      return { kind: "jump", out };
    case 4:
      return { kind: "check", flags: arg, out };
    case 5:
      return { kind: "fail" };
    case 6:
      return { kind: "match" };
    case 8:
    case 9:
      return { kind: "runes", set: runeSet(raw), out };
    case 10:
      return { kind: "runes", set: ANY, out };
    case 11:
      return { kind: "runes", set: ANY_BUT_NEWLINE, out };
    default:
      return undefined;
  }
}

const ANY = newRuneSet([0, MAX_RUNE]);
const ANY_BUT_NEWLINE = newRuneSet([0, 9, 11, MAX_RUNE]);
const FOLD_CASE = 1;

function runeSet(raw: RawInstruction): RuneSet {
  const { runes } = raw;
  const [only] = Array.from(runes);
  if (runes.length !== 1 || only === undefined) return newRuneSet(Array.from(runes));
  return (raw.arg & FOLD_CASE) === 0 ? newRuneSet([only, only]) : foldedSet(only, raw);
}

const folded = new Map<number, RuneSet>();

/** All characters that equal this one when case is ignored; found by trying re2js's case folding. */
function foldedSet(rune: number, raw: RawInstruction): RuneSet {
  const before = folded.get(rune);
  if (before !== undefined) return before;
  const ranges: number[] = [];
  for (let other = 0; other < 0x20000; other++) if (raw.matchRune(other)) ranges.push(other, other);
  const set = newRuneSet(ranges);
  folded.set(rune, set);
  return set;
}

function newRuneSet(ranges: readonly number[]): RuneSet {
  return { key: ranges.join(), ranges };
}

export function hasRune({ ranges }: RuneSet, rune: number): boolean {
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle * 2 + 1] ?? 0) < rune) low = middle + 1;
    else high = middle;
  }
  const from = ranges[low * 2];
  return from !== undefined && from <= rune;
}

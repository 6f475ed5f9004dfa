/**
 * A lazily built deterministic automaton for one pattern over a given alphabet.
 *
 * A state is the set of instructions still to be entered, and the kind of the character before: position checks can only
 * be decided once the next character is known.
 */
import { type Alphabet, caseOf, kindOf, type RuneKind, type Within } from "./alphabet.ts";
import { hasRune, type NfaProgram, POSITION } from "./nfa.ts";

/** No continuation can match. */
export const DEAD = -1;
/** A part has matched, whatever follows. */
export const MATCHED = -2;
const FULL = -3;
const UNKNOWN = -4;
const MAX_STATES = 20_000;

type Before = RuneKind | "start";

interface State {
  readonly members: readonly number[];
  readonly before: Before;
  readonly next: Int32Array;
  accepts: boolean | undefined;
}

export class LazyDfa {
  /** The limit of states is exceeded. */
  static readonly FULL: number = FULL;
  readonly start: number;
  readonly #program: NfaProgram;
  readonly #alphabet: Alphabet;
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #restarts: boolean;
  readonly #looksBack: boolean;

  readonly #within: Within;

  constructor(program: NfaProgram, alphabet: Alphabet, within: Within = {}) {
    this.#program = program;
    this.#alphabet = alphabet;
    this.#within = within;
    const checks = program.instructions.map((each) => (each.kind === "check" ? each.flags : 0));
    const looking = POSITION.beginLine | POSITION.wordBoundary | POSITION.noWordBoundary;
    this.#looksBack = checks.some((flags) => (flags & looking) !== 0);
    this.#restarts = this.#canMove([program.start]);
    this.start = this.#after(this.#numberOf([program.start], "start"), within.prefix ?? "");
  }

  /** The state after a text. */
  #after(number: number, text: string): number {
    let at = number;
    for (const char of text) {
      const state = this.#states[at];
      if (at < 0 || state === undefined) return at;
      at = this.#successor(state, char.codePointAt(0) ?? 0);
    }
    return at;
  }

  step(number: number, kind: number): number {
    if (number < 0) return number;
    const state = this.#states[number];
    const char = this.#alphabet.representatives[kind];
    if (state === undefined || char === undefined) return DEAD;
    const known = state.next[kind] ?? UNKNOWN;
    if (known !== UNKNOWN) return known;
    const next = this.#successor(state, caseOf(char, this.#within.letters));
    state.next[kind] = next;
    return next;
  }

  acceptsAtEnd(number: number): boolean {
    if (number < 0) return number === MATCHED;
    const state = this.#states[number];
    if (state === undefined) return false;
    state.accepts ??= this.#endsMatched(this.#after(number, this.#within.suffix ?? ""));
    return state.accepts;
  }

  #endsMatched(number: number): boolean {
    if (number < 0) return number === MATCHED;
    const state = this.#states[number];
    return state !== undefined && this.#closure(state.members, flagsBetween(state.before, undefined)).matched;
  }

  #successor({ members, before }: State, char: number): number {
    const kind = kindOf(char);
    const { reached, matched } = this.#closure(members, flagsBetween(before, kind));
    if (matched) return MATCHED;
    const targets = new Set<number>();
    for (const at of reached) {
      const one = this.#program.instructions[at];
      if (one?.kind === "runes" && hasRune(one.set, char)) targets.add(one.out);
    }
    if (this.#restarts) targets.add(this.#program.start);
    return this.#numberOf([...targets], kind);
  }

  #numberOf(members: readonly number[], before: Before): number {
    const kept = before === "start" ? [...members] : members.filter((member) => this.#canMove([member]));
    if (kept.length === 0) return DEAD;
    kept.sort((left, right) => left - right);
    const context = before === "start" || this.#looksBack ? before : "other";
    const key = `${context} ${kept.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#states.length >= MAX_STATES) return FULL;
    const next = new Int32Array(this.#alphabet.representatives.length).fill(UNKNOWN);
    const number = this.#states.push({ members: kept, before: context, next, accepts: undefined }) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  readonly #movable = new Map<number, boolean>();

  /** Whether a match may start after the beginning of the text; anchored patterns may not. */
  #canMove(members: readonly number[]): boolean {
    return members.some((member) => {
      const known = this.#movable.get(member);
      if (known !== undefined) return known;
      const { reached, matched } = this.#closure([member], ~POSITION.beginText);
      const can = matched || reached.length > 0;
      this.#movable.set(member, can);
      return can;
    });
  }

  #closure(from: readonly number[], flags: number): { reached: number[]; matched: boolean } {
    const seen = new Set<number>();
    const pending = [...from];
    const reached: number[] = [];
    let matched = false;
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const one = this.#program.instructions[at];
      if (one === undefined || one.kind === "fail") continue;
      if (one.kind === "match") matched = true;
      else if (one.kind === "runes") reached.push(at);
      else if (one.kind === "fork") pending.push(one.out, one.other);
      else if (one.kind === "jump" || (one.flags & ~flags) === 0) pending.push(one.out);
    }
    return { reached, matched };
  }
}

/** `after` is undefined at the end of the text. */
function flagsBetween(before: Before, after: RuneKind | undefined): number {
  let flags = 0;
  if (before === "start") flags |= POSITION.beginText | POSITION.beginLine;
  if (before === "newline") flags |= POSITION.beginLine;
  if (after === undefined) flags |= POSITION.endText | POSITION.endLine;
  if (after === "newline") flags |= POSITION.endLine;
  const isBoundary = (before === "word") !== (after === "word");
  return flags | (isBoundary ? POSITION.wordBoundary : POSITION.noWordBoundary);
}

/**
 * The fast path for whether a text matches: a lazily built deterministic automaton over ASCII.
 *
 * Each character costs one table look-up, so matching is linear for every pattern. It returns `undefined`, and the
 * caller uses re2js, if the text is not ASCII or the table would grow beyond its limit. The RegExp of the
 * JavaScript engine backtracks and is never used for user patterns.
 */
import { compileProgram, type Program } from "./program.ts";
import { type CharSet, parseSubset } from "./subset.ts";

const MAX_STATES = 2000;
/** Limits the memory of one pattern: states times character classes. */
const MAX_TABLE = 1 << 15;

/** Entries of the table that are not states. */
const UNKNOWN = -1;
const DEAD = -2;
const ACCEPT = -3;
const FULL = -4;

/** Returns whether any part of a text matches, or `undefined` if it does not know. */
export interface NativeMatcher {
  matches(text: string): boolean | undefined;
}

export function compileNative(source: string): NativeMatcher | undefined {
  if (PLAIN_TEXT.test(source)) return { matches: (text) => text.includes(source) };
  const node = parseSubset(source);
  const program = node === undefined ? undefined : compileProgram(node);
  return program === undefined ? undefined : new Automaton(program);
}

/** Without special characters. */
const PLAIN_TEXT = /^[^\\.+*?()|[\]{}^$]*$/;

class Automaton implements NativeMatcher {
  readonly #program: Program;
  /** The class of each ASCII character: characters that no instruction distinguishes share one. */
  readonly #classOf: Uint8Array;
  readonly #representatives: readonly number[];
  /** The column after those of the classes: whether a state accepts at the end of the text. */
  readonly #atEnd: number;
  /** Row by row, a state's successor for each class; states are numbered by the offset of their row. */
  #table: Int32Array = new Int32Array(0);
  /** The instructions of each state, ascending. */
  readonly #states: (readonly number[])[] = [];
  readonly #numbers = new Map<string, number>();
  /** The state at the start of the text. */
  readonly #first: number;
  /** A search may begin at any position, so these belong to every state. */
  readonly #restart: readonly number[];

  constructor(program: Program) {
    this.#program = program;
    const { classOf, representatives } = partition(program);
    this.#classOf = classOf;
    this.#representatives = representatives;
    this.#atEnd = representatives.length;
    this.#restart = closure(program, [program.start], { atBegin: false, atEnd: false });
    this.#first = this.#numberOf(closure(program, [program.start], { atBegin: true, atEnd: false }), true);
  }

  matches(text: string): boolean | undefined {
    const classOf = this.#classOf;
    let table = this.#table;
    let state = this.#first;
    if (state < 0) return state === ACCEPT;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) return undefined;
      const kind = classOf[unit] ?? 0;
      let next = table[state + kind] ?? UNKNOWN;
      if (next < 0) {
        if (next === UNKNOWN) {
          next = this.#step(state, kind);
          table = this.#table;
        }
        if (next < 0) return next === FULL ? undefined : next === ACCEPT;
      }
      state = next;
    }
    return table[state + this.#atEnd] === ACCEPT;
  }

  #step(state: number, kind: number): number {
    const from = this.#states[state / (this.#atEnd + 1)] ?? [];
    const bit = 1n << BigInt(this.#representatives[kind] ?? 0);
    const targets: number[] = [...this.#restart];
    for (const member of from) {
      const instruction = this.#program.instructions[member];
      if (instruction?.kind === "set" && (instruction.set & bit) !== 0n) targets.push(instruction.next);
    }
    const members = closure(this.#program, targets, { atBegin: false, atEnd: false });
    const next = this.#numberOf(members, false);
    if (next !== FULL) this.#table[state + kind] = next;
    return next;
  }

  #numberOf(members: readonly number[], atBegin: boolean): number {
    const { instructions } = this.#program;
    if (members.some((member) => instructions[member]?.kind === "match")) return ACCEPT;
    if (members.length === 0) return DEAD;
    const key = `${atBegin}${members.join()}`;
    return this.#numbers.get(key) ?? this.#addState(key, members, atBegin);
  }

  #addState(key: string, members: readonly number[], atBegin: boolean): number {
    const stride = this.#atEnd + 1;
    const number = this.#states.length * stride;
    if (this.#states.length >= MAX_STATES || number + stride > MAX_TABLE) return FULL;
    const finals = closure(this.#program, members, { atBegin, atEnd: true });
    const acceptsAtEnd = finals.some((member) => this.#program.instructions[member]?.kind === "match");
    this.#states.push(members);
    this.#numbers.set(key, number);
    if (number + stride > this.#table.length) this.#grow(number + stride);
    this.#table[number + this.#atEnd] = acceptsAtEnd ? ACCEPT : DEAD;
    return number;
  }

  #grow(needed: number): void {
    const grown = new Int32Array(Math.max(needed, this.#table.length * 2)).fill(UNKNOWN);
    grown.set(this.#table);
    this.#table = grown;
  }
}

interface Position {
  readonly atBegin: boolean;
  readonly atEnd: boolean;
}

/** The instructions reachable without consuming a character, without forks and passed checks, ascending. */
function closure({ instructions }: Program, from: readonly number[], { atBegin, atEnd }: Position): number[] {
  const seen = new Set<number>();
  const pending = [...from];
  const reached: number[] = [];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const instruction = instructions[at];
    if (instruction === undefined || seen.has(at)) continue;
    seen.add(at);
    if (instruction.kind === "fork") pending.push(instruction.first, instruction.second);
    else if (instruction.kind === "begin") pending.push(...(atBegin ? [instruction.next] : []));
    else if (instruction.kind === "end" && atEnd) pending.push(instruction.next);
    else reached.push(at);
  }
  return reached.sort((a, b) => a - b);
}

/** Groups the characters by the sets they are in. */
function partition({ instructions }: Program): { classOf: Uint8Array; representatives: number[] } {
  const sets = new Set<CharSet>(instructions.flatMap((one) => (one.kind === "set" ? [one.set] : [])));
  const classOf = new Uint8Array(128);
  const representatives: number[] = [];
  const known = new Map<string, number>();
  for (let char = 0; char < 128; char++) {
    const signature = [...sets].map((set) => (set >> BigInt(char)) & 1n).join("");
    const kind = known.get(signature) ?? representatives.push(char) - 1;
    known.set(signature, kind);
    classOf[char] = kind;
  }
  return { classOf, representatives };
}

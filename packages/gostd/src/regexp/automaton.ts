/**
 * Queries about the language of patterns: is there a text that these match and those do not?
 *
 * The automata are built from the programs that re2js runs, so every construct is covered, and a text counts as matched
 * when any part of it matches, as in `MatchString`. Results are shortest texts, found by breadth-first search over the
 * product of lazily built deterministic automata; beyond a number of steps the result is `unknown`.
 */
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { type Alphabet, buildAlphabet, type Within } from "./alphabet.ts";
import { toDialect } from "./dialect.ts";
import { DEAD, LazyDfa, MATCHED } from "./lazy-dfa.ts";
import { type NfaProgram, readProgram } from "./nfa.ts";

/** A pattern for `findText`. Example: `compileAutomaton("^a+$")`. */
export interface Automaton {
  readonly source: string;
  readonly program: NfaProgram;
  /** Set if the pattern is matched with more than the text, or with the text in another case. */
  readonly within?: Within | undefined;
}

const MAX_INSTRUCTIONS = 12_000;
const known = new Map<string, Automaton | undefined>();
const MAX_KNOWN = 500;

/**
 * Undefined if the pattern does not compile or is too large.
 * @example compileAutomaton("a(b") // undefined
 */
export function compileAutomaton(source: string): Automaton | undefined {
  if (known.has(source)) return known.get(source);
  const made = makeAutomaton(source);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(source, made);
  return made;
}

function makeAutomaton(source: string): Automaton | undefined {
  try {
    const program = readProgram(RE2JS.compile(toDialect(source).text).re2().prog, MAX_INSTRUCTIONS);
    return program && { source, program };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return undefined;
  }
}

/** What to search for. Example: `{ accept: [before], reject: [after] }`. */
export interface TextQuery {
  /** All of these match the text. */
  readonly accept: readonly Automaton[];
  /** None of these matches the text. */
  readonly reject: readonly Automaton[];
  /** In code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The maximum number of steps. */
  readonly maxSteps?: number;
  /** Called for each step; the search ends if it throws. */
  readonly tick?: (() => void) | undefined;
}

/** A text, none, or unknown. Example: `findText(query)`. */
export type TextAnswer =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none"; readonly states: number }
  | { readonly kind: "unknown" };

const DEFAULT_STEPS = 400_000;

/**
 * The shortest text that satisfies the query.
 * @example findText({ accept: [before], reject: [after] }) // { kind: "found", text: "b" }
 */
export function findText(query: TextQuery): TextAnswer {
  return new Search(query).run();
}

interface Node {
  readonly parent: Node | undefined;
  readonly char: number;
  readonly states: readonly number[];
}

class Search {
  readonly #alphabet: Alphabet;
  readonly #accept: readonly LazyDfa[];
  readonly #reject: readonly LazyDfa[];
  readonly #min: number;
  readonly #max: number;
  #steps: number;
  readonly #tick: (() => void) | undefined;

  constructor({ accept, reject, minLength = 0, maxLength, maxSteps = DEFAULT_STEPS, tick }: TextQuery) {
    const all = [...accept, ...reject];
    this.#alphabet = buildAlphabet(
      all.map(({ program }) => program),
      all.some(({ within }) => within?.letters !== undefined),
    );
    const dfaOf = ({ program, within }: Automaton): LazyDfa => new LazyDfa(program, this.#alphabet, within);
    this.#accept = accept.map(dfaOf);
    this.#reject = reject.map(dfaOf);
    this.#min = Math.max(0, minLength);
    this.#max = maxLength ?? Number.POSITIVE_INFINITY;
    this.#steps = maxSteps;
    this.#tick = tick;
  }

  run(): TextAnswer {
    const automata = [...this.#accept, ...this.#reject];
    let level = [{ parent: undefined, char: -1, states: automata.map((each) => each.start) } as Node].filter((node) =>
      this.#isAlive(node.states),
    );
    const seen = new Set<string>();
    for (let length = 0; level.length > 0 && length <= this.#max; length++) {
      if (length >= this.#min) {
        level = level.filter(({ states }) => isNew(seen, states.join()));
        const found = level.find(({ states }) => this.#isAnswer(states));
        if (found !== undefined) return { kind: "found", text: spell(found, 0) };
      } else {
        const free = level.find(({ states }) => this.#isSettled(states));
        if (free !== undefined && this.#min <= this.#max)
          return { kind: "found", text: spell(free, this.#min - length) };
      }
      const next = this.#advance(level, automata);
      if (next === undefined) return { kind: "unknown" };
      level = next;
    }
    return { kind: "none", states: seen.size };
  }

  #advance(level: readonly Node[], automata: readonly LazyDfa[]): Node[] | undefined {
    const next = new Map<string, Node>();
    for (const parent of level) {
      for (const [kind, char] of this.#alphabet.representatives.entries()) {
        if (this.#steps-- <= 0) return undefined;
        this.#tick?.();
        const states = automata.map((each, index) => each.step(parent.states[index] ?? DEAD, kind));
        if (states.includes(LazyDfa.FULL)) return undefined;
        if (!this.#isAlive(states)) continue;
        const key = states.join();
        if (!next.has(key)) next.set(key, { parent, char, states });
      }
    }
    return [...next.values()];
  }

  /** Whether some continuation might still satisfy the query. */
  #isAlive(states: readonly number[]): boolean {
    const wanted = this.#accept.length;
    return states.every((state, index) => (index < wanted ? state !== DEAD : state !== MATCHED));
  }

  #isAnswer(states: readonly number[]): boolean {
    const all = [...this.#accept, ...this.#reject];
    return states.every((state, index) => all[index]?.acceptsAtEnd(state) === index < this.#accept.length);
  }

  /** Whether every continuation satisfies the query. */
  #isSettled(states: readonly number[]): boolean {
    return states.every((state, index) => state === (index < this.#accept.length ? MATCHED : DEAD));
  }
}

function isNew(seen: Set<string>, key: string): boolean {
  return !seen.has(key) && seen.add(key) !== undefined;
}

function spell(end: Node, padding: number): string {
  const chars: number[] = [];
  for (let node: Node | undefined = end; node !== undefined && node.char >= 0; node = node.parent)
    chars.push(node.char);
  const text = chars.reverse().map((char) => String.fromCodePoint(char));
  return text.join("") + "a".repeat(padding);
}

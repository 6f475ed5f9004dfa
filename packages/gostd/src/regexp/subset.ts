/**
 * A parser for the most common constructs of patterns: literals, classes, escapes, groups, alternation,
 * repetition, and the anchors of the whole text.
 *
 * It only gets patterns that re2js has accepted, so it need not find errors; for constructs that it does not support
 * (flags, word boundaries, Unicode classes, non-ASCII characters) it returns `undefined`. Greediness and capturing do
 * not change whether a text matches, so both are dropped.
 */
import { isAscii } from "../utf8.ts";

/** Bit n is the ASCII character n. */
export type CharSet = bigint;

export type Node =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "begin" }
  | { readonly kind: "end" }
  | { readonly kind: "concat"; readonly parts: readonly Node[] }
  | { readonly kind: "alternate"; readonly options: readonly Node[] }
  /** Without `max` there is no upper bound. */
  | { readonly kind: "repeat"; readonly body: Node; readonly min: number; readonly max: number | undefined };

export function parseSubset(source: string): Node | undefined {
  return isAscii(source) ? new SubsetParser(source).parse() : undefined;
}

const ALL: CharSet = (1n << 128n) - 1n;
const DIGIT = range("0", "9");
const WORD = DIGIT | range("a", "z") | range("A", "Z") | only("_");
const SPACE = only("\t") | only("\n") | only("\f") | only("\r") | only(" ");
const ANY_BUT_NEWLINE = ALL & ~only("\n");

const CLASS_ESCAPES: ReadonlyMap<string, CharSet> = new Map([
  ["d", DIGIT],
  ["D", ALL & ~DIGIT],
  ["w", WORD],
  ["W", ALL & ~WORD],
  ["s", SPACE],
  ["S", ALL & ~SPACE],
]);

const CONTROL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

function only(char: string): CharSet {
  return 1n << BigInt(char.charCodeAt(0));
}

function range(low: string, high: string): CharSet {
  const from = BigInt(low.charCodeAt(0));
  const to = BigInt(high.charCodeAt(0));
  return ((1n << (to - from + 1n)) - 1n) << from;
}

class SubsetParser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node | undefined {
    const node = this.#alternation();
    return this.#at === this.#source.length ? node : undefined;
  }

  #alternation(): Node | undefined {
    const options: Node[] = [];
    do {
      const option = this.#concatenation();
      if (option === undefined) return undefined;
      options.push(option);
    } while (this.#take("|"));
    return options.length === 1 ? options[0] : { kind: "alternate", options };
  }

  #concatenation(): Node | undefined {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !this.#sees("|") && !this.#sees(")")) {
      const atom = this.#atom();
      if (atom === undefined) return undefined;
      parts.push(this.#repetition(atom));
    }
    return { kind: "concat", parts };
  }

  #repetition(body: Node): Node {
    const bounds = this.#bounds();
    if (bounds === undefined) return body;
    // The mark of a non-greedy repetition.
    this.#take("?");
    return { kind: "repeat", body, ...bounds };
  }

  #bounds(): { readonly min: number; readonly max: number | undefined } | undefined {
    if (this.#take("*")) return { min: 0, max: undefined };
    if (this.#take("+")) return { min: 1, max: undefined };
    if (this.#take("?")) return { min: 0, max: 1 };
    COUNT.lastIndex = this.#at;
    const [text, min, comma, max] = COUNT.exec(this.#source) ?? [];
    if (text === undefined) return undefined;
    this.#at += text.length;
    if (comma === undefined) return { min: Number(min), max: Number(min) };
    return { min: Number(min), max: max === undefined ? undefined : Number(max) };
  }

  #atom(): Node | undefined {
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#class();
    if (this.#take("\\")) return this.#escape();
    if (this.#take("^")) return { kind: "begin" };
    if (this.#take("$")) return { kind: "end" };
    if (this.#take(".")) return { kind: "set", set: ANY_BUT_NEWLINE };
    return { kind: "set", set: only(this.#next()) };
  }

  #group(): Node | undefined {
    GROUP_START.lastIndex = this.#at;
    const start = GROUP_START.exec(this.#source)?.[0] ?? "";
    if (start === "" && this.#sees("?")) return undefined;
    this.#at += start.length;
    const body = this.#alternation();
    return this.#take(")") ? body : undefined;
  }

  #escape(): Node | undefined {
    if (this.#take("A")) return { kind: "begin" };
    if (this.#take("z")) return { kind: "end" };
    const set = this.#classEscape();
    if (set !== undefined) return { kind: "set", set };
    const char = this.#escapedChar();
    return char === undefined ? undefined : { kind: "set", set: only(char) };
  }

  #classEscape(): CharSet | undefined {
    const set = CLASS_ESCAPES.get(this.#peek());
    if (set !== undefined) this.#at++;
    return set;
  }

  #escapedChar(): string | undefined {
    const letter = this.#next();
    const control = CONTROL_ESCAPES.get(letter);
    if (control !== undefined) return control;
    if (letter === "x") return this.#hexChar();
    return /[0-9A-Za-z]/.test(letter) ? undefined : letter;
  }

  #hexChar(): string | undefined {
    const digits = this.#source.slice(this.#at, this.#at + 2);
    this.#at += 2;
    return /^[0-7][0-9a-fA-F]$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined;
  }

  #class(): Node | undefined {
    const negated = this.#take("^");
    let set = 0n;
    for (let first = true; first || !this.#sees("]"); first = false) {
      const part = this.#classPart();
      if (part === undefined) return undefined;
      set |= part;
    }
    this.#at++;
    return { kind: "set", set: negated ? ALL & ~set : set };
  }

  #classPart(): CharSet | undefined {
    if (this.#sees("[:") || this.#at >= this.#source.length) return undefined;
    if (this.#sees("\\")) {
      this.#at++;
      const set = this.#classEscape();
      if (set !== undefined) return set;
      this.#at--;
    }
    const low = this.#classChar();
    if (low === undefined) return undefined;
    if (!this.#sees("-") || this.#sees("-]")) return only(low);
    this.#at++;
    const high = this.#classChar();
    return high === undefined || high < low ? undefined : range(low, high);
  }

  #classChar(): string | undefined {
    return this.#take("\\") ? this.#escapedChar() : this.#next();
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(char: string): boolean {
    if (!this.#sees(char)) return false;
    this.#at++;
    return true;
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #next(): string {
    return this.#source.charAt(this.#at++);
  }
}

/** A count with leading zeros, or without a minimum, is a literal brace in Go. */
const COUNT = /\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}/y;
const GROUP_START = /\?(?::|P?<[A-Za-z0-9_]+>)/y;

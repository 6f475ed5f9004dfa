/**
 * The few places where re2js reads a pattern differently from Go, rewritten to what re2js understands.
 *
 * - `\p{name}`: Go ignores case, blanks, hyphens and underscores and has aliases (`\p{letter}`), but no name that
 *   needs an underscore (`\p{Old_Italic}`).
 * - `[[:]`: Go looks for the `:]` of a class name after the `[:`, re2js also within it.
 * - `[\pL\pL]`: the same class again in brackets is left out. It adds nothing but memory.
 * - Go lets several groups have the same name; re2js gets a new one for each but the first.
 *
 * Error messages quote the pattern, so a slice of the rewritten one can be traced back to the user's text.
 */
import { classAliases, classNames } from "../generated/unicode-class-names.ts";

export interface Dialect {
  /** The pattern for re2js. */
  readonly text: string;
  /** The part of the user's pattern for `slice` of the rewritten one. */
  originalOf(slice: string): string;
  /** The user's name for each group that had to be renamed. */
  readonly renamed: ReadonlyMap<string, string>;
}

interface Change {
  /** The offset in the rewritten text. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
}

const NEEDS_REWRITING = /\\[pP]|\[:/;
const NOT_RENAMED: ReadonlyMap<string, string> = new Map();

export function toDialect(source: string): Dialect {
  if (!NEEDS_REWRITING.test(source) && !hasTwoNames(source)) {
    return { text: source, originalOf: (slice) => slice, renamed: NOT_RENAMED };
  }
  const rewriter = new Rewriter(source);
  rewriter.run();
  const { text, changes, renamed } = rewriter;
  return { text, originalOf: (slice) => restore(text, changes, slice), renamed };
}

/** Not one expression: its time would grow with the square of the length. */
function hasTwoNames(source: string): boolean {
  const starts = source.matchAll(/\(\?P?</g);
  starts.next();
  return starts.next().done !== true;
}

/** Copies the pattern in one pass and rewrites the places that differ. */
class Rewriter {
  text = "";
  readonly changes: Change[] = [];
  readonly renamed = new Map<string, string>();
  readonly #groupNames = new Set<string>();
  /** All names of groups, also of those further on. */
  readonly #takenNames: ReadonlySet<string>;
  #nextNumber = 1;
  readonly #source: string;
  readonly #lastClassEnd: number;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#lastClassEnd = source.lastIndexOf(":]");
    this.#takenNames = new Set(Array.from(source.matchAll(GROUP_NAMES), ([, name = ""]) => name));
  }

  run(): void {
    while (this.#at < this.#source.length) {
      if (this.#sees("\\Q")) this.#copy(this.#lengthThrough("\\E", 2));
      else if (this.#sees("\\")) this.#escape();
      else if (this.#sees("[")) this.#class();
      else if (this.#sees("(?")) this.#group();
      else this.#copy(1);
    }
  }

  #group(): void {
    GROUP_NAME.lastIndex = this.#at;
    const [text = "(", name] = GROUP_NAME.exec(this.#source) ?? [];
    if (name === undefined || !this.#groupNames.has(name)) {
      if (name !== undefined) this.#groupNames.add(name);
      this.#copy(text.length);
      return;
    }
    const replacement = this.#unusedName(name);
    this.renamed.set(replacement, name);
    this.#replace(text.length, `(?P<${replacement}>`);
  }

  #unusedName(name: string): string {
    while (this.#takenNames.has(`${name}_${this.#nextNumber}`)) this.#nextNumber++;
    return `${name}_${this.#nextNumber++}`;
  }

  #class(): void {
    this.#copy(this.#sees("[^") ? 2 : 1);
    // A bracket in the first position is an ordinary character.
    if (this.#sees("]")) this.#copy(1);
    const seen = new Set<string>();
    while (this.#at < this.#source.length && !this.#sees("]")) {
      if (this.#sees("[:")) this.#namedClass();
      else if (this.#sees("\\")) this.#escape(seen);
      else this.#copy(1);
    }
    this.#copy(1);
  }

  #namedClass(): void {
    // Without the comparison each of many openings would search all that follows.
    const end = this.#at + 2 > this.#lastClassEnd ? -1 : this.#source.indexOf(":]", this.#at + 2);
    if (end < 0) this.#replace(1, "\\[");
    else if (!this.#sees("[:]")) this.#copy(end + 2 - this.#at);
    else this.#replace(end + 2 - this.#at, "[:?:]");
  }

  #escape(seen?: Set<string>): void {
    const letter = this.#source.charAt(this.#at + 1);
    if (letter === "p" || letter === "P") this.#unicodeClass(letter, seen);
    else this.#copy(2);
  }

  /** `seen` are the classes before it in the same brackets. */
  #unicodeClass(letter: string, seen: Set<string> | undefined): void {
    const braced = this.#source.charAt(this.#at + 2) === "{";
    const first = this.#source.codePointAt(this.#at + 2) ?? 0;
    const length = braced ? this.#lengthThrough("}", 3) : first > 0xffff ? 4 : 3;
    const written = this.#source.slice(this.#at, this.#at + length);
    if (braced && !written.endsWith("}")) {
      this.#copy(length);
      return;
    }
    const name = braced ? written.slice(3, -1) : written.slice(2);
    if (seen?.has(written) === true && !this.#isNextToDash(length)) {
      this.#replace(length, "");
      return;
    }
    const negation = name.startsWith("^") ? "^" : "";
    const known = resolveClassName(name.slice(negation.length));
    if (known !== undefined) seen?.add(written);
    // No class is called `?`, so re2js rejects it as Go rejects the original.
    this.#replace(length, `\\${letter}{${negation}${known ?? "?"}}`);
  }

  /** Then it may be the wrong end of a range. */
  #isNextToDash(length: number): boolean {
    return this.#source[this.#at - 1] === "-" || this.#source[this.#at + length] === "-";
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #lengthThrough(terminator: string, from: number): number {
    const found = this.#source.indexOf(terminator, this.#at + from);
    return (found < 0 ? this.#source.length : found + terminator.length) - this.#at;
  }

  #copy(length: number): void {
    this.text += this.#source.slice(this.#at, this.#at + length);
    this.#at += length;
  }

  #replace(length: number, replacement: string): void {
    const original = this.#source.slice(this.#at, this.#at + length);
    const start = this.text.length;
    this.text += replacement;
    this.changes.push({ start, end: this.text.length, original });
    this.#at += length;
  }
}

const GROUP_NAME = /\(\?P?<([A-Za-z0-9_]+)>/y;
const GROUP_NAMES = new RegExp(GROUP_NAME.source, "g");

/** In re2js's spelling, or `undefined` for a name that Go does not have. */
function resolveClassName(name: string): string | undefined {
  known ??= readNames();
  return known.get(canonicalName(name));
}

let known: ReadonlyMap<string, string> | undefined;

function readNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const special of ["Any", "Assigned", "Ascii", "Lc"]) names.set(special, special);
  for (const name of classNames.split(" ")) names.set(name, name);
  for (const pair of classAliases.split(" ")) {
    const [alias = "", category = ""] = pair.split("=");
    names.set(alias, category === "LC" ? "Lc" : category);
  }
  return names;
}

/** Only ASCII letters change case, as in Go. */
function canonicalName(name: string): string {
  const letters = name.replace(/[_ -]/g, "");
  const first = letters.charAt(0).replace(/[a-z]/, (letter) => letter.toUpperCase());
  return first + letters.slice(1).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function restore(text: string, changes: readonly Change[], slice: string): string {
  const from = text.indexOf(slice);
  if (from < 0) return slice;
  const to = from + slice.length;
  let restored = "";
  let at = from;
  for (const { start, end, original } of changes) {
    if (start < from || end > to) continue;
    restored += text.slice(at, start) + original;
    at = end;
  }
  return restored + text.slice(at, to);
}

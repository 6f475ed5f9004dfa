/**
 * Go's regexp: RE2 patterns, compiled with Go's error texts and matched in linear time.
 *
 * Patterns run on re2js. `matches` first tries a table-driven automaton, which supports the
 * common constructs over ASCII. Offsets are in UTF-16 units.
 */
import { type Matcher, RE2JS, RE2JSSyntaxException } from "re2js";
import { regexpError } from "../messages.ts";
import { countWork } from "../work.ts";
import { toDialect } from "./dialect.ts";
import { compileNative, type NativeMatcher } from "./native.ts";
import { expandTemplate } from "./template.ts";

/** A pattern or Go's message. Example: `compileRegexp("a+").pattern`. */
export type CompileResult =
  | { readonly pattern: Pattern; readonly error?: undefined }
  | { readonly pattern?: undefined; readonly error: string };

/**
 * `regexp.Compile`: `compileRegexp("a(b").error` is Go's message.
 * @example compileRegexp("a(b").error // "error parsing regexp: missing closing ): `a(b`"
 */
export function compileRegexp(source: string): CompileResult {
  if (isLongChoice(source)) return { pattern: new Pattern(source) };
  const dialect = toDialect(source);
  try {
    const engine = RE2JS.compile(dialect.text);
    countWork(engine.programSize() * STEPS_OF_INSTRUCTION);
    return { pattern: new Pattern(source, engine, dialect.renamed) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return { error: errorText(error, source, dialect.originalOf) };
  }
}

/** To compile it. A short pattern with repetitions has thousands of instructions. */
const STEPS_OF_INSTRUCTION = 32;

const LONG = 1 << 16;
/** Longer common starts could nest deeper than Go allows. */
const MAX_CHOICE = 400;

/**
 * A long choice of plain texts. It is valid, so it is compiled when it is used: re2js needs a gigabyte for one of three
 * megabytes, and the automaton a tenth of that.
 */
function isLongChoice(source: string): boolean {
  if (source.length < LONG || !PLAIN_CHOICE.test(source)) return false;
  for (let [start, end] = [0, 0]; end >= 0; start = end + 1) {
    end = source.indexOf("|", start);
    if ((end < 0 ? source.length : end) - start > MAX_CHOICE) return false;
  }
  return true;
}

/** ASCII without other special characters. */
const PLAIN_CHOICE = /^[\x20-\x23\x25-\x27,\-/0-9:;<=>@A-Z_`a-z|~!"]*$/;

/**
 * A compiled pattern. Only `compileRegexp` makes one.
 * @example compileRegexp("a+").pattern?.find("baab") // "aa"
 */
export class Pattern {
  readonly source: string;
  /** Number of capturing groups. */
  readonly groupCount: number;
  #compiled: RE2JS | undefined;
  readonly #renamed: ReadonlyMap<string, string>;
  /** Built on first use; `null` if the automaton does not support the pattern. */
  #native: NativeMatcher | null | undefined;

  /** Without an engine the source has no groups, and compiles. */
  constructor(source: string, engine?: RE2JS, renamed: ReadonlyMap<string, string> = new Map()) {
    this.source = source;
    this.groupCount = engine?.groupCount() ?? 0;
    this.#compiled = engine;
    this.#renamed = renamed;
  }

  get #engine(): RE2JS {
    this.#compiled ??= RE2JS.compile(this.source);
    return this.#compiled;
  }

  /** `MatchString`: whether any part of the text matches. */
  matches(text: string): boolean {
    countWork(text.length + 1);
    if (this.#native === undefined) this.#native = compileNative(this.source) ?? null;
    return this.#native?.matches(text) ?? this.#engine.test(text);
  }

  /** The leftmost match. */
  find(text: string): string | undefined {
    const span = this.findIndex(text);
    return span === undefined ? undefined : text.slice(span[0], span[1]);
  }

  findIndex(text: string): readonly [start: number, end: number] | undefined {
    countWork(text.length + 1);
    const matcher = this.#engine.matcher(text);
    return matcher.find() ? [matcher.start(), matcher.end()] : undefined;
  }

  /** Successive matches, at most `limit` of them if that is not negative. */
  findAll(text: string, limit: number = -1): string[] {
    const matcher = this.#engine.matcher(text);
    const found: string[] = [];
    let previousEnd = -1;
    for (let at = 0; at <= text.length && found.length !== limit && matcher.find(at); ) {
      const start = matcher.start();
      const end = matcher.end();
      // An empty match directly after another match does not count.
      if (end > at || start !== previousEnd) found.push(text.slice(start, end));
      at = end > at ? end : at + runeWidth(text, at);
      previousEnd = end;
    }
    return found;
  }

  /** The leftmost match and its groups; a group that took no part is `undefined`, which Go shows as "". */
  findSubmatch(text: string): readonly (string | undefined)[] | undefined {
    countWork(text.length + 1);
    const matcher = this.#engine.matcher(text);
    return matcher.find() ? groupsOf(matcher, text, this.groupCount) : undefined;
  }

  /** `ReplaceAllString`: `$1`, `$name` and `${name}` in the replacement refer to groups, `$$` is a dollar. */
  replaceAll(text: string, replacement: string): string {
    const matcher = this.#engine.matcher(text);
    const names = this.#groupsByName();
    let result = "";
    let lastEnd = 0;
    for (let at = 0; at <= text.length && matcher.find(at); ) {
      const start = matcher.start();
      const end = matcher.end();
      result += text.slice(lastEnd, start);
      // As in findAll: no replacement for an empty match directly after another.
      if (end > lastEnd || start === 0) {
        result += expandTemplate(replacement, { groups: groupsOf(matcher, text, this.groupCount), names });
      }
      lastEnd = end;
      at = Math.max(end, at + runeWidth(text, at));
    }
    return result + text.slice(lastEnd);
  }

  /** The numbers of the groups of each name, ascending. */
  #groupsByName(): ReadonlyMap<string, readonly number[]> {
    const numbers = new Map<string, number[]>();
    for (const [alias, number] of Object.entries(this.#engine.namedGroups())) {
      const name = this.#renamed.get(alias) ?? alias;
      numbers.set(
        name,
        [...(numbers.get(name) ?? []), number].sort((a, b) => a - b),
      );
    }
    return numbers;
  }
}

/** Characters of all patterns in a cache: a compiled one takes about a hundred bytes for each. */
const MAX_CACHED_TEXT = 1 << 22;

/**
 * A cache of the most recently used patterns, including those that do not compile.
 * @example compileCached("a+", new PatternCache()).pattern?.matches("aa") // true
 */
export class PatternCache {
  readonly #capacity: number;
  readonly #results = new Map<string, CompileResult>();
  #length = 0;

  constructor(capacity: number = 1024) {
    this.#capacity = capacity;
  }

  compile(source: string): CompileResult {
    const known = this.#results.get(source);
    // Removed and added again, so that the map's order is the order of use.
    if (known !== undefined) this.#results.delete(source);
    else this.#length += source.length;
    const result = known ?? compileRegexp(source);
    this.#results.set(source, result);
    while (this.#results.size > this.#capacity || (this.#length > MAX_CACHED_TEXT && this.#results.size > 1))
      this.#dropOldest();
    return result;
  }

  #dropOldest(): void {
    for (const source of this.#results.keys()) {
      this.#results.delete(source);
      this.#length -= source.length;
      return;
    }
  }
}

const defaultCache = new PatternCache();

/**
 * Like `compileRegexp`, with a cache.
 * @example compileCached("a+").pattern?.matches("aa") // true
 */
export function compileCached(source: string, cache: PatternCache = defaultCache): CompileResult {
  return cache.compile(source);
}

/** Go always quotes a part of the pattern, even an empty one; re2js leaves some out. */
function errorText(error: RE2JSSyntaxException, source: string, originalOf: (slice: string) => string): string {
  const problem = error.getDescription();
  const slice = error.getPattern();
  if (slice !== null && slice !== undefined) return regexpError(problem, originalOf(slice));
  return regexpError(problem, WHOLE_PATTERN_ERRORS.includes(problem) ? source : "");
}

const WHOLE_PATTERN_ERRORS: readonly string[] = ["expression nests too deeply", "expression too large"];

function groupsOf(matcher: Matcher, text: string, count: number): readonly (string | undefined)[] {
  return Array.from({ length: count + 1 }, (_, group) => {
    const start = matcher.start(group);
    return start < 0 ? undefined : text.slice(start, matcher.end(group));
  });
}

/** Units of the character there; 1 at the end, to step past it. */
function runeWidth(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

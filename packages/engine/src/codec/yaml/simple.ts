/**
 * The YAML that most manifests are written in, read in one pass.
 *
 * Block mappings and sequences with plain, quoted and literal scalars, and flow collections on one line: whatever else
 * turns up (anchors, tags, escapes, folded or continued scalars, tabs, repeated keys, errors), the answer is "not
 * simple", and the whole parser reads the text from the start.
 *
 * INVARIANT: a value given here is the one that the whole parser gives; tests compare the two.
 */
import { integerValue, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { resolvePlain } from "./resolve.ts";
import { isKeyUnit, isPlainStart, readFlow, readQuoted } from "./simple-scalars.ts";

const UNUSUAL = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const MAX_DEPTH = 60;
const MAX_KEY = 128;

const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const DASH = 0x2d;
const COLON = 0x3a;

/** Undefined if the text is not simple. */
export function decodeSimpleYaml(text: string): JsonObject | undefined {
  return UNUSUAL.test(text) ? undefined : new SimpleReader(text).read();
}

class SimpleReader {
  readonly #text: string;
  /** Between values: the first character of the next line with content. */
  #pos = 0;
  #lineStart = 0;
  /** How far that line is indented; -1 at the end. */
  #indent = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonObject | undefined {
    this.#skip();
    if (this.#indent === 0 && /---[ ]*\n/y.test(this.#text)) {
      this.#pos = this.#lineEnd(this.#pos) + 1;
      this.#skip();
    }
    const root = this.#indent === 0 ? this.#mapping(0, 0, this.#key()) : undefined;
    return this.#pos >= this.#text.length ? root : undefined;
  }

  /** From the start of a line to the next content. */
  #skip(): void {
    const text = this.#text;
    for (;;) {
      let at = this.#pos;
      while (text.charCodeAt(at) === SPACE) at++;
      const unit = text.charCodeAt(at);
      if (unit === NEWLINE) this.#pos = at + 1;
      else if (unit === HASH) this.#pos = this.#lineEnd(at) + 1;
      else {
        this.#lineStart = this.#pos;
        this.#indent = at >= text.length ? -1 : at - this.#pos;
        this.#pos = at;
        return;
      }
    }
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf("\n", from);
    return end === -1 ? this.#text.length : end;
  }

  #mapping(indent: number, depth: number, first: string | undefined): JsonObject | undefined {
    const object = newObject();
    for (let key = first; ; key = this.#key()) {
      if (key === undefined || object[key] !== undefined || depth > MAX_DEPTH) return undefined;
      const value = this.#value(indent, depth, true);
      if (value === undefined) return undefined;
      object[key] = value;
      if (this.#indent < indent) return object;
      if (this.#indent > indent) return undefined;
    }
  }

  /** Moves behind the colon; stays where it is if there is no key. */
  #key(): string | undefined {
    const text = this.#text;
    const start = this.#pos;
    let end = start;
    let key: string;
    if (text.charCodeAt(start) === QUOTE) {
      end = text.indexOf('"', start + 1);
      key = end === -1 ? "\\" : text.slice(start + 1, end);
      if (key.includes("\\") || key.includes("\n")) return undefined;
      end++;
    } else {
      while (isKeyUnit(text.charCodeAt(end))) end++;
      key = text.slice(start, end);
      if (end === start || text.charCodeAt(start) === DASH || typeof resolvePlain(key) !== "string") return undefined;
    }
    if (text.charCodeAt(end) !== COLON || !this.#isBreak(end + 1) || end - start > MAX_KEY) return undefined;
    this.#pos = end + 1;
    return key;
  }

  /** Whether a blank, the end of the line or of the text is there. */
  #isBreak(at: number): boolean {
    const unit = this.#text.charCodeAt(at);
    return unit === SPACE || unit === NEWLINE || at >= this.#text.length;
  }

  /** What stands behind a colon or a dash; `indent` is that of the line's collection. */
  #value(indent: number, depth: number, inMapping: boolean): JsonValue | undefined {
    const text = this.#text;
    let at = this.#pos;
    while (text.charCodeAt(at) === SPACE) at++;
    const unit = text.charCodeAt(at);
    if (unit === NEWLINE || unit === HASH || at >= text.length) return this.#nested(at, indent, depth, inMapping);
    this.#pos = at;
    if (unit === 0x7c) return this.#literal(indent);
    if (isPlainStart(unit, text.charCodeAt(at + 1))) return this.#plain(indent);
    const read = unit === 0x5b || unit === 0x7b ? readFlow(text, at) : readQuoted(text, at);
    return read !== undefined && this.#finishLine(read.end, indent) ? read.value : undefined;
  }

  /** A collection on the lines below, or nothing at all. */
  #nested(at: number, indent: number, depth: number, inMapping: boolean): JsonValue | undefined {
    this.#pos = this.#lineEnd(at) + 1;
    this.#skip();
    if (this.#indent > indent) {
      if (this.#atDash()) return this.#sequence(this.#indent, depth + 1);
      return this.#mapping(this.#indent, depth + 1, this.#key());
    }
    return inMapping && this.#indent === indent && this.#atDash() ? this.#sequence(indent, depth + 1) : null;
  }

  #atDash(): boolean {
    return this.#text.charCodeAt(this.#pos) === DASH && this.#isBreak(this.#pos + 1);
  }

  #sequence(indent: number, depth: number): JsonValue[] | undefined {
    const list: JsonValue[] = [];
    if (depth > MAX_DEPTH) return undefined;
    while (this.#indent === indent && this.#atDash()) {
      this.#pos++;
      const item = this.#item(indent, depth);
      if (item === undefined) return undefined;
      list.push(item);
    }
    // A key may follow at the same indent where the sequence is a mapping's value.
    return this.#indent <= indent ? list : undefined;
  }

  #item(indent: number, depth: number): JsonValue | undefined {
    const start = this.#pos;
    while (this.#text.charCodeAt(this.#pos) === SPACE) this.#pos++;
    if (this.#atDash()) return undefined;
    const column = this.#pos - this.#lineStart;
    const key = this.#key();
    if (key !== undefined) return this.#mapping(column, depth + 1, key);
    this.#pos = start;
    return this.#value(indent, depth, false);
  }

  /** One line; a scalar that could continue on the next line is not simple. */
  #plain(indent: number): JsonValue | undefined {
    const text = this.#text;
    const start = this.#pos;
    let at = start;
    let last = start;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === NEWLINE || (unit === HASH && text.charCodeAt(at - 1) === SPACE)) break;
      if (unit === COLON && this.#isBreak(at + 1)) return undefined;
      if (unit !== SPACE) last = at;
    }
    if (!this.#finishLine(at, indent)) return undefined;
    return plainValue(text.slice(start, last + 1));
  }

  /** Nothing but a comment may follow, and the next line must not be a continuation. */
  #finishLine(from: number, indent: number): boolean {
    const text = this.#text;
    let at = from;
    while (text.charCodeAt(at) === SPACE) at++;
    const unit = text.charCodeAt(at);
    const isComment = unit === HASH && text.charCodeAt(at - 1) === SPACE;
    if (unit !== NEWLINE && !isComment && at < text.length) return false;
    this.#pos = this.#lineEnd(at) + 1;
    this.#skip();
    return this.#indent <= indent;
  }

  /** `|` and `|-` with lines that are all indented as far as the first, or further. */
  #literal(indent: number): JsonValue | undefined {
    const text = this.#text;
    const isStripped = text.charCodeAt(this.#pos + 1) === DASH;
    let at = this.#pos + (isStripped ? 2 : 1);
    while (text.charCodeAt(at) === SPACE) at++;
    if (text.charCodeAt(at) !== NEWLINE || !text.endsWith("\n")) return undefined;
    const lines: string[] = [];
    let block = -1;
    let line = at + 1;
    while (line < text.length) {
      let first = line;
      while (text.charCodeAt(first) === SPACE) first++;
      const end = this.#lineEnd(first);
      if (first === end) {
        if (first > line) return undefined;
      } else {
        if (block === -1) block = first - line;
        if (first - line < block || block <= indent) break;
      }
      lines.push(first === end ? "" : text.slice(line + block, end));
      line = end + 1;
    }
    while (lines.at(-1) === "") lines.pop();
    if (lines.length === 0) return undefined;
    this.#pos = line;
    this.#skip();
    return this.#indent > indent ? undefined : lines.join("\n") + (isStripped ? "" : "\n");
  }
}

/** Undefined for numbers that only the whole parser gets right. */
function plainValue(text: string): JsonValue | undefined {
  const scalar = resolvePlain(text);
  if (typeof scalar === "bigint") return integerValue(scalar);
  return typeof scalar === "object" && scalar !== null ? undefined : scalar;
}

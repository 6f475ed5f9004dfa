/**
 * The `fieldPath` of a rule and the `jsonPath` of a selectable field: `.name` and `['quoted name']` segments through the
 * properties and maps of a schema. Lists cannot be entered.
 *
 * Follows ValidFieldPath of apiextensions pkg/apiserver/schema/cel/validation.go. Where the path steps below
 * `additionalProperties: true` upstream dereferences a nil schema and the request dies; here it is an error like the
 * others.
 */
import { type FieldPath, nilPath } from "../field/path.ts";
import type { Structural } from "../schema/structural.ts";
import * as messages from "./messages.ts";

export interface ResolvedFieldPath {
  readonly path: FieldPath;
  readonly schema: Structural | undefined;
  readonly error?: undefined;
}

export interface FieldPathProblem {
  readonly error: string;
}

export interface FieldPathOptions {
  /** Whether `['name']` may be used. */
  readonly allowBrackets: boolean;
}

export function resolveFieldPath(
  text: string,
  schema: Structural,
  options: FieldPathOptions = { allowBrackets: true },
): ResolvedFieldPath | FieldPathProblem {
  const tokens = new TokenReader(tokenize(text));
  let at: ResolvedFieldPath = { path: nilPath, schema };
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    const name = readName(token, tokens, options);
    if (typeof name !== "string") return name;
    const next = step(at, name);
    if (next.error !== undefined) return next;
    at = next;
    if (token === "[") {
      const close = tokens.next();
      if (close === undefined) return { error: messages.pathEndsEarly() };
      if (close !== "]") return { error: messages.expectedCloseBracket(close) };
    }
  }
  return at;
}

function readName(token: string, tokens: TokenReader, options: FieldPathOptions): string | FieldPathProblem {
  if (token !== "." && token !== "[") return { error: messages.expectedBracketOrDot(token) };
  if (token === "[" && !options.allowBrackets) return { error: messages.bracketsNotAllowed() };
  const name = tokens.next();
  if (name === undefined) return { error: messages.pathEndsEarly() };
  if (token === ".") return name;
  const isQuoted = name.length >= 2 && name.startsWith("'") && name.endsWith("'");
  if (!isQuoted) return { error: messages.expectedQuotedName(name) };
  return unescapeName(name.slice(1, -1));
}

/** Properties win over a map; a name in a map becomes a key of the path. */
function step(at: ResolvedFieldPath, name: string): ResolvedFieldPath | FieldPathProblem {
  const { schema } = at;
  if (schema === undefined) return { error: messages.notAField() };
  if (schema.properties.size > 0) {
    const property = schema.properties.get(name);
    if (property === undefined) return { error: messages.notAField() };
    return { path: at.path.child(name), schema: property };
  }
  if (schema.additionalProperties === undefined) return { error: messages.notAField() };
  return { path: at.path.key(name), schema: schema.additionalProperties.schema };
}

class TokenReader {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  next(): string | undefined {
    return this.#tokens[this.#next++];
  }
}

/** `.`, `[` and `]` are tokens, as are quoted texts and what stands between. A quote counts only where a token begins. */
function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (let start = 0; start < text.length; ) {
    const stop = text[start] === "'" ? quotedEnd(text, start) : plainEnd(text, start);
    tokens.push(text.slice(start, stop));
    start = stop;
  }
  return tokens;
}

function quotedEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "'" && text[i - 1] !== "\\") return i + 1;
  }
  return text.length;
}

function plainEnd(text: string, start: number): number {
  if (isDelimiter(text[start])) return start + 1;
  let stop = start;
  while (stop < text.length && !isDelimiter(text[stop])) stop++;
  return stop;
}

function isDelimiter(char: string | undefined): boolean {
  return char === "." || char === "[" || char === "]";
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["'", "'"],
  ["\\", "\\"],
]);

function unescapeName(text: string): string | FieldPathProblem {
  let bad: string | undefined;
  const unescaped = text.replace(/\\(.)/g, (sequence: string, char: string) => {
    const meaning = ESCAPES.get(char);
    if (meaning === undefined) bad = sequence;
    return meaning ?? "";
  });
  return bad === undefined ? unescaped : { error: messages.badEscape(bad) };
}

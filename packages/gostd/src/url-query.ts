/** Query strings and escapes of Go's net/url. */
import type { Result } from "./result.ts";
import { escapePart, unescapePart } from "./url-escape.ts";
import { compareStrings } from "./utf8.ts";

/** The values of query parameters by name. Example: `query(url).get("page")`. */
export type QueryValues = ReadonlyMap<string, readonly string[]>;

const MAX_PARAMETERS = 10_000;

/**
 * `url.ParseQuery`: all well-formed parameters, in order of first appearance, and the first error.
 * @example parseQuery("a=1;b=2").error // "invalid semicolon separator in query"
 */
export function parseQuery(raw: string): { readonly values: QueryValues; readonly error: string | undefined } {
  const values = new Map<string, string[]>();
  const pairs = raw.split("&");
  if (pairs.length > MAX_PARAMETERS) return { values, error: "number of URL query parameters exceeded limit" };
  let error: string | undefined;
  for (const pair of pairs) {
    if (pair === "") continue;
    const read = parsePair(pair);
    if (read.error === undefined) append(values, read.value);
    // A semicolon replaces an earlier error; the others do not.
    else if (error === undefined || read.error === SEMICOLON) error = read.error;
  }
  return { values, error };
}

const SEMICOLON = "invalid semicolon separator in query";

type Pair = readonly [key: string, value: string];

function parsePair(text: string): Result<Pair> {
  if (text.includes(";")) return { error: SEMICOLON };
  const [rawKey, rawValue] = cut(text, "=");
  const key = queryUnescape(rawKey);
  if (key.error !== undefined) return key;
  const value = queryUnescape(rawValue);
  return value.error === undefined ? { value: [key.value, value.value] } : value;
}

function append(values: Map<string, string[]>, [key, value]: Pair): void {
  const known = values.get(key);
  if (known === undefined) values.set(key, [value]);
  else known.push(value);
}

/**
 * `Values.Encode()`: sorted by key.
 * @example encodeQuery(new Map([["b", ["2"]], ["a", ["1"]]])) // "a=1&b=2"
 */
export function encodeQuery(values: QueryValues): string {
  const keys = [...values.keys()].sort(compareStrings);
  return keys
    .flatMap((key) => (values.get(key) ?? []).map((value) => `${queryEscape(key)}=${queryEscape(value)}`))
    .join("&");
}

/**
 * `url.QueryEscape`.
 * @example queryEscape("a b") // "a+b"
 */
export function queryEscape(text: string): string {
  return escapePart(text, "queryComponent");
}

/**
 * `url.QueryUnescape`.
 * @example queryUnescape("a+b").value // "a b"
 */
export function queryUnescape(text: string): Result<string> {
  return unescapePart(text, "queryComponent");
}

/**
 * `url.PathEscape`.
 * @example pathEscape("a/b") // "a%2Fb"
 */
export function pathEscape(text: string): string {
  return escapePart(text, "pathSegment");
}

/**
 * `url.PathUnescape`.
 * @example pathUnescape("a%2Fb").value // "a/b"
 */
export function pathUnescape(text: string): Result<string> {
  return unescapePart(text, "pathSegment");
}

/** The text before and after the first separator. */
export function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

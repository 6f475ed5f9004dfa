/**
 * The string keywords: `maxLength`, `minLength`, `pattern`.
 *
 * Upstream stops at the first that fails, so at most one is reported. It counts length in code
 * points although its `maxLength` message says "bytes"; clients match on that text, so it stays.
 */
import { type CompileResult, compileCached } from "@portcullis/gostd/regexp";
import { countRunes } from "@portcullis/gostd/utf8";
import type { Finding, Place } from "../finding.ts";
import { longerThan, mismatch, shorterThan } from "../messages.ts";
import type { Structural } from "../structural.ts";

export interface StringCheck {
  readonly maxLength: number;
  readonly minLength: number;
  /** "" if there is none. */
  readonly pattern: string;
  /** Compiled for the first value: a schema may have thousands of patterns, and an object needs few of them. */
  compiled: CompileResult | undefined;
}

export function compileString(schema: Structural): StringCheck | undefined {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength === undefined && minLength === undefined && pattern === "") return undefined;
  return {
    maxLength: maxLength ?? Number.POSITIVE_INFINITY,
    minLength: minLength ?? Number.NEGATIVE_INFINITY,
    pattern,
    compiled: undefined,
  };
}

export function checkString(check: StringCheck, value: string, place: Place | undefined): Finding | undefined {
  // A text has at most as many code points as UTF-16 units, and at least half as many.
  if (value.length > check.maxLength && countRunes(value) > check.maxLength) return longerThan(place, check.maxLength);
  if (value.length < 2 * check.minLength && countRunes(value) < check.minLength) {
    return shorterThan(place, check.minLength, value);
  }
  if (check.pattern === "") return undefined;
  check.compiled ??= compileCached(check.pattern);
  const { pattern: regexp, error } = check.compiled;
  // Upstream refuses every value then, with the reason in the pattern's place.
  if (error !== undefined) return mismatch(place, `${check.pattern}, but pattern is invalid: ${error}`, value);
  return regexp.matches(value) ? undefined : mismatch(place, check.pattern, value);
}

/**
 * The string keywords: `maxLength`, `minLength`, `pattern`.
 *
 * Upstream stops at the first that fails, so at most one is reported. It counts length in code
 * points although its `maxLength` message says "bytes"; clients match on that text, so it stays.
 */
import { compileCached, type Pattern } from "@portcullis/gostd/regexp";
import { countRunes } from "@portcullis/gostd/utf8";
import type { Finding, Place } from "../finding.ts";
import { longerThan, mismatch, shorterThan } from "../messages.ts";
import type { Structural } from "../structural.ts";

export interface StringCheck {
  readonly maxLength: number;
  readonly minLength: number;
  readonly pattern: string;
  readonly regexp: Pattern | undefined;
  /** Set if the pattern does not compile: upstream then refuses every value, with the reason in the pattern's place. */
  readonly patternError: string | undefined;
}

export function compileString(schema: Structural): StringCheck | undefined {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength === undefined && minLength === undefined && pattern === "") return undefined;
  const compiled = pattern === "" ? undefined : compileCached(pattern);
  return {
    maxLength: maxLength ?? Number.POSITIVE_INFINITY,
    minLength: minLength ?? Number.NEGATIVE_INFINITY,
    pattern,
    regexp: compiled?.pattern,
    patternError: compiled?.error,
  };
}

export function checkString(check: StringCheck, value: string, place: Place | undefined): Finding | undefined {
  // A text has at most as many code points as UTF-16 units, and at least half as many.
  if (value.length > check.maxLength && countRunes(value) > check.maxLength) return longerThan(place, check.maxLength);
  if (value.length < 2 * check.minLength && countRunes(value) < check.minLength) {
    return shorterThan(place, check.minLength, value);
  }
  if (check.patternError !== undefined) {
    return mismatch(place, `${check.pattern}, but pattern is invalid: ${check.patternError}`, value);
  }
  if (check.regexp !== undefined && !check.regexp.matches(value)) return mismatch(place, check.pattern, value);
  return undefined;
}

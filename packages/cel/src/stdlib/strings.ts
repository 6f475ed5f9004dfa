/** The string functions of the language itself; more come with ext/strings.ts. */
import { compileCached } from "@portcullis/gostd/regexp";
import { type FunctionDecl, fn, global, method } from "../types/decl.ts";
import { BOOL, STRING } from "../types/type.ts";
import { CelError, type Value } from "../values/value.ts";
import { typed } from "./typed.ts";

// biome-ignore format: a table
export const stringFunctions: readonly FunctionDecl[] = [
  fn("contains",   [method("contains_string",    STRING, [STRING], BOOL, typed((text: string, part: string) => text.includes(part)))],   "returns true if the string contains the substring", "'kubernetes'.contains('net')"),
  fn("endsWith",   [method("ends_with_string",   STRING, [STRING], BOOL, typed((text: string, part: string) => text.endsWith(part)))],   "returns true if the string ends with the suffix", "'web-1'.endsWith('-1')"),
  fn("startsWith", [method("starts_with_string", STRING, [STRING], BOOL, typed((text: string, part: string) => text.startsWith(part)))], "returns true if the string starts with the prefix", "'web-1'.startsWith('web')"),
  fn("matches", [
    global("matches",        [STRING, STRING], BOOL, typed(matchesPattern)),
    method("matches_string", STRING, [STRING], BOOL, typed(matchesPattern)),
  ], "returns true if an RE2 pattern matches any part of the string", "'web-1'.matches('^[a-z]+-[0-9]$')"),
];

function matchesPattern(text: string, pattern: string): Value {
  const compiled = compileCached(pattern);
  return compiled.error === undefined ? compiled.pattern.matches(text) : new CelError(compiled.error);
}

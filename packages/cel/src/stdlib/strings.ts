/** The string functions of the language itself; more come with ext/strings.ts. */
import { compileCached } from "@portcullis/gostd/regexp";
import { type FunctionDecl, fn, global, method } from "../types/decl.ts";
import { BOOL, STRING } from "../types/type.ts";
import { CelError, type Value } from "../values/value.ts";
import { typed } from "./typed.ts";

// biome-ignore format: a table
export const stringFunctions: readonly FunctionDecl[] = [
  fn("contains",   [method("contains_string",    STRING, [STRING], BOOL, typed((text: string, part: string) => text.includes(part)))],   "true where the text has the part"),
  fn("endsWith",   [method("ends_with_string",   STRING, [STRING], BOOL, typed((text: string, part: string) => text.endsWith(part)))],   "true where the text ends in the part"),
  fn("startsWith", [method("starts_with_string", STRING, [STRING], BOOL, typed((text: string, part: string) => text.startsWith(part)))], "true where the text begins with the part"),
  fn("matches", [
    global("matches",        [STRING, STRING], BOOL, typed(matchesPattern)),
    method("matches_string", STRING, [STRING], BOOL, typed(matchesPattern)),
  ], "true where an RE2 pattern is found somewhere in the text"),
];

function matchesPattern(text: string, pattern: string): Value {
  const compiled = compileCached(pattern);
  return compiled.error === undefined ? compiled.pattern.matches(text) : new CelError(compiled.error);
}

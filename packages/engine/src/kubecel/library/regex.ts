/**
 * `find` and `findAll` for strings. Follows apiserver pkg/cel/library/regex.go.
 */
import { type CelError, INT, listOf, noSuchOverload, STRING, TextList, type Value } from "@portcullis/cel/internal";
import { compileCached, type Pattern } from "@portcullis/gostd/regexp";
import { illegalRegex } from "../messages.ts";
import { MATCHES_RECEIVER } from "./cost.ts";
import { defineLibrary } from "./define.ts";

// biome-ignore format: a table
export const regexLibrary = defineLibrary({
  name: "kubernetes.regex",
  functions: [
    {
      name: "find", id: "string_find_string", on: STRING, params: [STRING], result: STRING, cost: MATCHES_RECEIVER,
      call: find,
      doc: "returns the first match of an RE2 pattern; empty if there is none",
      example: "'abc 123'.find('[0-9]+') == '123'",
    },
    {
      name: "findAll", id: "string_find_all_string", on: STRING, params: [STRING], result: listOf(STRING), cost: MATCHES_RECEIVER,
      call: (text, regex) => findAll(text, regex, -1),
      doc: "returns all matches of an RE2 pattern",
      example: "'1 2 3'.findAll('[0-9]') == ['1', '2', '3']",
    },
    {
      name: "findAll", id: "string_find_all_string_int", on: STRING, params: [STRING, INT], result: listOf(STRING), cost: MATCHES_RECEIVER,
      call: findAll,
      doc: "returns the first matches of an RE2 pattern, at most so many; a negative limit means all",
      example: "'1 2 3'.findAll('[0-9]', 2) == ['1', '2']",
    },
  ],
});

function find(text: Value = null, regex: Value = null): Value {
  if (typeof text !== "string" || typeof regex !== "string") return noSuchOverload();
  const pattern = compile(regex);
  return "message" in pattern ? pattern : (pattern.find(text) ?? "");
}

/** A negative limit means none. */
function findAll(text: Value = null, regex: Value = null, limit: Value = -1): Value {
  if (typeof text !== "string" || typeof regex !== "string") return noSuchOverload();
  const pattern = compile(regex);
  if ("message" in pattern) return pattern;
  return new TextList(Number(limit) < 0 ? pattern.findAll(text) : pattern.findAll(text, Number(limit)));
}

function compile(regex: string): Pattern | CelError {
  const compiled = compileCached(regex);
  return compiled.error === undefined ? compiled.pattern : illegalRegex(compiled.error);
}

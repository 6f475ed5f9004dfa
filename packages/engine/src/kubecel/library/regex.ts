/**
 * `find` and `findAll` for strings. Follows apiserver pkg/cel/library/regex.go.
 */
import {
  type CelError,
  fn,
  INT,
  type Library,
  listOf,
  method,
  noSuchOverload,
  STRING,
  TextList,
  type Value,
} from "@portcullis/cel";
import { compileCached, type Pattern } from "@portcullis/gostd/regexp";
import { illegalRegex } from "../messages.ts";

export const regexLibrary: Library = {
  name: "kubernetes.regex",
  functions: [
    fn("find", [method("string_find_string", STRING, [STRING], STRING, find)]),
    fn("findAll", [
      method("string_find_all_string", STRING, [STRING], listOf(STRING), (text, regex) => findAll(text, regex, -1)),
      method("string_find_all_string_int", STRING, [STRING, INT], listOf(STRING), findAll),
    ]),
  ],
};

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

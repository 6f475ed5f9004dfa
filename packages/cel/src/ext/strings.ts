/**
 * More functions on strings. Positions count code points.
 *
 * Version 1 added `format` and `strings.quote`, version 2 rewrote `join`. Kubernetes uses version 2, or 0
 * for compatibility with releases before 1.29. Follows cel-go ext/strings.go.
 */
import { trimSpace } from "@portcullis/gostd/space";
import type { Library } from "../library.ts";
import { typed } from "../stdlib/typed.ts";
import { type CelGoVersion, hasCelGo, NEWEST_CEL_GO } from "../types/cel-go.ts";
import { type FunctionDecl, fn, global, type Implementation, method, type Overload } from "../types/decl.ts";
import { DYN, INT, listOf, STRING, type Type } from "../types/type.ts";
import type { Int } from "../values/int.ts";
import { TextList } from "../values/list.ts";
import { isAsciiText, runesOf } from "../values/text-size.ts";
import type { Value } from "../values/value.ts";
import { earlierFormatText, formatText } from "./format.ts";
import { joinElements, joinNative } from "./join.ts";
import { indexOutOfRange, invalidSubstring } from "./messages.ts";
import { replaceFirst, SplitList, splitFirst } from "./replace.ts";
import { isPlain, runeIndex, unitIndex } from "./runes.ts";

const STRINGS = listOf(STRING);

/**
 * `split`, `replace`, `format` and others.
 * @example new Environment({ libraries: [stringsLibrary(2)] }).compile("'a,b'.split(',')").ok // true
 */
export function stringsLibrary(version: number, celGo: CelGoVersion = NEWEST_CEL_GO): Library {
  let functions = [...baseFunctions, ...versionedFunctions(version)];
  if (!hasCelGo(celGo, "0.29")) functions = withCalls(functions, OLD_SEARCHES);
  if (!hasCelGo(celGo, "0.26")) functions = withCalls(functions, EARLIER_SEARCHES);
  if (!hasCelGo(celGo, "0.23")) functions = withCalls(functions, EARLIER_FORMAT);
  return { name: "cel.lib.ext.strings", functions };
}

function withCalls(functions: readonly FunctionDecl[], calls: Calls): FunctionDecl[] {
  return functions.map((declaration) => {
    const overloads = declaration.overloads.map((overload) => {
      const call = calls[overload.id];
      return call === undefined ? overload : { ...overload, call };
    });
    return { ...declaration, overloads };
  });
}

// biome-ignore format: a table
const baseFunctions: readonly FunctionDecl[] = [
  fn("charAt",      [of("string_char_at_int", [INT], STRING, typed(charAt))], "returns the character at a position; empty at the end", "'abc'.charAt(1) == 'b'"),
  fn("indexOf", [
    of("string_index_of_string",          [STRING],      INT, typed((text: string, part: string) => indexOf(text, part, 0))),
    of("string_index_of_string_int",      [STRING, INT], INT, typed(indexOf)),
  ], "returns the position of the first occurrence of a substring; -1 if there is none", "'abcabc'.indexOf('b') == 1"),
  fn("lastIndexOf", [
    of("string_last_index_of_string",     [STRING],      INT, typed(lastIndexOf)),
    of("string_last_index_of_string_int", [STRING, INT], INT, typed(lastIndexOfFrom)),
  ], "returns the position of the last occurrence of a substring; -1 if there is none", "'abcabc'.lastIndexOf('b') == 4"),
  fn("lowerAscii",  [of("string_lower_ascii", [], STRING, typed(lowerAscii))], "converts ASCII letters to lower case", "'Web'.lowerAscii() == 'web'"),
  fn("replace", [
    of("string_replace_string_string",     [STRING, STRING],      STRING, typed((text: string, old: string, by: string) => replaceFirst(text, old, by, -1))),
    of("string_replace_string_string_int", [STRING, STRING, INT], STRING, typed(replaceFirst)),
  ], "replaces all occurrences of a substring, or the given number of them", "'a.b.c'.replace('.', '-') == 'a-b-c'"),
  fn("split", [
    of("string_split_string",     [STRING],      STRINGS, typed(splitAll)),
    of("string_split_string_int", [STRING, INT], STRINGS, typed(split)),
  ], "splits a string at a separator, into at most the given number of parts", "'a,b,c'.split(',') == ['a', 'b', 'c']"),
  fn("substring", [
    of("string_substring_int",     [INT],      STRING, typed(substringFrom)),
    of("string_substring_int_int", [INT, INT], STRING, typed(substring)),
  ], "returns the part of a string from one position up to, but not including, another", "'abcd'.substring(1, 3) == 'bc'"),
  fn("trim",        [of("string_trim", [], STRING, typed(trimSpace))], "removes white space at the beginning and the end", "' a '.trim() == 'a'"),
  fn("upperAscii",  [of("string_upper_ascii", [], STRING, typed(upperAscii))], "converts ASCII letters to upper case", "'Web'.upperAscii() == 'WEB'"),
];

// biome-ignore format: a table
function versionedFunctions(version: number): FunctionDecl[] {
  const join = version >= 2 ? joinElements : joinNative;
  const functions = [
    fn("join", [
      method("list_join",        STRINGS, [],       STRING, typed((list: Parameters<typeof join>[0]) => join(list, ""))),
      method("list_join_string", STRINGS, [STRING], STRING, typed(join)),
    ], "concatenates the strings of a list, with an optional separator", "['a', 'b'].join('-') == 'a-b'"),
  ];
  if (version < 1) return functions;
  return [
    fn("format", [of("string_format", [listOf(DYN)], STRING, typed(formatText))], "replaces the clauses of a format string by arguments", "'%s-%d'.format(['a', 1]) == 'a-1'"),
    fn("strings.quote", [global("strings_quote", [STRING], STRING, typed(quote))], "puts a string into double quotes and escapes it", "strings.quote('a') == '\"a\"'"),
    ...functions,
  ];
}

function of(id: string, params: readonly Type[], result: Type, call: Implementation): Overload {
  return method(id, STRING, params, result, call);
}

function charAt(text: string, index: Int): Value {
  if (typeof index === "bigint" || index < 0) return indexOutOfRange(index);
  const unit = unitIndex(text, index);
  const character = text.codePointAt(unit);
  if (character !== undefined) return String.fromCodePoint(character);
  return index > runesOf(text) ? indexOutOfRange(index) : "";
}

function indexOf(text: string, part: string, offset: Int): Value {
  if (offset < 0) return indexOutOfRange(offset);
  if (part === "") return emptyAt(text, offset);
  if (offset >= text.length) return -1;
  if (isPlain(text)) return text.indexOf(part, Number(offset));
  return runeIndex(text, text.indexOf(part, unitIndex(text, Number(offset))));
}

/** The empty text is found where it is looked for, at most at the end. */
function emptyAt(text: string, offset: Int): Value {
  const size = runesOf(text);
  return offset > size ? size : offset;
}

type Calls = Readonly<Record<string, Overload["call"]>>;

const EARLIER_FORMAT: Calls = { string_format: typed(earlierFormatText) };

/** Before 0.26 there was no position in an empty text where a search could start. */
const EARLIER_SEARCHES: Calls = {
  string_last_index_of_string: typed((text: string, part: string) =>
    text === "" && part !== "" ? indexOutOfRange(-1) : lastIndexOf(text, part),
  ),
};

/** Before 0.29 an empty substring was found at any position. */
const OLD_SEARCHES: Calls = {
  string_index_of_string_int: typed((text: string, part: string, offset: Int) =>
    part === "" ? offset : indexOf(text, part, offset),
  ),
  string_last_index_of_string_int: typed((text: string, part: string, offset: Int) =>
    part === "" ? offset : lastIndexOfFrom(text, part, offset),
  ),
};

function lastIndexOf(text: string, part: string): Value {
  if (part === "") return runesOf(text);
  return runeIndex(text, text.lastIndexOf(part));
}

/** The last occurrence that starts at or before the offset. */
function lastIndexOfFrom(text: string, part: string, offset: Int): Value {
  if (offset < 0) return indexOutOfRange(offset);
  if (part === "") return emptyAt(text, offset);
  if (offset >= runesOf(text)) return -1;
  return runeIndex(text, text.lastIndexOf(part, unitIndex(text, Number(offset))));
}

// Most texts are in one case already. `toLowerCase` takes several times as long to find that out.
const UPPER = /[A-Z]/;
const LOWER = /[a-z]/;

function lowerAscii(text: string): string {
  if (!UPPER.test(text)) return text;
  return isAsciiText(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

function upperAscii(text: string): string {
  if (!LOWER.test(text)) return text;
  return isAsciiText(text) ? text.toUpperCase() : text.replace(/[a-z]+/g, (run) => run.toUpperCase());
}

function splitAll(text: string, separator: string): Value {
  return separator === "" ? split(text, separator, -1) : new SplitList(text, separator);
}

function split(text: string, separator: string, limit: Int): Value {
  return new TextList(splitFirst(text, separator, Number(limit)));
}

function substringFrom(text: string, start: Int): Value {
  if (start < 0 || start > runesOf(text)) return indexOutOfRange(start);
  return text.slice(unitIndex(text, Number(start)));
}

function substring(text: string, start: Int, end: Int): Value {
  if (start > end) return invalidSubstring(start, end);
  const length = runesOf(text);
  if (start < 0 || start > length) return indexOutOfRange(start);
  if (end < 0 || end > length) return indexOutOfRange(end);
  return text.slice(unitIndex(text, Number(start)), unitIndex(text, Number(end)));
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  return `"${text.replace(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => ESCAPES[character] ?? character)}"`;
}

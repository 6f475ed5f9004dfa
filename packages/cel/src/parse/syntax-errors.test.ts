import { expect, test } from "vitest";
import { formatIssues } from "../issue.ts";
import { Source } from "../source.ts";
import { type ParseOptions, parseOptions } from "./options.ts";
import { parse } from "./parser.ts";

const start =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const defaults = parseOptions({ optionalSyntax: true });

// Each recorded from cel-go v0.26.
// biome-ignore format: a table
test.each([
  ["nothing at all",                     "",               [`1:0: Syntax error: mismatched input '<EOF>' expecting ${start}`]],
  ["blanks only",                        " ",              [`1:2: Syntax error: mismatched input '<EOF>' expecting ${start}`]],
  ["a missing operand",                  "1 +",            [`1:4: Syntax error: mismatched input '<EOF>' expecting ${start}`]],
  ["an operand too many",                "a b",            ["1:3: Syntax error: extraneous input 'b' expecting <EOF>"]],
  ["a character that is not a token",    "a $ b",          ["1:3: Syntax error: token recognition error at: '$'", "1:5: Syntax error: extraneous input 'b' expecting <EOF>"]],
  ["a lone ampersand",                   "a & b",          ["1:3: Syntax error: token recognition error at: '& '", "1:5: Syntax error: extraneous input 'b' expecting <EOF>"]],
  ["an unclosed string",                 "'abc",           ["1:1: Syntax error: token recognition error at: ''abc'", `1:5: Syntax error: mismatched input '<EOF>' expecting ${start}`]],
  ["an unclosed bracket",                "a[b",            ["1:4: Syntax error: missing ']' at '<EOF>'"]],
  ["a token in the wrong place",         "a.b)",           ["1:4: Syntax error: extraneous input ')' expecting <EOF>"]],
  ["a keyword as a field",               "a.true",         ["1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"]],
  ["an absolute keyword",                ".true",          ["1:2: Syntax error: mismatched input 'true' expecting IDENTIFIER"]],
  ["a reserved word as a variable",      "for + 1",        ["1:1: reserved identifier: for"]],
  ["a reserved word as a function",      ".if(a)",         ["1:1: reserved identifier: if"]],
  ["an int out of range",                "9223372036854775808", ["1:1: invalid int literal"]],
  ["a sign apart from its number",       "-(9223372036854775808)", ["1:3: invalid int literal"]],
  ["a uint out of range",                "18446744073709551616u", ["1:1: invalid uint literal"]],
  ["a double out of range",              "-1e999",         ["1:1: invalid double literal"]],
  ["a surrogate as a code point",        "'\\ud800'",      ["1:1: invalid unicode code point"]],
  ["a code point in bytes",              "b'\\u0041'",     ["1:1: unable to unescape string"]],
  ["has() of a name",                    "has(a)",         ["1:5: invalid argument to has() macro"]],
  ["a loop variable that is not a name", "a.all(b.c, d)",  ["1:8: argument must be a simple name"]],
  ["map() over something else",          "a.map(1, d)",    ["1:7: argument is not an identifier"]],
  ["a loop variable named like the accumulator", "a.exists(__result__, b)", ["1:10: iteration variable overwrites accumulator variable"]],
  ["an escaped name",                    "a.`b`",          ["1:3: unsupported syntax: '`'"]],
  ["problems of both kinds, in order",   "has(a) + 1u.b[ && for", [
    "1:5: invalid argument to has() macro",
    "1:16: Syntax error: extraneous input '&&' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    "1:19: reserved identifier: for",
    "1:22: Syntax error: missing ']' at '<EOF>'",
  ]],
])("%s", (_name, text, expected) => {
  expect(headings(text, defaults)).toEqual(expected);
});

// biome-ignore format: a table
test.each([
  ["a.?b",       ["1:2: unsupported syntax '.?'"]],
  ["a[?b]",      ["1:2: unsupported syntax '[?'"]],
  ["[?a]",       ["1:2: unsupported syntax '?'"]],
  ["{?a: b}",    ["1:2: unsupported syntax '?'"]],
  ["T{?a: b}",   ["1:3: unsupported syntax '?'"]],
])("%s needs the optional syntax", (text, expected) => {
  expect(headings(text, parseOptions())).toEqual(expected);
  expect(headings(text, defaults)).toEqual([]);
});

test("recovery stops after thirty attempts", () => {
  expect(headings("[1 ".repeat(40), defaults).slice(-2)).toEqual([
    "1:121: Syntax error: mismatched input '<EOF>' expecting ']'",
    "1:121: Syntax error: error recovery attempt limit exceeded: 30",
  ]);
});

test("a hundred syntax errors are enough", () => {
  const found = headings("$".repeat(150), defaults);
  expect(found).toHaveLength(101);
  expect(found.at(99)).toBe("1:100: Syntax error: token recognition error at: '$'");
  expect(found.at(100)).toBe("1 more errors were truncated");
});

test("one attempt at recovery skips a limited number of tokens", () => {
  expect(headings(`a.b(${")".repeat(3)}${"] ".repeat(300)}`, defaults)[0]).toBe(
    "-1:0: error recovery token lookahead limit exceeded: 256",
  );
});

/** The issues without the source lines that follow each. */
function headings(text: string, options: ParseOptions): string[] {
  const source = new Source(text);
  const result = parse(source, options);
  if (result.ok) return [];
  const lines = formatIssues(source, result.issues).split("\n");
  return lines.filter((line) => !line.startsWith(" | ")).map((line) => line.replace("ERROR: <input>:", ""));
}

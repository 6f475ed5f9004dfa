import { expect, test } from "vitest";
import { formatIssues, noLocation } from "./issue.ts";
import { Source } from "./source.ts";

// biome-ignore format: a table
test.each([
  ["a caret marks the column",      "a + b",  { line: 1, column: 4 },  "ERROR: <input>:1:5: m\n | a + b\n | ....^"],
  ["a tab is shown as a blank",            "\ta\tb", { line: 1, column: 3 },  "ERROR: <input>:1:4: m\n |  a b\n | ...^"],
  ["wide characters get wide marks",       "é😀+é",  { line: 1, column: 3 },  "ERROR: <input>:1:4: m\n | é😀+é\n | ．．.＾"],
  ["only the line in question is shown",   "a\nbc\nd", { line: 2, column: 1 }, "ERROR: <input>:2:2: m\n | bc\n | .^"],
  ["the end of a line can be pointed at",  "a\nb",   { line: 1, column: 1 },  "ERROR: <input>:1:2: m\n | a\n | .^"],
  ["dots end where the line does",         "ab",     { line: 1, column: 9 },  "ERROR: <input>:1:10: m\n | ab\n | ..^"],
  ["nothing of an empty text is shown",    "",       { line: 1, column: -1 }, "ERROR: <input>:1:0: m"],
  ["the expression as a whole has no line", "a",     noLocation,              "ERROR: <input>:-1:0: m"],
])("%s", (_name, text, location, expected) => {
  expect(formatIssues(new Source(text), [{ message: "m", location }])).toBe(expected);
});

test("the source may have a name", () => {
  const issues = [{ message: "m", location: { line: 1, column: 0 } }];
  expect(formatIssues(new Source("a", "rule"), issues)).toBe("ERROR: rule:1:1: m\n | a\n | ^");
});

test("a line over 16384 bytes is not shown", () => {
  const location = { line: 1, column: 0 };
  expect(formatIssues(new Source("a".repeat(16_384)), [{ message: "m", location }])).toContain(" | aaa");
  expect(formatIssues(new Source("é".repeat(8_193)), [{ message: "m", location }])).toBe("ERROR: <input>:1:1: m");
});

test("issues are sorted by location and keep their order at the same location", () => {
  const at = (message: string, line: number, column: number) => ({ message, location: { line, column } });
  const text = formatIssues(new Source("ab\ncd"), [at("3", 2, 0), at("2", 1, 1), at("4", 2, 0), at("1", -1, -1)]);
  expect(text.match(/: \d$/gm)).toEqual([": 1", ": 2", ": 3", ": 4"]);
});

test("the first hundred issues are printed, sorted", () => {
  const issues = Array.from({ length: 103 }, (_, i) => ({ message: `m${i}`, location: { line: 1, column: 200 - i } }));
  const lines = formatIssues(new Source(""), issues).split("\n");
  expect(lines).toHaveLength(101);
  expect(lines[0]).toBe("ERROR: <input>:1:102: m99");
  expect(lines[100]).toBe("3 more errors were truncated");
});

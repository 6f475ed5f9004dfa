import { expect, test } from "vitest";
import { isObject } from "../value/json.ts";
import { decodeDocuments } from "./documents.ts";
import { expressionProblems, locateInScalar, offsetOfPlace, spanInScalar } from "./scalar-position.ts";

function decodeRule(source: string) {
  const decoded = decodeDocuments(source, { positions: true })[0]?.document;
  if (decoded === undefined || decoded.error !== undefined || !isObject(decoded.value))
    throw new Error("not an object");
  const value = decoded.value["rule"];
  const node = decoded.source?.fields?.get("rule");
  if (typeof value !== "string" || node === undefined) throw new Error("no rule");
  return { value, node };
}

// In each, the word `target` stands once in the text and once in its source.
test.each([
  { name: "plain", source: "rule: self.a == target && x\n" },
  { name: "plain, folded", source: "rule: self.a ==\n    target\n    && x\n" },
  { name: "single-quoted", source: "rule: 'self == ''it'' || target'\n" },
  { name: "single-quoted, folded", source: "rule: 'self ==\n\n   ''it'' ||   target'\n" },
  { name: "double-quoted", source: 'rule: "self == \\"it\\" || \\u0041\\x42 == target"\n' },
  { name: "double-quoted with white space escapes", source: 'rule: "self\\n\\t== \\\n   target"\n' },
  { name: "JSON", source: '{"a": 1, "rule": "self == \\"\\u00e9\\/\\" || target"}' },
  { name: "double-quoted beyond the basic plane", source: 'rule: "\\U0001F6E1 🛡 target"\n' },
  { name: "literal block", source: "rule: |\n  self.all(x,\n    x == target)\n" },
  { name: "literal block with a comment behind its sign", source: "rule: |- # note\n\n  a &&\n  target\nother: 1\n" },
  { name: "folded block", source: "rule: >-\n  self.all(x,\n\n    x ==\n  target)\n" },
  { name: "block with its own indentation", source: "rule: |2\n    a\n  target\n" },
  { name: "with carriage returns", source: "rule: |\r\n  a &&\r\n  target\r\n" },
])("a word is found in a scalar: $name", ({ source }) => {
  const { value, node } = decodeRule(source);
  expect(locateInScalar(source, node, value, value.indexOf("target"))).toBe(source.indexOf("target"));
});

test("a position in white space is right after the previous character", () => {
  const source = "rule: a   + b\n";
  const { value, node } = decodeRule(source);
  expect(locateInScalar(source, node, value, 2)).toBe(source.indexOf("a") + 1);
  expect(locateInScalar(source, node, value, value.length)).toBe(source.indexOf("b") + 1);
});

test("a span covers the word at a line and column", () => {
  const source = "rule: |\n  self.spec\n    .replicas > 5\n";
  const { value, node } = decodeRule(source);
  const at = (line: number, column: number): string => {
    const { start, end } = spanInScalar(source, node, value, { line, column });
    return source.slice(start, end);
  };
  expect(at(2, 4)).toBe("replicas");
  expect(at(2, 3)).toBe(".replicas");
  expect(at(2, 13)).toBe(">");
  expect(at(2, 16)).toBe("\n");
});

test("columns count code points", () => {
  expect(offsetOfPlace("'🛡' + x", { line: 1, column: 7 })).toBe("'🛡' + x".indexOf("x"));
});

test("cel-go's issues are extracted from a message", () => {
  const message =
    "rule: Invalid value: compilation failed: ERROR: <input>:1:6: undefined field 'a'\n | self.a\n | .....^\nERROR: <input>:2:1: other\n | x\n | ^";
  expect(expressionProblems(message)).toEqual([
    { place: { line: 1, column: 6 }, message: "undefined field 'a'" },
    { place: { line: 2, column: 1 }, message: "other" },
  ]);
  expect(expressionProblems("must not be empty")).toEqual([]);
});

import { expect, test } from "vitest";
import { indentAfter } from "./yaml-indent.ts";

test.each([
  { name: "a key without a value opens a level", line: "spec:", indent: 2 },
  { name: "a nested key opens a deeper level", line: "  template:", indent: 4 },
  { name: "a key with a value keeps the level", line: "  replicas: 3", indent: 2 },
  { name: "the keys of an item are below its first key", line: "  - name: web", indent: 4 },
  { name: "a key of an item without a value opens a level", line: "  - ports:", indent: 6 },
  { name: "a block of text is indented", line: "  run: |-", indent: 4 },
  { name: "an anchor stands before the value", line: "base: &base", indent: 2 },
  { name: "a comment behind a key does not count", line: "spec: # to do", indent: 2 },
  { name: "a colon inside a text does not open a level", line: 'a: "b:"', indent: 0 },
  { name: "a colon inside a comment does not open a level", line: "# spec:", indent: 0 },
  { name: "an open brace is indented", line: "a: {", indent: 2 },
  { name: "an empty line keeps its level", line: "    ", indent: 4 },
  { name: "a hash inside a word is not a comment", line: "a: b#c:", indent: 2 },
])("$name", ({ line, indent }) => {
  expect(indentAfter(line)).toBe(" ".repeat(indent));
});

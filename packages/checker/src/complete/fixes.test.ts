import { expect, test } from "vitest";
import { fixesFor } from "./fixes.ts";

test.each([
  { name: "plain values are offered", list: '"A", "b c"', titles: ['Change to "A"', 'Change to "b c"'] },
  {
    name: "escapes are those of Go",
    list: '"\\x00", "\\u00a0"',
    titles: ['Change to "\\u0000"', 'Change to "\u00a0"'],
  },
  { name: "what is not a literal of Go is left out", list: '"\\q", "B"', titles: ['Change to "B"'] },
])("$name", ({ list, titles }) => {
  const message = `spec.mode: Unsupported value: "x": supported values: ${list}`;
  const finding = { rule: "schema/enum", message, path: "spec.mode", hint: undefined, from: 0, to: 1 };
  expect(fixesFor(finding, "x", []).map(({ title }) => title)).toEqual(titles);
});

import { expect, test } from "vitest";
import { placeAt } from "./yaml-place.ts";

/** `‸` is the cursor. */
function place(marked: string) {
  const offset = marked.indexOf("‸");
  return placeAt(marked.replace("‸", ""), offset);
}

// biome-ignore format: a table
const CASES: { name: string; text: string; path: string; at: "key" | "value"; written?: string; taken?: string[] }[] = [
  { name: "an empty text",            text: "‸", path: "", at: "key" },
  { name: "a key at the root",        text: "kind: A\nsp‸", path: "", at: "key", written: "sp", taken: ["kind"] },
  { name: "a key in a map",           text: "a:\n  b:\n    c: 1\n    ‸\n    d: 2\ne: 1\n", path: "a.b", at: "key", taken: ["c", "d"] },
  { name: "back one level",           text: "a:\n  b:\n    c: 1\n  ‸", path: "a", at: "key", taken: ["b"] },
  { name: "a key of an item",         text: "a:\n  - b: 1\n    ‸\n  - c: 2\n", path: "a.0", at: "key", taken: ["b"] },
  { name: "the first key of an item", text: "a:\n  - b: 1\n  - ‸\n    d: 3", path: "a.1", at: "key", taken: ["d"] },
  { name: "items not indented",       text: "a:\n- b: 1\n- c: 2\n  ‸", path: "a.1", at: "key", taken: ["c"] },
  { name: "after such a list",        text: "a:\n- b: 1\n‸", path: "", at: "key", taken: ["a"] },
  { name: "lists of lists",           text: "a:\n  - - b: 1\n      ‸", path: "a.0.0", at: "key", taken: ["b"] },
  { name: "a map in an item",         text: "a:\n  - b:\n      c: 1\n      ‸", path: "a.0.b", at: "key", taken: ["c"] },
  { name: "a value",                  text: "a:\n  b: x‸", path: "a.b", at: "value", written: "x" },
  { name: "a value of an item's key", text: "a:\n  - x: 1\n    b: ‸", path: "a.0.b", at: "value", written: "" },
  { name: "a quoted key",             text: "a:\n  \"b c\": x‸", path: "a.b c", at: "value", written: "x" },
  { name: "a block of text",          text: "a:\n  b: |\n    one\n    two‸\n  c: 1", path: "a.b", at: "value", written: "    one\n    two" },
  { name: "a folded block in an item", text: "a:\n- b: >-\n    one‸", path: "a.0.b", at: "value", written: "    one" },
  { name: "after a block of text",    text: "a:\n  b: |\n    one\n  ‸", path: "a", at: "key", taken: ["b"] },
  { name: "the second document",      text: "a: 1\n---\nb:\n  ‸", path: "b", at: "key" },
  { name: "comments and blank lines", text: "a:\n  b: 1\n# note\n\n  ‸", path: "a", at: "key", taken: ["b"] },
];

test.each(CASES)("$name", ({ text, path, at, written = "", taken = [] }) => {
  const found = place(text);
  expect(found?.path.join(".")).toBe(path);
  expect(found).toMatchObject({ at, written });
  if (at === "key") expect([...(found?.taken ?? [])].sort()).toEqual(taken);
});

test.each([
  { name: "flow style", text: "a: {b: ‸}" },
  { name: "a comment", text: "a: 1 # b‸" },
])("no answer in $name", ({ text }) => {
  expect(place(text)).toBeUndefined();
});

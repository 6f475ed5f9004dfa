import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { fromPlain, toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatYaml } from "./yaml.ts";

function format(data: object): string {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("not an object");
  return formatYaml([value]);
}

test("objects are written as people write them", () => {
  const object = { a: { b: ["x", { c: 1, d: null }], e: {}, f: [] }, g: "true", h: "two\nlines", i: "a: b", j: "" };
  expect(format(object)).toBe(`a:
  b:
  - x
  - c: 1
    d: null
  e: {}
  f: []
g: "true"
h: |-
  two
  lines
i: "a: b"
j: ""
`);
});

// biome-ignore format: a table
test.each([
  { name: "simple text is plain",               text: "apps/v1",          written: "apps/v1" },
  { name: "text that YAML reads as another type is quoted", text: "No",               written: '"No"' },
  { name: "a blank at the end of a line needs quotes",  text: "one \ntwo",         written: '"one \\ntwo"' },
  { name: "an empty line keeps the block style",         text: "one\n\ntwo\n",      written: "|\n  one\n\n  two" },
  { name: "a long text with a trailing blank needs quotes", text: `${"many words of it ".repeat(400)}\nend`, written: JSON.stringify(`${"many words of it ".repeat(400)}\nend`) },
])("$name", ({ text, written }) => {
  expect(format({ a: text })).toBe(`a: ${written}\n`);
});

test("written YAML parses to the same object", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."ab :#-\n'\"{}[]*&!|>%@`,?01~") }));
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(text, tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(text, value, { maxKeys: 3 }), (data) => {
      const [read] = decodeDocuments(format(data));
      if (read === undefined || read.document.error !== undefined) throw new Error(read?.document.error ?? "nothing");
      expect(toPlain(read.document.value)).toEqual(JSON.parse(JSON.stringify(data)));
    }),
    { numRuns: 500 },
  );
});

test.each([
  { name: "lists", open: "[", close: "]" },
  { name: "objects", open: '{"a":', close: "}" },
])("$name that nest deeper than the stack can be written", ({ open, close }) => {
  const decoded = decodeJson(`{"a":${open.repeat(5000)}1${close.repeat(5000)}}`);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("not an object");
  expect(formatYaml([decoded.value])).toContain(`1${close.repeat(4900)}`);
});

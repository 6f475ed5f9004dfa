import { decodeDocuments } from "@portcullis/engine/codec/documents";
import { fromPlain, toPlain } from "@portcullis/engine/value/copy";
import { isObject } from "@portcullis/engine/value/json";
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
  { name: "words are plain",               text: "apps/v1",          written: "apps/v1" },
  { name: "words that YAML reads are not", text: "No",               written: '"No"' },
  { name: "a blank at the end of a line",  text: "one \ntwo",         written: '"one \\ntwo"' },
  { name: "an empty line between",         text: "one\n\ntwo\n",      written: "|\n  one\n\n  two" },
  { name: "a long text with such a blank", text: `${"many words of it ".repeat(400)}\nend`, written: JSON.stringify(`${"many words of it ".repeat(400)}\nend`) },
])("$name", ({ text, written }) => {
  expect(format({ a: text })).toBe(`a: ${written}\n`);
});

test("reading back gives the same", () => {
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

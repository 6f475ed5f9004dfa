/** Duplicate keys of JSON and YAML have the same paths and words, each with line and column. */
import { expect, test } from "vitest";
import { decodeDocuments } from "./documents.ts";
import { alignFindings } from "./field-findings.ts";
import { LineIndex } from "./position.ts";

function found(text: string, unknown: readonly string[] = []): string[] {
  const lines = new LineIndex(text);
  return decodeDocuments(text, { duplicates: true, positions: true }).flatMap(({ document, offset }) => {
    if (document.error !== undefined) throw new Error(document.error);
    return alignFindings({ document, offset, lines }, unknown).map(
      ({ message, line, column }) => `${line}:${column} ${message}`,
    );
  });
}

test.each([
  {
    name: "at the root",
    json: '{"a": 1,\n "a": 2}',
    yaml: "a: 1\na: 2\n",
    places: ["2:2", "2:1"],
    path: "a",
  },
  {
    name: "in an item of a list",
    json: '{"spec": {"list": [{"x": 1}, {\n"image": 1, "image": 2}]}}',
    yaml: "spec:\n  list:\n  - x: 1\n  - image: 1\n    image: 2\n",
    places: ["2:13", "5:5"],
    path: "spec.list[1].image",
  },
  {
    name: "in a list of lists",
    json: '{"a": [[{"b": 1, "b": 2}]]}',
    yaml: "a: [[{b: 1, b: 2}]]\n",
    places: ["1:18", "1:13"],
    path: "a[0][0].b",
  },
  {
    name: "behind another object",
    json: '{"a": {"b": {"c": 1}, "d": {"e": 1, "e": 2}}}',
    yaml: "a:\n  b:\n    c: 1\n  d:\n    e: 1\n    e: 2\n",
    places: ["1:37", "6:5"],
    path: "a.d.e",
  },
])("a duplicate key $name", ({ json, yaml, places, path }) => {
  expect(found(json)).toEqual([`${places[0]} duplicate field "${path}"`]);
  expect(found(yaml)).toEqual([`${places[1]} duplicate field "${path}"`]);
});

test("each duplicate is a finding of its own, also in later documents", () => {
  expect(found("a: 1\n---\nb: 1\nb: 2\nb: 3\nc: {d: 1, d: 2}\n")).toEqual([
    '4:1 duplicate field "b"',
    '5:1 duplicate field "b"',
    '6:11 duplicate field "c.d"',
  ]);
});

test("a merged mapping is part of the mapping that it is merged into", () => {
  expect(found("x: &x {k: 1}\na:\n  <<: *x\n  k: 2\n  k: 3\n")).toContain('5:3 duplicate field "a.k"');
});

test("unknown fields stand at their keys, in the order of the text", () => {
  const text = "spec:\n  pausd: true\n  a: 1\n  a: 2\n  b:\n  - nam: x\n";
  expect(found(text, ['unknown field "spec.b[0].nam"', 'unknown field "spec.pausd"'])).toEqual([
    '2:3 unknown field "spec.pausd"',
    '4:3 duplicate field "spec.a"',
    '6:5 unknown field "spec.b[0].nam"',
  ]);
});

test("a deep document with many duplicates costs little", () => {
  const deep = `${"{a: ".repeat(3000)}{${"b: 1, ".repeat(2000)}}${"}".repeat(3000)}`;
  expect(found(deep)).toHaveLength(100);
});

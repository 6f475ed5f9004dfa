import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitYamlDocuments } from "../documents.ts";
import { decodeYaml } from "../yaml.ts";
import { decodeSimpleYaml } from "./simple.ts";

/** Positions are asked for, so the whole parser reads it. */
function decodeFully(text: string): unknown {
  const decoded = decodeYaml(text, { positions: true, duplicates: true });
  if (decoded.error !== undefined) return { error: decoded.error };
  return { value: decoded.value, strictErrors: decoded.strictErrors };
}

function compare(text: string): boolean {
  const value = decodeSimpleYaml(text);
  if (value === undefined) return false;
  expect({ text, value, strictErrors: [] }).toEqual({ text, ...(decodeFully(text) as object) });
  return true;
}

// biome-ignore format: a table
const SIMPLE = [
  "a: b\n", "a: b", "---\na: b\n", "# c\na: b # d\n\n", "a:\n  b: c\n  d:\n  - e\n  - f: g\n    h: i\n  -\n    j: k\n",
  "a: |\n  x\n   y\n\n  z # no comment\nb: |-\n  q\n\n\nc: 1\n", "a: [1, \"b\", 'c', d.e/f]\nb: {c: d, e: [1, {f: g}]}\nc: {}\nd: []\n",
  "a: 500m\nb: 10Gi\nc: 0\nd: -1\ne: true\nf: yes\ng: ~\nh: null\ni: \"yes\"\nj: 1.2.3\nk: --flag=x\nl: a:b\nm: 9007199254740993\n",
  "\"a b\": c\na.b/c: d\n", "a:\n- b\n- c\nd: e\n", "a:\n    b: c\n    d: e\n", "a: b   \nc:   d\n", "a: (x) y\nb: =x\nc: héllo — x\n",
];

// biome-ignore format: a table
const TRICKY = [
  "a: b\n c\n", "a: b\na: c\n", "on: x\n", "a: &x b\nc: *x\n", "a: !!str 1\n", "a: >\n  x\n", "a: |+\n  x\n", "a: |2\n   x\n", "a: \"x\\ny\"\n", "a: 'it''s'\n",
  "a: b: c\n", "a:\n\tb: c\n", "- a\n", "a: [b,\n  c]\n", "a: 1.5\n", "a: 0x1F\nb: 1_000\nc: 010\nd: .5\ne: 1e3\n", "a: b\r\n", "<<: {a: b}\n", "? a\n: b\n", "a:b\n", "a: b\n---\nc: d\n",
  "a: b\n...\n", "a: - b\n", "a:\n- - b\n", "a: |\n", "a: |\n   \n  x\n", "a: |\n  x", "a: #b\n", "a: b #c\nd: e#f\n", "a:\n  b: c\n d: e\n", "a:\n- b\n  c: d\n", "{a: b}\n", "a: {b: c,}\n", "a: [b c]\n",
  "a: @b\n", "a: `b\n", "a: %b\n", "a: \"b\" c\n", "a: \"b\n  c\"\n", "1: a\n", "~: a\n", "null: a\n", "a: ,b\n", "a: ?b\n", "a: :b\n", "a: *\n", "a: 'b'c\n", "a: [a: b]\n", "a: {a}\n", "a: {a: }\n", "a: [,]\n", "a:\n# c\n  b: d\n",
  "a: b\n  # deep\nc: d\n", "a:\n  - b\n # c\n  - d\n", "a: |\n  b\n # c\n  d\n", "a: |\n  b\n# c\nd: e\n", "a: \u2028\n", "", "\n", "# c\n", "a: ''\n", "a: \"\"\nb: \n", "a: - \n", "a: -\n", "a: --- b\n", "--- a: b\n", "--- # c\na: b\n",
  "a: 2020-01-01\n", "a: 12:30:45\n", "a: 0b11\nb: 0o17\nc: 08\nd: +1\n", "a: .nan\n", "__proto__: a\nconstructor: b\n", "a: x #\n", "a: x#\n", "a: \"x\"#c\n", "a: \"x\" #c\n", "a: []#c\n", "-: a\n", "-a: b\n", "a: {-1: b}\n", "a: {b: -}\n", "a: [-]\n", "a: [- b]\n",
];

describe("simple texts", () => {
  test.each(SIMPLE)("%j is read in one pass, and alike", (text) => {
    expect(compare(text)).toBe(true);
  });

  test.each(TRICKY)("%j is read alike, or left to the whole parser", (text) => {
    compare(text);
  });

  test("random combinations of lines give the same results", () => {
    const piece = fc.constantFrom(
      ..."ab1-:#|>[]{},'\"&*!?%@~ \n",
      "- ",
      ": ",
      " #",
      "a: ",
      "\n  ",
      "\n- ",
      "\n  - ",
      "---",
      "|\n  ",
      "yes",
      "1.5",
      "<<",
      "\\n",
    );
    const lines = fc.constantFrom(
      "a:",
      "b: c",
      "- d",
      "- e: f",
      "g: |",
      "h: [i, j]",
      "k: {l: m}",
      "# n",
      "",
      'o: "p"',
      "q: 'r'",
      "s: 1",
      "t: -",
      "- ",
      "-",
      "u: v: w",
      "x",
    );
    const indented = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 5 }), lines).map(([by, line]) => " ".repeat(by) + line),
      { maxLength: 9 },
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 14 }).map((all) => all.join("")),
      indented.map((all) => `${all.join("\n")}\n`),
      indented.map((all) => `a: b\n${all.join("\n")}`),
    );
    fc.assert(
      fc.property(text, (each) => {
        compare(each);
      }),
      { numRuns: 3000 },
    );
  });

  test("the examples of this repository are read alike, most of them by the short cut", () => {
    const root = fileURLToPath(new URL("../../../../../examples", import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yaml"));
    const texts = files.flatMap((name) =>
      splitYamlDocuments(readFileSync(path.join(root, name), "utf8")).documents.map(({ text }) => text),
    );
    const simple = texts.filter(compare).length;
    expect(simple).toBeGreaterThan(texts.length / 3);
  });
});

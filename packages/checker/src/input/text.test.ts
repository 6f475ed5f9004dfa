import { describe, expect, test } from "vitest";
import { fieldFindings } from "../check/field-findings.ts";
import { readFile } from "./text.ts";

const NAMED = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`;

describe("lists", () => {
  // biome-ignore format: a table
  test.each([
    { name: "a List is replaced by its items", text: `apiVersion: v1\nkind: List\nitems: [${NAMED("a")}, ${NAMED("b")}]\n`, found: ["v1 ConfigMap a", "v1 ConfigMap b"] },
    { name: "a list in a list is expanded", text: `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: List, items: [${NAMED("a")}]}\n`, found: ["v1 ConfigMap a"] },
    { name: "items of a typed list may omit version and kind", text: "apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n", found: ["v1 ConfigMap a"] },
    { name: "items of a typed list may have another kind", text: "apiVersion: v1\nkind: ConfigMapList\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n", found: ["v1 Secret a"] },
    { name: "items of a plain List do not inherit a kind", text: "apiVersion: v1\nkind: List\nitems:\n- metadata: {name: a}\n", found: ["  a"] },
    { name: "an empty list has no items", text: "apiVersion: v1\nkind: List\nitems: []\n", found: [] },
    { name: "a kind that ends with List but has no items is an object", text: "apiVersion: v1\nkind: PriceList\nmetadata: {name: a}\n", found: ["v1 PriceList a"] },
  ])("$name", ({ text, found }) => {
    const { documents, problems } = readFile("f.yaml", text);
    expect(documents.map(({ id }) => `${id.apiVersion} ${id.kind} ${id.name}`)).toEqual(found);
    expect(problems).toEqual([]);
  });

  test("an item that is not an object is reported at its place", () => {
    const { documents, problems } = readFile("f.yaml", `apiVersion: v1\nkind: List\nitems:\n- ${NAMED("a")}\n- oops\n`);
    expect(documents).toHaveLength(1);
    expect(problems).toMatchObject([{ rule: "input/not-an-object", range: { start: { line: 5, column: 3 } } }]);
  });

  test.each([
    ["YAML", `apiVersion: v1\nkind: List\nitems:\n- ${NAMED("a")}\n- {apiVersion: v1, kind: X, a: 1, a: 2}\n`, 5, 35],
    ["JSON", '{"kind": "List", "items": [\n{"kind": "X"},\n{"kind": "X", "a": 1, "a": 2}]}', 3, 23],
  ])("a duplicate key is reported only for its own item: %s", (_, text, line, column) => {
    const found = readFile("f.yaml", text).documents.map((document) => fieldFindings(document, [], "strict"));
    expect(found[0]).toEqual([]);
    expect(found[1]).toMatchObject([{ rule: "field/duplicate", range: { start: { line, column } } }]);
  });
});

// biome-ignore format: a table
test.each([
  { name: "a template",        text: "a: {{ .Values.x }}\nb: [\n", hint: "this looks like a template; render it first, as in `helm template . | portcullis check -`" },
  { name: "tabs",              text: "a:\n\tb: 1\n",              hint: "YAML must be indented with spaces, not tabs" },
  { name: "a binary file",     text: "\x7fELF\x02\0\0",           hint: "this is a binary file" },
  { name: "nothing special",   text: "a: [b\n",                   hint: undefined },
])("text that is not YAML gets a hint: $name", ({ text, hint }) => {
  expect(readFile("f.yaml", text).problems).toMatchObject([{ rule: "input/syntax", hint }]);
});

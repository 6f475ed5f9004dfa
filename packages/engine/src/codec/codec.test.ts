import { describe, expect, test } from "vitest";
import { decodeDocuments, looksLikeJson, splitYamlDocuments } from "./documents.ts";
import { decodeJson } from "./json.ts";
import { bodyFormat, parseMediaType } from "./media-type.ts";
import { LineIndex, locatePath, locateSteps, type SourceNode } from "./position.ts";
import { applyFieldValidation } from "./strict.ts";
import { decodeYaml } from "./yaml.ts";

describe("documents", () => {
  // biome-ignore format: a table
  test.each([
    { name: "one",                            text: "a: 1\n",                   documents: ["a: 1\n"] },
    { name: "two",                            text: "a: 1\n---\nb: 2",          documents: ["a: 1\n", "b: 2"] },
    { name: "a separator before content",     text: "---\na: 1\n--- # c\nb: 2\n", documents: ["---\na: 1\n", "b: 2\n"] },
    { name: "separators in a row",            text: "---\n---\na: 1\n",         documents: ["---\n", "a: 1\n"] },
    { name: "a separator at the end",         text: "a: 1\n---\n",              documents: ["a: 1\n"] },
    { name: "dashes inside a line",           text: "a: ---\n",                 documents: ["a: ---\n"] },
    { name: "nothing",                        text: "",                         documents: [] },
  ])("$name", ({ text, documents }) => {
    const split = splitYamlDocuments(text);
    expect(split.documents.map((document) => document.text)).toEqual(documents);
    for (const { text: part, offset } of split.documents) expect(text.startsWith(part, offset)).toBe(true);
  });

  test("nothing but a comment may follow a separator", () => {
    const split = splitYamlDocuments("a: 1\n--- b\nc: 1\n");
    expect(split).toEqual({ documents: [], error: "invalid Yaml document separator: b" });
  });

  test("a failed document does not affect the others", () => {
    const documents = decodeDocuments("a: 1\n---\nx: 1\na: b: c\n---\nb: 2\n");
    expect(documents.map(({ document }) => document.error)).toEqual([
      undefined,
      "yaml: line 2: mapping values are not allowed in this context",
      undefined,
    ]);
  });

  test("a byte order mark does not change positions", () => {
    const text = "\ufeffa: 1\nb: [2]\n---\nc: 3\n";
    const lines = new LineIndex(text);
    const places = decodeDocuments(text, { positions: true }).flatMap(({ document, offset }) =>
      document.error === undefined && document.source !== undefined
        ? [...(document.source.fields ?? [])].map(([key, { start }]) => [key, lines.locate(offset + start)])
        : [],
    );
    expect(places).toEqual([
      ["a", { line: 1, column: 4 }],
      ["b", { line: 2, column: 4 }],
      ["c", { line: 4, column: 4 }],
    ]);
    expect(lines.locate(0)).toEqual({ line: 1, column: 1 });
  });

  test("JSON documents may follow one another", () => {
    expect(decodeDocuments('{"a":1}{"b":2}')).toHaveLength(2);
    expect(decodeDocuments('{"a":1}\n---\nb: 2')).toHaveLength(2);
    expect([' \n{"a"', "a: {", "[{}]"].map(looksLikeJson)).toEqual([true, false, false]);
  });
});

describe("positions", () => {
  const json = '{\n  "spec": {"a.b/c": [1, {"x": true}]}\n}';
  const yaml = "spec:\n  a.b/c:\n  - 1\n  - x: true\n";
  const sourceOf = (text: string): SourceNode => {
    const decoded = text.startsWith("{")
      ? decodeJson(text, { positions: true })
      : decodeYaml(text, { positions: true });
    if (decoded.error !== undefined || decoded.source === undefined) throw new Error("no positions");
    return decoded.source;
  };

  // biome-ignore format: a table
  test.each([
    { path: "spec",             found: '{"a.b/c": [1, {"x": true}]}', line: 2 },
    { path: "spec.a.b/c",       found: '[1, {"x": true}]',            line: 2 },
    { path: "spec[a.b/c][1].x", found: "true",                        line: 2 },
    { path: "spec.missing",     found: '{"a.b/c": [1, {"x": true}]}', line: 2 },
    { path: "",                 found: json,                          line: 1 },
  ])("of JSON: $path", ({ path, found, line }) => {
    const node = locatePath(sourceOf(json), path);
    expect(json.slice(node.start, node.end)).toBe(found);
    expect(new LineIndex(json).locate(node.start).line).toBe(line);
  });

  // biome-ignore format: a table
  test.each([
    { path: "spec.a.b/c[0]",   at: { line: 3, column: 5 }, keyAt: undefined },
    { path: "spec.a.b/c[1].x", at: { line: 4, column: 8 }, keyAt: { line: 4, column: 5 } },
    { path: "spec[a.b/c]",     at: { line: 3, column: 3 }, keyAt: { line: 2, column: 3 } },
  ])("of YAML: $path", ({ path, at, keyAt }) => {
    const lines = new LineIndex(yaml);
    const node = locatePath(sourceOf(yaml), path);
    expect(lines.locate(node.start)).toEqual(at);
    expect(node.keyStart < 0 ? undefined : lines.locate(node.keyStart)).toEqual(keyAt);
  });

  test("by keys and indices", () => {
    const node = locateSteps(sourceOf(json), ["spec", "a.b/c", 1, "x", "deeper"]);
    expect(json.slice(node.start, node.end)).toBe("true");
  });
});

describe("field validation", () => {
  const findings = ['duplicate field "a"', "yaml: unmarshal errors:\n  line 1: x\n  line 2: y", 'unknown field "b"'];

  test("Strict makes one error of all findings", () => {
    expect(applyFieldValidation("Strict", findings.slice(0, 1).concat(findings.slice(2)))).toEqual({
      error: 'strict decoding error: duplicate field "a", unknown field "b"',
      warnings: [],
    });
  });

  test("Warn makes a warning of each, and of each line about YAML", () => {
    expect(applyFieldValidation("Warn", findings)).toEqual({
      warnings: ['duplicate field "a"', "line 1: x", "line 2: y", 'unknown field "b"'],
    });
  });

  test("Ignore reports nothing", () => {
    expect(applyFieldValidation("Ignore", findings)).toEqual({ warnings: [] });
    expect(applyFieldValidation("Strict", [])).toEqual({ warnings: [] });
  });
});

describe("media types", () => {
  // biome-ignore format: a table
  test.each([
    { header: undefined,                              format: "json" },
    { header: "",                                     format: "json" },
    { header: "application/json",                     format: "json" },
    { header: "Application/JSON; charset=utf-8",      format: "json" },
    { header: 'application/yaml; a="x;y"; b=c',       format: "yaml" },
    { header: "application/vnd.kubernetes.protobuf",  format: "protobuf" },
    { header: "application/json; charset",            format: undefined },
    { header: "application/json; a=1; a=2",           format: undefined },
    { header: "text/plain",                           format: undefined },
    { header: "application json",                     format: undefined },
  ])("$header is $format", ({ header, format }) => {
    expect(bodyFormat(header)).toBe(format);
  });

  test("patch types are parsed although they select no decoder", () => {
    expect(parseMediaType("application/merge-patch+json; x=y")).toBe("application/merge-patch+json");
  });
});

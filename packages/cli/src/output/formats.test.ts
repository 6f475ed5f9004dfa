import { formatGithub } from "@portcullis/checker/internal/output/github";
import { formatJunit } from "@portcullis/checker/internal/output/junit";
import { formatSarif } from "@portcullis/checker/internal/output/sarif";
import { formatText } from "@portcullis/checker/internal/output/text";
import type { Finding, Report } from "@portcullis/checker/internal/report/finding";
import { describe, expect, test } from "vitest";

const widget = { apiVersion: "example.com/v1", kind: "Widget", namespace: "", name: "w" };

const finding: Finding = {
  rule: "schema/maximum",
  severity: "error",
  file: "a dir/w.yaml",
  range: { start: { line: 6, column: 9 }, end: { line: 6, column: 11 } },
  object: widget,
  path: "spec.size",
  message: 'spec.size: Invalid value: 11: <too> "big" & more\nsecond line',
  hint: undefined,
  fingerprint: "0123456789ab",
};

const report: Report = {
  command: "check",
  findings: [finding, { ...finding, severity: "note", rule: "schema/pattern", range: undefined }],
  suppressed: [{ ...finding, suppressed: { by: "comment", reason: "we know" } }],
  subjects: [
    { file: "a dir/w.yaml", object: widget },
    { file: "a dir/w.yaml", object: { ...widget, name: "fine" } },
  ],
  kubeVersions: ["1.36"],
  skipped: [],
  summary: { files: 1, objects: 2, errors: 1, warnings: 0, notes: 1, withoutSchema: 0, suppressed: 1, passedOver: 0 },
};

test("JUnit has one case per object, counts errors and escapes XML", () => {
  const text = "spec.size: Invalid value: 11: &lt;too&gt; &quot;big&quot; &amp; more&#10;second line";
  expect(formatJunit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="portcullis check" tests="2" failures="1">
  <testsuite name="a dir/w.yaml" tests="2" failures="1">
    <testcase classname="a dir/w.yaml" name="example.com/v1 Widget w">
      <failure type="schema/maximum" message="${text}">a dir/w.yaml:6:9: schema/maximum: ${text}</failure>
      <system-out>note: a dir/w.yaml: schema/pattern: ${text}</system-out>
    </testcase>
    <testcase classname="a dir/w.yaml" name="example.com/v1 Widget fine"/>
  </testsuite>
</testsuites>`);
});

test("SARIF names rule, place and fingerprint", () => {
  const log = JSON.parse(formatSarif(report));
  expect(log.runs[0].tool.driver.rules).toHaveLength(2);
  expect(log.runs[0].results[0]).toMatchObject({
    ruleId: "schema/maximum",
    level: "error",
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: "a%20dir/w.yaml" },
          region: { startLine: 6, startColumn: 9, endLine: 6, endColumn: 11 },
        },
      },
    ],
    partialFingerprints: { "portcullis/v1": "0123456789ab" },
  });
  expect(log.runs[0].results[1].locations[0].physicalLocation.region).toBeUndefined();
  expect(log.runs[0].results[2].suppressions).toEqual([{ kind: "inSource", justification: "we know" }]);
});

test("GitHub commands stay on one line", () => {
  expect(formatGithub(report).split("\n")).toEqual([
    '::error file=a dir/w.yaml,line=6,col=9,endLine=6,endColumn=11,title=schema/maximum example.com/v1 Widget w::spec.size: Invalid value: 11: <too> "big" & more%0Asecond line',
    '::notice file=a dir/w.yaml,title=schema/pattern example.com/v1 Widget w::spec.size: Invalid value: 11: <too> "big" & more%0Asecond line',
  ]);
});

describe("the source line of a finding", () => {
  const frame = (line: string, column: number, width: number): string[] => {
    const range = { start: { line: 1, column }, end: { line: 1, column: column + width } };
    const only: Report = { ...report, findings: [{ ...finding, range, message: "m" }] };
    return formatText(only, { color: false, textOf: () => line })
      .split("\n")
      .slice(1, 3);
  };

  // biome-ignore format: a table
  test.each([
    { name: "tabs stay",                  line: "a:\tb",               column: 4, width: 1, shown: "a:\tb",            marks: "  \t^" },
    { name: "wide characters take two columns",   line: "日本: xy",             column: 5, width: 2, shown: "日本: xy",          marks: "      ^^" },
    { name: "marks are as wide as the characters",     line: "a: 日本",              column: 4, width: 2, shown: "a: 日本",           marks: "   ^^^^" },
    { name: "an emoji is one character",            line: "a: 🎉 x",              column: 7, width: 1, shown: "a: 🎉 x",           marks: "      ^" },
    { name: "accents take no column",          line: "e\u0301: x",           column: 5, width: 1, shown: "e\u0301: x",        marks: "   ^" },
    { name: "a byte order mark is removed",  line: "\ufeffa: 1",           column: 4, width: 1, shown: "a: 1",             marks: "   ^" },
    { name: "escapes are replaced",         line: "a: \x1b[31mx\u202e",   column: 1, width: 1, shown: "a: \ufffd[31mx\ufffd", marks: "^" },
    { name: "the start of a long line is cut",     line: `${"a".repeat(300)}b`, column: 301, width: 1, shown: `…${"a".repeat(60)}b`, marks: `${" ".repeat(61)}^` },
    { name: "the end of a long line is cut",   line: `b${"a".repeat(300)}`, column: 1, width: 1, shown: `b${"a".repeat(199)}…`, marks: "^" },
  ])("$name", ({ line, column, width, shown, marks }) => {
    expect(frame(line, column, width)).toEqual([`    1 | ${shown}`, `      | ${marks}`]);
  });

  test("escapes in names from a file are replaced too", () => {
    const only: Report = { ...report, findings: [{ ...finding, range: undefined, message: "a \x1b]0;x\x07\n b" }] };
    expect(formatText(only, { color: false, textOf: () => undefined })).toContain("  a \ufffd]0;x\ufffd\n   b");
  });
});

import { expect, test } from "vitest";
import type { Finding, Report } from "../report/finding.ts";
import { formatGithub } from "./github.ts";
import { formatJunit } from "./junit.ts";
import { formatSarif } from "./sarif.ts";

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
  summary: { files: 1, objects: 2, errors: 1, warnings: 0, notes: 1, withoutSchema: 0, suppressed: 1, passedOver: 0 },
};

test("JUnit has a case for each object, counts those with errors, and escapes what XML needs escaped", () => {
  const words = "spec.size: Invalid value: 11: &lt;too&gt; &quot;big&quot; &amp; more&#10;second line";
  expect(formatJunit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="portcullis check" tests="2" failures="1">
  <testsuite name="a dir/w.yaml" tests="2" failures="1">
    <testcase classname="a dir/w.yaml" name="example.com/v1 Widget w">
      <failure type="schema/maximum" message="${words}">a dir/w.yaml:6:9: schema/maximum: ${words}</failure>
      <system-out>note: a dir/w.yaml: schema/pattern: ${words}</system-out>
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
    '::error file=a dir/w.yaml,line=6,col=9,endLine=6,title=schema/maximum example.com/v1 Widget w::spec.size: Invalid value: 11: <too> "big" & more%0Asecond line',
    '::notice file=a dir/w.yaml,title=schema/pattern example.com/v1 Widget w::spec.size: Invalid value: 11: <too> "big" & more%0Asecond line',
  ]);
});

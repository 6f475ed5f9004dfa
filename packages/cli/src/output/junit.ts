/** JUnit XML for CI systems: a suite a file, a case an object; errors fail, warnings and notes are written out. */
import { type Finding, formatObjectId, type Report } from "../report/finding.ts";

export function formatJunit(report: Report): string {
  const files = [...new Set(report.findings.map(({ file }) => file))];
  const { errors } = report.summary;
  const suites = files.map((file) =>
    formatSuite(
      file,
      report.findings.filter((finding) => finding.file === file),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="portcullis ${escapeXml(report.command)}" tests="${report.findings.length}" failures="${errors}">`,
    ...suites,
    "</testsuites>",
  ].join("\n");
}

function formatSuite(file: string, findings: readonly Finding[]): string {
  const failures = findings.filter(({ severity }) => severity === "error").length;
  return [
    `  <testsuite name="${escapeXml(file)}" tests="${findings.length}" failures="${failures}">`,
    ...findings.map(formatCase),
    "  </testsuite>",
  ].join("\n");
}

function formatCase(finding: Finding): string {
  const subject = finding.object === undefined ? finding.file : formatObjectId(finding.object);
  const name = `${subject} ${finding.rule} ${finding.path}`.trim();
  const body =
    finding.severity === "error"
      ? `<failure type="${escapeXml(finding.rule)}" message="${escapeXml(finding.message)}"/>`
      : `<system-out>${escapeXml(`${finding.severity}: ${finding.message}`)}</system-out>`;
  return `    <testcase classname="${escapeXml(finding.file)}" name="${escapeXml(name)}">${body}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** Characters that XML cannot hold at all are left out. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"\n]/g, (char) => ENTITIES[char] ?? char);
}

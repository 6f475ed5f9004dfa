/** SARIF 2.1.0, which code scanning services read. Notes about forgiven errors are results of level `note`. */
import { type Finding, formatObjectId, type Report } from "../report/finding.ts";

export function formatSarif(report: Report): string {
  const rules = [...new Set(report.findings.map(({ rule }) => rule))].sort();
  const driver = {
    name: "Portcullis",
    rules: rules.map((id) => ({ id, shortDescription: { text: id } })),
  };
  const results = report.findings.map((finding) => toResult(finding, rules.indexOf(finding.rule)));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
  return JSON.stringify(log, undefined, 2);
}

function toResult(finding: Finding, ruleIndex: number) {
  const subject = finding.object === undefined ? "" : `${formatObjectId(finding.object)}: `;
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: finding.severity,
    message: { text: subject + finding.message + (finding.hint === undefined ? "" : ` (${finding.hint})`) },
    locations: [{ physicalLocation: { artifactLocation: { uri: toUri(finding.file) }, ...regionOf(finding) } }],
    partialFingerprints: { "portcullis/v1": finding.fingerprint },
  };
}

function regionOf({ range }: Finding) {
  if (range === undefined) return {};
  const { start, end } = range;
  return { region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column } };
}

function toUri(file: string): string {
  return file.split(/[\\/]/).map(encodeURIComponent).join("/");
}

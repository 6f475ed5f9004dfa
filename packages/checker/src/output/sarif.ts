/**
 * SARIF 2.1.0, which code scanning services read.
 *
 * Notes about ratcheted errors are results of level `note`. Findings accepted by a comment, an annotation or a baseline
 * are included with their suppression, so that a service can distinguish "fixed" from "accepted".
 */

import { type Finding, formatObjectId, type Report } from "../report/finding.ts";
import { describeRule } from "./describe-rule.ts";
import { VERSION } from "./version.ts";

export function formatSarif(report: Report): string {
  const all = [...report.findings, ...report.suppressed];
  const rules = [...new Set(all.map(({ rule }) => rule))].sort();
  const driver = {
    name: "Portcullis",
    version: VERSION,
    rules: rules.map(toRule),
  };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        columnKind: "utf16CodeUnits",
        invocations: [{ executionSuccessful: true }],
        results: all.map((finding) => toResult(finding, rules.indexOf(finding.rule))),
      },
    ],
  };
  return JSON.stringify(log, undefined, 2);
}

/** The page with every rule. */
const HELP = "https://github.com/portcullis-dev/portcullis/blob/main/docs/rules.md";

/** The same text as `portcullis explain`. */
function toRule(id: string) {
  const about = describeRule(id);
  if (about === undefined) return { id, shortDescription: { text: id } };
  return {
    id,
    helpUri: HELP,
    shortDescription: { text: about.title },
    fullDescription: { text: `${about.title}: ${about.why}` },
    ...(about.fix === "" ? {} : { help: { text: about.fix } }),
  };
}

function toResult(finding: Finding, ruleIndex: number) {
  const { object, message, hint, suppressed, source } = finding;
  const subject = object === undefined ? "" : `${formatObjectId(object)}: `;
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: finding.severity,
    message: { text: subject + message + (hint === undefined ? "" : ` (${hint})`) },
    locations: [{ physicalLocation: { artifactLocation: artifact(source ?? finding.file), ...regionOf(finding) } }],
    partialFingerprints: { "portcullis/v1": finding.fingerprint },
    ...(suppressed === undefined ? {} : { suppressions: [toSuppression(suppressed)] }),
  };
}

function toSuppression({ by, reason }: NonNullable<Finding["suppressed"]>) {
  return { kind: by === "baseline" ? "external" : "inSource", justification: reason };
}

/** A position in rendered text is none in its source. */
function regionOf({ range, source }: Finding) {
  if (range === undefined || source !== undefined) return {};
  const { start, end } = range;
  return { region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column } };
}

/** A relative path is relative to the source root; an absolute path is a file URL. */
function artifact(file: string) {
  const uri = file.split(/[\\/]/).map(encodeURIComponent).join("/");
  return file.startsWith("/") ? { uri: `file://${uri}` } : { uri: uri.replace(/^(\.\/)+/, ""), uriBaseId: "%SRCROOT%" };
}

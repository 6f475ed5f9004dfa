/** JSON for programs: the report with a schema version. */
import { stringifyExact } from "../report/exact-number.ts";
import type { Report } from "../report/finding.ts";
import { VERSION } from "./version.ts";

export const REPORT_VERSION = "report.portcullis.dev/v1";

export function formatJson(report: Report, kind = "ValidationReport", more: object = {}): string {
  const { command, summary, findings, suppressed, kubeVersions, skipped } = report;
  const tool = { name: "portcullis", version: VERSION, ...(kubeVersions.length === 0 ? {} : { kubeVersions }) };
  const body = {
    apiVersion: REPORT_VERSION,
    kind,
    tool,
    command,
    summary,
    ...more,
    findings,
    suppressed,
    ...(skipped.length === 0 ? {} : { skipped: skipped.map(({ isPacked, ...each }) => each) }),
  };
  return stringifyExact(body, 2);
}

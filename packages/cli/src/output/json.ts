/** For programs: the report itself, with a version of its own. */
import type { Report } from "../report/finding.ts";

export const REPORT_VERSION = "report.portcullis.dev/v1";

export function formatJson(report: Report): string {
  const { command, summary, findings } = report;
  return JSON.stringify(
    { apiVersion: REPORT_VERSION, kind: "ValidationReport", command, summary, findings },
    undefined,
    2,
  );
}

/** Outputs of the policy commands: some have their own format, the others are made from a report. */
import { writeFileSync } from "node:fs";
import type { ReportFormat } from "@portcullis/checker/internal/output/report-formats";
import { REPORT_FORMATS } from "@portcullis/checker/internal/output/report-formats";
import type { Report } from "@portcullis/checker/internal/report/finding";
import type { CommandIo } from "../../frame/command.ts";
import type { Output } from "../../frame/options.ts";

/** "" if there is nothing to report. */
export function renderReport(report: Report, format: ReportFormat): string {
  return format === "github" && report.findings.length === 0 ? "" : `${REPORT_FORMATS[format](report)}\n`;
}

/** To the given file, or to standard output. */
export function writeOutput({ file }: Output, text: string, io: CommandIo): void {
  if (file === undefined) io.stdout(text);
  else writeFileSync(file, text);
}

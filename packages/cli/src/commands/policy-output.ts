/** Outputs of the policy commands: some in words of their own, the others from a report. */
import { writeFileSync } from "node:fs";
import { formatGithub } from "../output/github.ts";
import { formatJunit } from "../output/junit.ts";
import { formatSarif } from "../output/sarif.ts";
import type { Report } from "../report/finding.ts";
import type { CommandIo } from "./command.ts";
import type { Output, OutputFormat } from "./options.ts";

/** "" where there is nothing to say. */
export function renderReport(report: Report, format: Exclude<OutputFormat, "text" | "json">): string {
  switch (format) {
    case "junit":
      return `${formatJunit(report)}\n`;
    case "sarif":
      return `${formatSarif(report)}\n`;
    case "github":
      return report.findings.length === 0 ? "" : `${formatGithub(report)}\n`;
  }
}

/** To the file that was named, or to standard output. */
export function writeOutput({ file }: Output, text: string, io: CommandIo): void {
  if (file === undefined) io.stdout(text);
  else writeFileSync(file, text);
}

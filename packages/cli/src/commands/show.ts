/** Printing a report the way that was asked for, and the exit code that follows from it. */
import { readFileSync } from "node:fs";
import { formatJson } from "../output/json.ts";
import { formatText } from "../output/text.ts";
import type { Report } from "../report/finding.ts";
import { type CommandIo, EXIT } from "./command.ts";
import type { OutputFormat } from "./options.ts";

export function showReport(report: Report, format: OutputFormat, io: CommandIo): number {
  if (format === "json") io.stdout(`${formatJson(report)}\n`);
  else io.stdout(`${formatText(report, { color: io.color, textOf: sourceText })}\n`);
  return report.summary.errors > 0 ? EXIT.findings : EXIT.ok;
}

function sourceText(file: string): string | undefined {
  return file === "-" ? undefined : readFileSync(file, "utf8");
}

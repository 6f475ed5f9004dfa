/** Printing a report the ways that were asked for, and the exit code that follows from it. */
import { readFileSync, writeFileSync } from "node:fs";
import { formatGithub } from "../output/github.ts";
import { formatJson } from "../output/json.ts";
import { formatJunit } from "../output/junit.ts";
import { formatSarif } from "../output/sarif.ts";
import { formatText } from "../output/text.ts";
import type { Report } from "../report/finding.ts";
import { type CommandIo, EXIT } from "./command.ts";
import type { Output, OutputFormat } from "./options.ts";

/** All forms are made from the one report, so they cannot disagree. */
export function showReport(report: Report, outputs: OutputFormat | readonly Output[], io: CommandIo): number {
  const all = typeof outputs === "string" ? [{ format: outputs, file: undefined }] : outputs;
  for (const { format, file } of all) {
    const text = `${render(report, format, io.color && file === undefined)}\n`;
    if (file === undefined) io.stdout(text);
    else writeFileSync(file, text);
  }
  return report.summary.errors > 0 ? EXIT.findings : EXIT.ok;
}

function render(report: Report, format: OutputFormat, color: boolean): string {
  switch (format) {
    case "json":
      return formatJson(report);
    case "junit":
      return formatJunit(report);
    case "sarif":
      return formatSarif(report);
    case "github":
      return formatGithub(report);
    case "text":
      return formatText(report, { color, textOf: sourceText });
  }
}

function sourceText(file: string): string | undefined {
  return file === "-" ? undefined : readFileSync(file, "utf8");
}

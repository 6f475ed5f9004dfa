/** Workflow commands that GitHub shows as annotations in the changed files. */
import { type Finding, formatObjectId, type Report } from "../report/finding.ts";

const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

export function formatGithub(report: Report): string {
  return report.findings.map(toCommand).join("\n");
}

function toCommand(finding: Finding): string {
  const { range, source, rule, object, message, hint, severity } = finding;
  const title = object === undefined ? rule : `${rule} ${formatObjectId(object)}`;
  const place =
    range === undefined || source !== undefined
      ? []
      : [
          ["line", range.start.line],
          ["col", range.start.column],
          ["endLine", range.end.line],
          // A range of several lines has no end column: GitHub would not show it.
          ...(range.end.line === range.start.line ? [["endColumn", range.end.column]] : []),
        ];
  const properties = [["file", source ?? finding.file], ...place, ["title", title]].map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  );
  return `::${COMMANDS[severity]} ${properties.join(",")}::${escapeData(hint === undefined ? message : `${message}\n${hint}`)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

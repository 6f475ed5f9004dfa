/** Workflow commands that GitHub shows as annotations in the changed files. */
import { type Finding, formatObjectId, type Report } from "../report/finding.ts";

const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

export function formatGithub(report: Report): string {
  return report.findings.map(toCommand).join("\n");
}

function toCommand(finding: Finding): string {
  const { range, file, rule, object, message, severity } = finding;
  const title = object === undefined ? rule : `${rule} ${formatObjectId(object)}`;
  const place =
    range === undefined
      ? []
      : [
          ["line", range.start.line],
          ["col", range.start.column],
          ["endLine", range.end.line],
        ];
  const properties = [["file", file], ...place, ["title", title]].map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  );
  return `::${COMMANDS[severity]} ${properties.join(",")}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

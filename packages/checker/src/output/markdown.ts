/** Markdown for comments on pull requests: a summary line, then the findings, with details folded. */
import { type Finding, formatObjectId, type Report, type Severity } from "../report/finding.ts";
import { type FindingGroup, formatOthers, groupFindings } from "./groups.ts";
import { formatSkipped } from "./skipped.ts";

const MARKS: Readonly<Record<Severity, string>> = { error: "❌", warning: "⚠️", note: "ℹ️" };
/** A comment may have 65,536 characters. */
const MAX_LENGTH = 60_000;

export function formatMarkdown(report: Report): string {
  const { errors, warnings, notes, objects, files, withoutSchema } = report.summary;
  const title = `### ${errors > 0 ? MARKS.error : warnings > 0 ? MARKS.warning : "✅"} Portcullis \`${report.command}\``;
  const counts = [count(errors, "error"), count(warnings, "warning"), ...(notes > 0 ? [count(notes, "note")] : [])];
  const head = `${title}\n\n${count(objects, "object")} in ${count(files, "file")}: **${counts.join(", ")}**${withoutSchema > 0 ? `, ${withoutSchema} without schema` : ""}`;
  const groups = groupFindings(report.findings);
  const important = groups.filter(({ first }) => first.severity !== "note");
  const minor = groups.filter(({ first }) => first.severity === "note");
  const skipped = formatSkipped(report.skipped, false).map((line) => `- ${line}`);
  const parts = [
    head,
    ...fitting(important),
    fold(count(minor.length, "note"), fitting(minor)),
    fold("Skipped", skipped),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** As many as fit into a comment. */
function fitting(groups: readonly FindingGroup[]): readonly string[] {
  const parts: string[] = [];
  let length = 0;
  for (const [index, group] of groups.entries()) {
    const part = formatGroup(group);
    length += part.length;
    if (length > MAX_LENGTH) return [...parts, `… and ${groups.length - index} more`];
    parts.push(part);
  }
  return parts;
}

function formatGroup({ first, others }: FindingGroup): string {
  const remarks = [
    first.source && `rendered from ${first.source}`,
    first.hint,
    others.length > 0 && formatOthers(others),
  ];
  return [
    `${MARKS[first.severity]} ${code(placeOf(first))} ${code(first.rule)}${first.object === undefined ? "" : ` ${code(formatObjectId(first.object))}`}`,
    fence(first.message),
    ...remarks
      .filter((remark) => typeof remark === "string" && remark !== "")
      .map((remark) => `> ${quote(String(remark))}`),
  ].join("\n");
}

function placeOf({ file, range }: Finding): string {
  return range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
}

/** Text of a file must not end the code. */
function code(text: string): string {
  const clean = text.replaceAll(/[\r\n]+/g, " ");
  return clean.includes("`") ? `\`\` ${clean} \`\`` : `\`${clean}\``;
}

function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

/** Hints have code in backticks; HTML and mentions of people have no effect. */
function quote(text: string): string {
  return text
    .replaceAll("<", "&lt;")
    .replaceAll("@", "@\u200b")
    .replaceAll(/[\r\n]+/g, " ");
}

function fold(summary: string, parts: readonly string[]): string {
  return parts.length === 0 ? "" : `<details><summary>${summary}</summary>\n\n${parts.join("\n\n")}\n\n</details>`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** For people: findings by file with the line they stand on, then one line that sums up. */
import type { LineIndex } from "@portcullis/engine/codec/position";
import { type Finding, formatObjectId, type Report, type Severity } from "../report/finding.ts";

export interface TextOptions {
  readonly color: boolean;
  /** The text of a file, for the line a finding stands on. */
  readonly textOf: (file: string) => string | undefined;
}

export type Lines = LineIndex;

export function formatText(report: Report, options: TextOptions): string {
  const paint = options.color ? paintAnsi : (text: string): string => text;
  const blocks = report.findings.map((finding) => formatFinding(finding, options, paint));
  return [...blocks, summaryLine(report, paint)].join("\n");
}

type Paint = (text: string, style: Style) => string;
type Style = Severity | "dim" | "bold";

function formatFinding(finding: Finding, options: TextOptions, paint: Paint): string {
  const { range, file, severity, rule, object } = finding;
  const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
  const subject = object === undefined ? "" : `  ${formatObjectId(object)}`;
  const head = `${paint(place, "bold")}  ${paint(severity, severity)}  ${rule}${subject}`;
  const frame = codeFrame(finding, options.textOf(file), paint);
  const words = finding.message.split("\n").map((line) => `  ${line}`);
  const hint = finding.hint === undefined ? [] : [paint(`  = ${finding.hint}`, "dim")];
  return [head, ...frame, ...words, ...hint].join("\n");
}

function codeFrame({ range }: Finding, text: string | undefined, paint: Paint): string[] {
  if (range === undefined || text === undefined) return [];
  const line = text.split("\n", range.start.line)[range.start.line - 1]?.replace(/\r$/, "") ?? "";
  const isOneLine = range.end.line === range.start.line;
  const width = Math.max(1, (isOneLine ? range.end.column : line.length + 1) - range.start.column);
  const gutter = String(range.start.line).padStart(5);
  const pointer = " ".repeat(range.start.column - 1) + "^".repeat(Math.min(width, 60));
  return [paint(`${gutter} | `, "dim") + line, paint(`${" ".repeat(5)} | ${pointer}`, "dim")];
}

function summaryLine({ summary }: Report, paint: Paint): string {
  const { objects, files, errors, warnings, notes, withoutSchema } = summary;
  const parts = [count(errors, "error"), count(warnings, "warning")];
  if (notes > 0) parts.push(count(notes, "note"));
  if (withoutSchema > 0) parts.push(`${withoutSchema} without schema`);
  const verdict = errors > 0 ? "error" : warnings > 0 ? "warning" : "note";
  return paint(`${count(objects, "object")}, ${count(files, "file")}: ${parts.join(", ")}`, verdict);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const CODES: Readonly<Record<Style, string>> = { error: "31", warning: "33", note: "36", dim: "2", bold: "1" };

function paintAnsi(text: string, style: Style): string {
  return `\x1b[${CODES[style]}m${text}\x1b[0m`;
}

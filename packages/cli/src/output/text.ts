/** For people: findings by file with the line they stand on, then one line that sums up. */
import { type Finding, formatObjectId, type Report, type Severity } from "../report/finding.ts";

export interface TextOptions {
  readonly color: boolean;
  /** The text of a file, for the line a finding stands on. */
  readonly textOf: (file: string) => string | undefined;
}

export function formatText(report: Report, options: TextOptions): string {
  const paint = options.color ? paintAnsi : (text: string): string => text;
  const linesOf = remember((file: string) => options.textOf(file)?.split("\n"));
  const blocks = report.findings.map((finding) => formatFinding(finding, linesOf(finding.file), paint));
  return [...blocks, summaryLine(report, paint)].join("\n");
}

type Paint = (text: string, style: Style) => string;
type Style = Severity | "dim" | "bold";
type Lines = readonly string[] | undefined;

/** Findings come by file, so one answer is enough. */
function remember(ask: (file: string) => Lines): (file: string) => Lines {
  let last: { readonly file: string; readonly lines: Lines } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, lines: ask(file) };
    return last.lines;
  };
}

function formatFinding(finding: Finding, lines: Lines, paint: Paint): string {
  const { range, file, severity, rule, object, kubeVersions } = finding;
  const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
  const subject = object === undefined ? "" : `  ${formatObjectId(object)}`;
  const head = `${paint(place, "bold")}  ${paint(severity, severity)}  ${rule}${subject}`;
  const words = finding.message.split("\n").map((line) => `  ${line}`);
  const remarks = [finding.hint, kubeVersions && `only in Kubernetes ${kubeVersions.join(", ")}`];
  const last = remarks.filter((text) => text !== undefined).map((text) => paint(`  = ${text}`, "dim"));
  return [head, ...codeFrame(finding, lines, paint), ...words, ...last].join("\n");
}

const MAX_LINE = 200;
const MAX_POINTER = 60;

function codeFrame({ range }: Finding, lines: Lines, paint: Paint): string[] {
  const line = range === undefined ? undefined : lines?.[range.start.line - 1]?.replace(/\r$/, "");
  if (range === undefined || line === undefined) return [];
  const before = line.slice(0, range.start.column - 1);
  if (before.length > MAX_LINE) return [];
  const isOneLine = range.end.line === range.start.line;
  const width = Math.max(1, (isOneLine ? range.end.column : line.length + 1) - range.start.column);
  const gutter = String(range.start.line).padStart(5);
  // A tab stays a tab, so that the mark stands below what it means.
  const pointer = before.replaceAll(/[^\t]/g, " ") + "^".repeat(Math.min(width, MAX_POINTER));
  const shown = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
  return [paint(`${gutter} | `, "dim") + shown, paint(`${" ".repeat(5)} | ${pointer}`, "dim")];
}

function summaryLine({ summary }: Report, paint: Paint): string {
  const { objects, files, errors, warnings, notes, withoutSchema, suppressed, passedOver } = summary;
  const parts = [count(errors, "error"), count(warnings, "warning")];
  if (notes > 0) parts.push(count(notes, "note"));
  if (withoutSchema > 0) parts.push(`${withoutSchema} without schema`);
  if (suppressed > 0) parts.push(`${suppressed} suppressed`);
  if (passedOver > 0) parts.push(`${passedOver} not of Kubernetes`);
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

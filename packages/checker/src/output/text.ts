/** Text for people: findings by file with their source line, then a summary line. */
import { type Finding, formatObjectId, type Report, type Severity } from "../report/finding.ts";
import { type FindingGroup, formatOthers, groupFindings } from "./groups.ts";
import { harmless } from "./harmless.ts";
import { formatSkipped } from "./skipped.ts";

export interface TextOptions {
  readonly color: boolean;
  /** Returns the text of a file, to show the line of a finding. */
  readonly textOf: (file: string) => string | undefined;
  /** Show equal findings one by one. */
  readonly showsAll?: boolean | undefined;
}

export function formatText(report: Report, options: TextOptions): string {
  const paint = options.color ? paintAnsi : (text: string): string => text;
  const linesOf = remember((file: string) =>
    options
      .textOf(file)
      ?.replace(/^\ufeff/, "")
      .split("\n"),
  );
  const showsAll = options.showsAll === true;
  const groups = showsAll ? report.findings.map((first) => ({ first, others: [] })) : groupFindings(report.findings);
  const blocks = groups.map((group) => formatGroup(group, linesOf(group.first.file), paint));
  const skipped = formatSkipped(report.skipped, showsAll).map((line) => paint(harmless(line), "dim"));
  return [...blocks, ...skipped, summaryLine(report, paint)].join("\n");
}

type Paint = (text: string, style: Style) => string;
type Style = Severity | "dim" | "bold";
type Lines = readonly string[] | undefined;

/** Findings are sorted by file, so caching one text is enough. */
function remember(ask: (file: string) => Lines): (file: string) => Lines {
  let last: { readonly file: string; readonly lines: Lines } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, lines: ask(file) };
    return last.lines;
  };
}

function formatGroup({ first, others }: FindingGroup, lines: Lines, paint: Paint): string {
  const block = formatFinding(first, lines, paint);
  if (others.length === 0) return block;
  return `${block}\n${paint(`  = ${harmless(formatOthers(others))} (--show all lists them)`, "dim")}`;
}

function formatFinding(finding: Finding, lines: Lines, paint: Paint): string {
  const { range, severity, rule, object, kubeVersions } = finding;
  const file = harmless(finding.file);
  const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
  const subject = object === undefined ? "" : `  ${harmless(formatObjectId(object))}`;
  const head = `${paint(place, "bold")}  ${paint(severity, severity)}  ${rule}${subject}`;
  const messageLines = finding.message.split("\n").map((line) => `  ${harmless(line)}`);
  const source = finding.source && `rendered from ${finding.source}`;
  const remarks = [source, finding.hint, kubeVersions && `only in Kubernetes ${kubeVersions.join(", ")}`];
  const last = remarks.filter((text) => text !== undefined).map((text) => paint(`  = ${harmless(text)}`, "dim"));
  return [head, ...codeFrame(finding, lines, paint), ...messageLines, ...last].join("\n");
}

const MAX_LINE = 200;
const MAX_POINTER = 60;
/** How much of a long line is shown before the marked part. */
const LEAD = 60;

function codeFrame({ range }: Finding, lines: Lines, paint: Paint): string[] {
  const line = range === undefined ? undefined : lines?.[range.start.line - 1]?.replace(/\r$/, "");
  if (range === undefined || line === undefined) return [];
  const { start, end } = range;
  const cut = start.column > MAX_LINE ? start.column - 1 - LEAD : 0;
  const shown = harmless(line.slice(cut, cut + MAX_LINE));
  const before = shown.slice(0, start.column - 1 - cut);
  const width = (end.line === start.line ? end.column : line.length + 1) - start.column;
  const meant = shown.slice(before.length, before.length + Math.max(1, width));
  const marks = "^".repeat(Math.min(Math.max(1, columnsOf(meant).length), MAX_POINTER));
  const [head, tail] = [cut > 0 ? "…" : "", cut + MAX_LINE < line.length ? "…" : ""];
  const gutter = String(start.line).padStart(5);
  return [
    paint(`${gutter} | `, "dim") + head + shown + tail,
    paint(`${" ".repeat(5)} | ${head === "" ? "" : " "}${columnsOf(before)}${marks}`, "dim"),
  ];
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Blanks as wide as the text on a terminal. Tabs are kept, so that the marks line up. */
function columnsOf(text: string): string {
  return [...text]
    .map((char) => (char === "\t" ? char : /\p{M}/u.test(char) ? "" : WIDE.test(char) ? "  " : " "))
    .join("");
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

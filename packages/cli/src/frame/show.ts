/** Prints a report in the requested formats and computes the exit code. */
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readTextFile } from "@portcullis/checker/internal/input/read-text";
import { applyBaseline, formatBaseline, readBaseline } from "@portcullis/checker/internal/output/baseline";
import { formatJson } from "@portcullis/checker/internal/output/json";
import { REPORT_FORMATS } from "@portcullis/checker/internal/output/report-formats";
import { formatText } from "@portcullis/checker/internal/output/text";
import { buildReport, type ReportInit } from "@portcullis/checker/internal/report/build";
import { applyIgnores } from "@portcullis/checker/internal/report/comments";
import type { Finding, Report } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { type CommandIo, EXIT } from "./command.ts";
import type { OptionSpecs } from "./option-spec.ts";
import {
  formatList,
  type Options,
  OUTPUT_FORMATS,
  type Output,
  type OutputFormat,
  readChoice,
  readOutputs,
} from "./options.ts";

const GROUP = "findings and output";

/** The options of every command that reports findings. */
export const REPORT_OPTIONS = {
  output: {
    type: "string",
    short: "o",
    multiple: true,
    value: "FORMAT[=FILE]",
    values: OUTPUT_FORMATS,
    group: GROUP,
    text: `${formatList()}; FORMAT=FILE writes to a file, so you can combine several`,
  },
  "fail-on": {
    type: "string",
    value: "LEVEL",
    values: ["error", "warning", "note"],
    group: GROUP,
    text: "the lowest severity that sets the exit code to 1: error (default), warning or note",
  },
  show: {
    type: "string",
    multiple: true,
    value: "WHAT",
    values: ["all"],
    group: GROUP,
    text: "all: show equal findings and skipped files one by one",
  },
  "exit-zero": { type: "boolean", group: GROUP, text: "exit with 0 even if there are findings" },
  baseline: {
    type: "string",
    value: "FILE",
    group: GROUP,
    text: "ignore the findings listed in FILE; stale entries are reported",
  },
  "write-baseline": {
    type: "string",
    value: "FILE",
    group: GROUP,
    text: "write the current findings to FILE and exit with 0",
  },
} as const satisfies OptionSpecs;

export interface ReportSettings {
  readonly outputs: readonly Output[];
  readonly failOn: FailLevel;
  readonly exitZero: boolean;
  readonly baseline: string | undefined;
  readonly writeBaseline: string | undefined;
  /** Show equal findings one by one. */
  readonly showsAll: boolean;
}

const LEVELS = ["error", "warning", "note"] as const;
type FailLevel = (typeof LEVELS)[number];

export function readReportSettings(options: Options): ReportSettings {
  return {
    outputs: readOutputs(options.texts("output")),
    failOn: readChoice("fail-on", options.text("fail-on") ?? "error", LEVELS),
    exitZero: options.flag("exit-zero"),
    baseline: options.text("baseline"),
    writeBaseline: options.text("write-baseline"),
    showsAll: options.texts("show").includes("all"),
  };
}

/** The files that a run writes. */
export function outputFiles(options: Options): string[] {
  return readOutputs(options.texts("output")).flatMap(({ file }) => (file === undefined ? [] : [file]));
}

/** What is shown in addition to the report. */
export interface ShowOptions {
  /** The texts of files that were read, so that no file is read twice; others are read when needed. */
  readonly textOf?: ((file: string) => string | undefined) | undefined;
  /** The kind and additional members of the JSON format. */
  readonly json?: { readonly kind: string; readonly more: object } | undefined;
  /** Text that follows the report in text format on standard output. */
  readonly after?: string | undefined;
  /** The texts that may contain comments and annotations that suppress findings. */
  readonly documents?: readonly ManifestDocument[] | undefined;
  /** Show equal findings one by one. */
  readonly showsAll?: boolean | undefined;
}

/** All steps from findings to an exit code: suppressions, baseline, outputs. */
export function finishReport(
  init: ReportInit,
  settings: ReportSettings,
  io: CommandIo,
  more: ShowOptions = {},
): number {
  const ignored = applyIgnores(init.findings, more.documents ?? []);
  if (settings.writeBaseline !== undefined) return writeBaseline(settings.writeBaseline, ignored, io);
  const findings =
    settings.baseline === undefined
      ? ignored
      : applyBaseline(ignored, readBaseline(settings.baseline, readTextFile(settings.baseline)), today());
  const report = buildReport({ ...init, findings });
  const code = showReport(report, settings.outputs, io, { ...more, showsAll: settings.showsAll });
  if (settings.exitZero) return EXIT.ok;
  return settings.failOn === "error" ? code : failsOn(report, settings.failOn);
}

function failsOn({ findings }: Report, level: FailLevel): number {
  const levels = LEVELS.slice(0, LEVELS.indexOf(level) + 1);
  return findings.some(({ severity }) => levels.includes(severity)) ? EXIT.findings : EXIT.ok;
}

function writeBaseline(file: string, findings: readonly Finding[], io: CommandIo): number {
  const before = existsSync(file) ? readBaseline(file, readTextFile(file)) : undefined;
  const open = buildReport({ command: "", findings, files: 0, objects: 0, withoutSchema: 0 }).findings;
  const text = formatBaseline(open, before);
  writeInFolder(file, text);
  const count = text.split("\n").filter((line) => line.startsWith("- fingerprint:")).length;
  io.stderr(`portcullis: ${file} accepts ${count} ${count === 1 ? "finding" : "findings"}\n`);
  return EXIT.ok;
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** All formats are made from the same report, so they cannot disagree. */
function showReport(
  report: Report,
  outputs: OutputFormat | readonly Output[],
  io: CommandIo,
  more: ShowOptions = {},
): number {
  const all = typeof outputs === "string" ? [{ format: outputs, file: undefined }] : outputs;
  for (const { format, file } of all) {
    const text = `${render(report, format, io.color && file === undefined, more)}\n`;
    if (file === undefined) io.stdout(format === "github" && report.findings.length === 0 ? "" : text);
    else writeInFolder(file, text);
    if (file === undefined && format === "text" && more.after) io.stdout(more.after);
  }
  return report.summary.errors > 0 ? EXIT.findings : EXIT.ok;
}

/** The folders of reports often do not exist when a pipeline starts. */
export function writeInFolder(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function render(report: Report, format: OutputFormat, color: boolean, more: ShowOptions): string {
  const { textOf, json, showsAll } = more;
  switch (format) {
    case "json":
      return formatJson(report, json?.kind, json?.more);
    case "text":
      return formatText(report, { color, showsAll, textOf: (file) => textOf?.(file) ?? sourceText(file) });
    default:
      return REPORT_FORMATS[format](report);
  }
}

function sourceText(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readTextFile(file) : undefined;
}

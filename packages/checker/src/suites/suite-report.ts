/** Results of suites as text, for CI systems, and as findings. */
import { escapeXml } from "../output/junit.ts";
import { buildReport } from "../report/build.ts";
import type { Finding, Report } from "../report/finding.ts";
import type { CaseResult, SuiteResult } from "./suite-run.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Suites and cases that could not be read or evaluated. */
  readonly unreadable: number;
}

export function countResults(suites: readonly SuiteResult[], problems: readonly Finding[]): Counts {
  const all = suites.flatMap(({ results }) => results);
  const passed = all.filter((result) => result.passed).length;
  const skipped = suites.reduce((sum, suite) => sum + suite.skipped.length, 0);
  const unreadable = suites.reduce((sum, suite) => sum + suite.problems.length, problems.length);
  return { passed, failed: all.length - passed, skipped, unreadable };
}

/** Failures and unreadable parts, at their places. */
export function suiteReport(suites: readonly SuiteResult[], problems: readonly Finding[], command: string): Report {
  const findings = [...problems, ...suites.flatMap((suite) => [...suite.failures, ...suite.problems])];
  const objects = suites.flatMap(({ results }) => results).length;
  return buildReport({ command, findings, files: suites.length, objects, withoutSchema: 0 });
}

export function formatSuitesText(
  suites: readonly SuiteResult[],
  problems: readonly Finding[],
  isQuiet: boolean,
): string[] {
  const lines = suites.flatMap((suite) => suiteLines(suite, isQuiet));
  return [...lines, ...problems.map(problemLine)];
}

function suiteLines({ file, results, skipped, notes, problems }: SuiteResult, isQuiet: boolean): string[] {
  const shown = isQuiet ? results.filter(({ passed }) => !passed) : results;
  const lines = [
    ...(isQuiet ? [] : notes.map((note) => `  note ${note}`)),
    ...shown.flatMap(({ name, passed, problems: found }) => [
      `  ${passed ? "ok  " : "FAIL"} ${name}`,
      ...found.map((problem) => `       ${problem}`),
    ]),
    ...(isQuiet ? [] : skipped.map(({ name, reason }) => `  skip ${name}${reason === "" ? "" : `: ${reason}`}`)),
    ...problems.map((problem) => `  ${problemLine(problem)}`),
  ];
  return isQuiet && lines.length === 0 ? [] : [file, ...lines];
}

function problemLine({ file, range, message }: Finding): string {
  const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
  return `bad  ${place}: ${message}`;
}

export function summaryLine(suites: readonly SuiteResult[], problems: readonly Finding[]): string {
  const { passed, failed, skipped, unreadable } = countResults(suites, problems);
  const noun = suites.length === 1 ? "suite" : "suites";
  const more = [
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...(unreadable === 0 ? [] : [`${unreadable} unreadable`]),
  ];
  return `${suites.length} ${noun}: ${[`${passed} passed`, `${failed} failed`, ...more].join(", ")}`;
}

export function formatSuitesJunit(
  suites: readonly SuiteResult[],
  problems: readonly Finding[],
  command: string,
): string {
  const all = suites.flatMap(({ results }) => results);
  const errors = [...problems, ...suites.flatMap((suite) => suite.problems)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="portcullis ${command}" ${counts(all, errors)}>`,
    ...suites.flatMap(({ file, results, skipped, problems: own }) => [
      `  <testsuite name="${escapeXml(file)}" ${counts(results, own)}${skipped.length === 0 ? "" : ` skipped="${skipped.length}"`}>`,
      ...results.flatMap((each) => formatCase(file, each)),
      ...skipped.flatMap(({ name, reason }) => [
        `    ${head(file, name)}>`,
        `      <skipped${reason === "" ? "" : ` message="${escapeXml(reason)}"`}/>`,
        "    </testcase>",
      ]),
      ...own.flatMap((each) => formatProblem(each)),
      "  </testsuite>",
    ]),
    ...(problems.length === 0
      ? []
      : [
          `  <testsuite name="unreadable" ${counts([], problems)}>`,
          ...problems.flatMap(formatProblem),
          "  </testsuite>",
        ]),
    "</testsuites>",
  ].join("\n");
}

function counts(results: readonly CaseResult[], errors: readonly Finding[]): string {
  const failures = results.filter(({ passed }) => !passed).length;
  const bad = errors.length === 0 ? "" : ` errors="${errors.length}"`;
  return `tests="${results.length + errors.length}" failures="${failures}"${bad}`;
}

function head(file: string, name: string): string {
  return `<testcase classname="${escapeXml(file)}" name="${escapeXml(name)}"`;
}

function formatCase(file: string, { name, passed, problems }: CaseResult): string[] {
  if (passed) return [`    ${head(file, name)}/>`];
  const failures = problems.map((problem) => `      <failure type="policy/test" message="${escapeXml(problem)}"/>`);
  return [`    ${head(file, name)}>`, ...failures, "    </testcase>"];
}

function formatProblem({ file, path, rule, message }: Finding): string[] {
  return [
    `    ${head(file, path || file)}>`,
    `      <error type="${rule}" message="${escapeXml(message)}"/>`,
    "    </testcase>",
  ];
}

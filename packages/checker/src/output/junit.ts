/**
 * JUnit XML for CI systems: one suite per file, one case per object. Errors fail, warnings and notes are output, objects
 * without a schema are skipped.
 */
import { NOT_FOUND } from "../check/missing-modes.ts";
import { type Finding, formatObjectId, type ObjectId, type Report } from "../report/finding.ts";

interface Case {
  readonly name: string;
  readonly findings: Finding[];
  /** Whether nothing is known about the kind of the object. */
  readonly isSkipped: boolean;
}

export function formatJunit(report: Report): string {
  const suites = suitesOf(report);
  const all = [...suites.values()].flatMap((cases) => [...cases.values()]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="portcullis ${escapeXml(report.command)}" ${counts(all)}>`,
    ...[...suites].flatMap(([file, cases]) => formatSuite(file, [...cases.values()])),
    "</testsuites>",
  ].join("\n");
}

/** Objects that passed are cases too; findings outside of any object get a case of their own. */
function suitesOf({ subjects, findings }: Report): ReadonlyMap<string, ReadonlyMap<string, Case>> {
  const suites = new Map<string, Map<string, Case>>();
  const unknownKinds = new Set(findings.filter(({ rule }) => rule === NOT_FOUND).map(({ object }) => kindOf(object)));
  const caseOf = (file: string, object: ObjectId | undefined): Case => {
    const cases = suites.get(file) ?? new Map<string, Case>();
    suites.set(file, cases);
    const name = object === undefined ? file : formatObjectId(object);
    const known = cases.get(name) ?? { name, findings: [], isSkipped: unknownKinds.has(kindOf(object)) };
    cases.set(name, known);
    return known;
  };
  for (const { file, object } of subjects) caseOf(file, object);
  for (const finding of findings) caseOf(finding.file, finding.object).findings.push(finding);
  return new Map([...suites].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** One finding is about all objects of an unknown kind. */
function kindOf(object: ObjectId | undefined): string {
  return object === undefined ? "" : `${object.apiVersion} ${object.kind}`;
}

function counts(cases: readonly Case[]): string {
  const skipped = cases.filter(isSkipped).length;
  const failures = cases.filter(isFailed).length;
  return `tests="${cases.length}" failures="${failures}"${skipped === 0 ? "" : ` skipped="${skipped}"`}`;
}

function isFailed({ findings }: Case): boolean {
  return findings.some(({ severity }) => severity === "error");
}

function isSkipped(each: Case): boolean {
  return each.isSkipped && !isFailed(each);
}

function formatSuite(file: string, cases: readonly Case[]): string[] {
  return [
    `  <testsuite name="${escapeXml(file)}" ${counts(cases)}>`,
    ...cases.flatMap((each) => formatCase(file, each)),
    "  </testsuite>",
  ];
}

function formatCase(file: string, each: Case): string[] {
  const { name, findings } = each;
  const head = `    <testcase classname="${escapeXml(file)}" name="${escapeXml(name)}"`;
  const skip = isSkipped(each) ? ['      <skipped message="no schema"/>'] : [];
  if (findings.length + skip.length === 0) return [`${head}/>`];
  const failures = findings.filter(({ severity }) => severity === "error");
  const others = findings.filter(({ severity }) => severity !== "error");
  const notes = others.map((finding) => `${finding.severity}: ${textOf(finding)}`);
  return [
    `${head}>`,
    ...skip,
    ...failures.map(formatFailure),
    ...(notes.length === 0 ? [] : [`      <system-out>${escapeXml(notes.join("\n"))}</system-out>`]),
    "    </testcase>",
  ];
}

function formatFailure(finding: Finding): string {
  const { rule, message } = finding;
  return `      <failure type="${escapeXml(rule)}" message="${escapeXml(message)}">${escapeXml(textOf(finding))}</failure>`;
}

function textOf({ file, range, rule, message, hint }: Finding): string {
  const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
  return `${place}: ${rule}: ${message}${hint === undefined ? "" : `\n${hint}`}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** Characters that XML cannot represent are removed. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"\n]/g, (char) => ENTITIES[char] ?? char);
}

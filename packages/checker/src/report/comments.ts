/**
 * Suppressions: findings that a manifest asks to ignore, each with a reason.
 *
 *     # portcullis: ignore RULE reason         the same line; alone on a line, the next line that is not a comment
 *     # portcullis: ignore-file RULE reason    the whole file
 *     portcullis.dev/ignore.RULE: reason       an annotation, for the object; `/` in a rule is written as `.`
 *
 * A rule may end with `*`. A reason is required. An unused suppression is reported, because it would hide the next
 * mistake.
 */
import type { LineColumn } from "@portcullis/engine/internal/codec/position";
import { isObject } from "@portcullis/engine/internal/value/json";
import { findingAt, findingInFile } from "./build.ts";
import type { Finding, ObjectId } from "./finding.ts";
import type { ManifestDocument } from "./manifest.ts";

/** One suppression. */
interface Ignore {
  readonly by: "comment" | "annotation";
  readonly rule: string;
  readonly reason: string;
  /** Its position, for findings about unused suppressions and missing reasons. */
  readonly newFinding: (parts: { rule: string; message: string; hint?: string }) => Finding;
  readonly covers: (finding: Finding) => boolean;
  /** The only line it applies to, from 1. */
  readonly line?: number | undefined;
}

const ANNOTATION = "portcullis.dev/ignore.";
const COMMENT = /#[ \t]*portcullis:[ \t]*(ignore(?:-file)?)\b[ \t]*([^\s]*)[ \t]*(.*?)[ \t]*$/;

/** Whether a text may contain suppressions. */
function mayIgnore(text: string): boolean {
  return text.includes("portcullis");
}

/** Marks the suppressed findings and adds findings about the suppressions themselves. */
export function applyIgnores(findings: readonly Finding[], documents: readonly ManifestDocument[]): Finding[] {
  const asking = askingAmong(documents);
  if (asking.length === 0) return [...findings];
  const ignores = [...commentsIn(asking), ...asking.flatMap(annotationsOf)];
  if (ignores.length === 0) return [...findings];
  const used = new Set<Ignore>();
  const reasoned = byLine(ignores.filter(({ reason }) => reason !== ""));
  const marked = findings.map((finding) => {
    const near = [finding.range?.start.line, undefined].flatMap((line) => reasoned.get(line) ?? []);
    const found = near.find((ignore) => ignore.covers(finding));
    if (found === undefined) return finding;
    used.add(found);
    return { ...finding, suppressed: { by: found.by, reason: found.reason } };
  });
  return [...marked, ...ignores.flatMap((ignore) => complaints(ignore, used.has(ignore)))];
}

function byLine(ignores: readonly Ignore[]): ReadonlyMap<number | undefined, readonly Ignore[]> {
  const lines = new Map<number | undefined, Ignore[]>();
  for (const ignore of ignores) {
    const known = lines.get(ignore.line);
    if (known === undefined) lines.set(ignore.line, [ignore]);
    else known.push(ignore);
  }
  return lines;
}

/** A file may hold thousands of documents, so its text is scanned only once. */
function askingAmong(documents: readonly ManifestDocument[]): readonly ManifestDocument[] {
  const files = new Map<string, boolean>();
  return documents.filter(({ file, text }) => {
    const known = files.get(file) ?? mayIgnore(text);
    files.set(file, known);
    return known;
  });
}

function complaints({ rule, reason, newFinding }: Ignore, isUsed: boolean): Finding[] {
  if (rule === "")
    return [newFinding({ rule: "suppression/rule", message: "the suppression names no rule", hint: FORM })];
  if (reason === "")
    return [
      newFinding({ rule: "suppression/reason", message: `the suppression of \`${rule}\` has no reason`, hint: FORM }),
    ];
  if (isUsed) return [];
  return [
    newFinding({ rule: "suppression/unused", message: `nothing here is suppressed by \`${rule}\``, hint: "remove it" }),
  ];
}

const FORM = "write `# portcullis: ignore RULE reason`";

function commentsIn(documents: readonly ManifestDocument[]): Ignore[] {
  const texts = new Map(documents.map(({ file, text }) => [file, text]));
  return [...texts].flatMap(([file, text]) => commentsOf(file, text));
}

function commentsOf(file: string, text: string): Ignore[] {
  const lines = text.split("\n");
  const targets = targetsOf(lines);
  return lines.flatMap((line, index) => {
    const match = COMMENT.exec(line.replace(/\r$/, ""));
    if (match === null) return [];
    const [, word, rule = "", reason = ""] = match;
    const at: LineColumn = { line: index + 1, column: match.index + 1 };
    const end: LineColumn = { line: index + 1, column: line.length + 1 };
    return [
      {
        by: "comment" as const,
        rule,
        reason,
        newFinding: (parts: { rule: string; message: string; hint?: string }) =>
          findingInFile(file, { ...parts, severity: "warning" }, { start: at, end }),
        covers: (finding: Finding) => finding.file === file && matchesRule(finding.rule, rule),
        line: word === "ignore-file" ? undefined : targets[index],
      },
    ];
  });
}

/** For each line, from 1, the line that a comment there applies to: itself, or the next line that is not a comment. */
function targetsOf(lines: readonly string[]): readonly number[] {
  const targets = lines.map((line, index) => (/^\s*(#|$)/.test(line) ? 0 : index + 1));
  for (let index = lines.length - 2; index >= 0; index--) targets[index] ||= targets[index + 1] ?? 0;
  return targets;
}

function annotationsOf(document: ManifestDocument): Ignore[] {
  const meta = document.object["metadata"];
  const annotations = isObject(meta) ? meta["annotations"] : undefined;
  if (!isObject(annotations)) return [];
  return Object.entries(annotations).flatMap(([key, value]) => {
    if (!key.startsWith(ANNOTATION)) return [];
    const rule = key.slice(ANNOTATION.length);
    return [
      {
        by: "annotation" as const,
        rule,
        reason: typeof value === "string" ? value.trim() : "",
        newFinding: (parts: { rule: string; message: string; hint?: string }) =>
          findingAt(document, { ...parts, severity: "warning", path: `metadata.annotations[${key}]`, atKey: true }),
        covers: (finding: Finding) =>
          finding.file === document.file &&
          isSameObject(finding.object, document.id) &&
          matchesRule(finding.rule.replaceAll("/", "."), rule),
      },
    ];
  });
}

function isSameObject(left: ObjectId | undefined, right: ObjectId): boolean {
  return (
    left !== undefined &&
    left.kind === right.kind &&
    left.name === right.name &&
    left.namespace === right.namespace &&
    left.apiVersion === right.apiVersion
  );
}

function matchesRule(rule: string, pattern: string): boolean {
  return pattern.endsWith("*") ? rule.startsWith(pattern.slice(0, -1)) : rule === pattern;
}

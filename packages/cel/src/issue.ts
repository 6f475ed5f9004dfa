/**
 * A problem found while parsing or checking, and how cel-go prints a list of them: each with its location, the
 * source line and a caret.
 *
 * Follows cel-go common/error.go and common/errors.go. Only the first hundred are printed, in the order they
 * were found; sorting comes after that limit.
 */
import { byteLength } from "@portcullis/gostd/utf8";
import type { Location, Source } from "./source.ts";

/** A problem of an expression. Example: `issues.map(({ location, message }) => `${location.line}: ${message}`)`. */
export interface Issue {
  readonly message: string;
  readonly location: Location;
}

/** The location of issues of the expression as a whole; printed as `-1:0`, without a source line. */
export const noLocation: Location = { line: -1, column: -1 };

const MAX_ISSUES = 100;
/** Bytes. */
const MAX_SNIPPET = 16_384;

/** The issues as Kubernetes prints them when an expression does not compile, one after the other. */
export function formatIssues(source: Source, issues: readonly Issue[]): string {
  const shown = issues.slice(0, MAX_ISSUES).sort(byLocation);
  const lines = shown.map((issue) => formatIssue(source, issue));
  if (issues.length > MAX_ISSUES) lines.push(`${issues.length - MAX_ISSUES} more errors were truncated`);
  return lines.join("\n");
}

function byLocation(a: Issue, b: Issue): number {
  return a.location.line - b.location.line || a.location.column - b.location.column;
}

function formatIssue(source: Source, issue: Issue): string {
  const { line, column } = issue.location;
  const head = `ERROR: ${source.description}:${line}:${column + 1}: ${issue.message}`;
  const snippet = source.text === "" ? undefined : source.line(line);
  if (snippet === undefined || isLongerThan(snippet, MAX_SNIPPET)) return head;
  return `${head}\n | ${snippet.replaceAll("\t", " ")}\n | ${pointTo(snippet, column)}`;
}

function isLongerThan(text: string, bytes: number): boolean {
  return text.length > bytes || byteLength(text) > bytes;
}

/** Dots up to the column and a caret; full-width ones where the character above takes more than one byte. */
function pointTo(snippet: string, column: number): string {
  let pointer = "";
  let at = 0;
  for (const char of snippet) {
    const isWide = char > "\u007f";
    if (at++ >= column) return pointer + (isWide ? "\uff3e" : "^");
    pointer += isWide ? "\uff0e" : ".";
  }
  return `${pointer}^`;
}

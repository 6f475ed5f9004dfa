/** Findings of objects that cannot be read at the moment: kept, moved with the text around them, and marked. */
import type { Finding, Range } from "@portcullis/checker/internal/report/finding";

/** A result for a text. */
export interface Answer {
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Kept from an earlier answer. */
  readonly stale: readonly Finding[];
}

export const SYNTAX = "input/syntax";

/** The findings of the answer before that say something about what this text does not show any more. */
export function staleFindings(
  before: Answer | undefined,
  text: string,
  findings: readonly Finding[],
): readonly Finding[] {
  if (before === undefined || !findings.some(({ rule }) => rule === SYNTAX)) return [];
  const current = new Set(findings.map(keyOf));
  const move = lineMover(before.text, text);
  return [...before.findings.filter(({ rule }) => rule !== SYNTAX), ...before.stale].flatMap((finding) => {
    const range = finding.range && move(finding.range);
    const moved = { ...finding, range };
    return range === undefined || current.has(keyOf(moved)) ? [] : [moved];
  });
}

function keyOf({ rule, range, message }: Finding): string {
  return `${rule} ${range?.start.line} ${message}`;
}

/** Lines before the edit stay, lines behind it move; what was on edited lines is gone. */
function lineMover(before: string, after: string): (range: Range) => Range | undefined {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let same = 0;
  while (same < old.length && same < now.length && old[same] === now[same]) same++;
  let tail = 0;
  const least = Math.min(old.length, now.length) - same;
  while (tail < least && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const shift = now.length - old.length;
  const moveLine = (line: number): number | undefined => {
    if (line <= same) return line;
    return line > old.length - tail ? line + shift : undefined;
  };
  return ({ start, end }) => {
    const [first, last] = [moveLine(start.line), moveLine(end.line)];
    if (first === undefined || last === undefined) return undefined;
    return { start: { ...start, line: first }, end: { ...end, line: last } };
  };
}

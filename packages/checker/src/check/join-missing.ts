/** One finding for all objects of a kind without a CRD. */
import type { Finding } from "../report/finding.ts";
import { NOT_FOUND } from "./missing-modes.ts";

/** Suppressed findings stay as they are. */
export function joinMissing(findings: readonly Finding[]): readonly Finding[] {
  const groups = new Map<string, Finding[]>();
  const others: Finding[] = [];
  for (const finding of findings) {
    if (finding.rule !== NOT_FOUND || finding.suppressed !== undefined) others.push(finding);
    else groups.set(finding.message, [...(groups.get(finding.message) ?? []), finding]);
  }
  return [...others, ...[...groups.values()].flatMap(join)];
}

function join(findings: readonly Finding[]): readonly Finding[] {
  const [first, ...rest] = [...findings].sort((left, right) => (left.file < right.file ? -1 : 1));
  if (first === undefined || rest.length === 0) return findings;
  const { length } = findings;
  return [{ ...first, message: `${first.message}: ${length} objects are not checked`, count: length }];
}

/** Equal findings, shown once: a mistake in a template is in every file that was made of it. */
import type { Finding } from "../report/finding.ts";

export interface FindingGroup {
  readonly first: Finding;
  /** Findings with the same severity, rule and message, whatever the names of their objects. */
  readonly others: readonly Finding[];
}

/** Fewer equal findings are shown one by one. */
const WORTH_GROUPING = 3;

/** In the order of the findings. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const equal = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.severity}\0${finding.rule}\0${messageWithoutName(finding)}`;
    const known = equal.get(key);
    if (known === undefined) equal.set(key, [finding]);
    else known.push(finding);
  }
  const hidden = new Set<Finding>();
  const groups = new Map<Finding, readonly Finding[]>();
  for (const [first, ...others] of equal.values()) {
    if (first === undefined || others.length + 1 < WORTH_GROUPING) continue;
    groups.set(first, others);
    for (const other of others) hidden.add(other);
  }
  return findings
    .filter((finding) => !hidden.has(finding))
    .map((first) => ({ first, others: groups.get(first) ?? [] }));
}

/** A refusal by a policy names the object. */
function messageWithoutName({ message, object }: Finding): string {
  return object === undefined || object.name === "" ? message : message.replaceAll(`"${object.name}"`, '""');
}

const MAX_PLACES = 3;

/** `and 12 more: a.yaml:3, b.yaml:4, …`. */
export function formatOthers(others: readonly Finding[]): string {
  const places = others.slice(0, MAX_PLACES).map(placeOf);
  return `and ${others.length} more: ${places.join(", ")}${others.length > MAX_PLACES ? ", …" : ""}`;
}

function placeOf({ file, range }: Finding): string {
  return range === undefined ? file : `${file}:${range.start.line}`;
}

/**
 * What becomes of strict findings: an error, warnings, or nothing.
 *
 * Findings keep the order in which upstream collects them: those of the decoder, then unknown metadata fields, pruned
 * paths, metadata of embedded objects. Nothing is removed here; a key that is both unknown and duplicated is two.
 */
import { convertingYaml, strictDecoding, YAML_ERRORS } from "./messages.ts";

/** What happens to unknown and duplicate fields, as the query parameter `fieldValidation` has it. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

export interface StrictOutcome {
  /** Set in Strict when there is a finding. */
  readonly error?: string;
  readonly warnings: readonly string[];
}

export function applyFieldValidation(directive: FieldValidation, findings: readonly string[]): StrictOutcome {
  if (findings.length === 0 || directive === "Ignore") return { warnings: [] };
  if (directive === "Strict") return { error: strictDecoding(findings), warnings: [] };
  return { warnings: findings.flatMap(toWarnings) };
}

// A header holds one line, so the YAML decoder's list of duplicates is taken apart.
function toWarnings(finding: string): string[] {
  const prefix = YAML_PREFIXES.find((text) => finding.startsWith(text));
  if (prefix === undefined) return [finding];
  return finding
    .slice(prefix.length)
    .split("\n")
    .map((line) => line.trim());
}

const YAML_PREFIXES = [`${YAML_ERRORS}\n`, convertingYaml(`${YAML_ERRORS}\n`)];

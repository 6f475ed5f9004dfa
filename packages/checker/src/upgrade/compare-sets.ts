/** Two sets of definitions, compared and judged. */
import type { DefinitionVerdict } from "@portcullis/engine/crd/validate/validate";
import type { Question } from "@portcullis/engine/upgrade/catalog";
import type { Verdict } from "@portcullis/engine/upgrade/change";
import type { UpgradeFinding } from "@portcullis/engine/upgrade/finding";
import { judge, type UpgradePolicy } from "@portcullis/engine/upgrade/policy";
import { answersOf, beginUpgrade } from "@portcullis/engine/upgrade/questions";
import type { UpgradeOptions } from "@portcullis/engine/upgrade/upgrade-case";
import { type Matching, matchDefinitions } from "./matching.ts";
import { toReportFinding, type UpgradeReportFinding, unmatchedFindings } from "./report.ts";
import type { SourceDefinition, SourceSet } from "./sources.ts";

export interface SetComparison {
  readonly matching: Matching;
  /** As the engine found them, for checks that go by verdict. */
  readonly raw: readonly UpgradeFinding[];
  readonly findings: readonly UpgradeReportFinding[];
  /** How many more there would be if all were told. */
  readonly untold: number;
  readonly answers: Readonly<Record<Question, Verdict>>;
  /** What the API server says to the new definitions that have an old one, by name. */
  readonly accepted: ReadonlyMap<string, DefinitionVerdict>;
}

export interface CompareSetsOptions extends UpgradeOptions {
  readonly policy: UpgradePolicy;
  /** `2026-12-31`. */
  readonly today: string;
  /** What becomes a finding of the report; the rest is only counted. Absent, all of it does. */
  readonly isTold?: (finding: UpgradeFinding) => boolean;
}

export function compareSets(old: SourceSet, next: SourceSet, options: CompareSetsOptions): SetComparison {
  const steps = compareSetsSteps(old, next, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** A change at a time; between two of them, what is known so far can be had. */
export function* compareSetsSteps(
  old: SourceSet,
  next: SourceSet,
  options: CompareSetsOptions,
): Generator<() => SetComparison, SetComparison> {
  const matching = matchDefinitions(old, next);
  const raw: UpgradeFinding[] = [];
  const accepted = new Map<string, DefinitionVerdict>();
  const findings: UpgradeReportFinding[] = unmatchedFindings(matching);
  let untold = 0;
  const soFar = (): SetComparison => ({ matching, raw, findings, untold, answers: answersOf(raw), accepted });
  const add = (finding: UpgradeFinding, definition: SourceDefinition): void => {
    raw.push(finding);
    const judged = judge(finding, options.policy, options.today);
    if (judged.level === "off") return;
    if (options.isTold?.(finding) === false) untold++;
    else findings.push(toReportFinding(judged, definition));
  };
  for (const pair of matching.pairs) {
    const upgrade = beginUpgrade(pair.old.json, pair.new.json, options);
    accepted.set(pair.new.name, upgrade.acceptance);
    for (const finding of upgrade.findings()) {
      if (finding !== undefined) add(finding, pair.new);
      yield soFar;
    }
  }
  return soFar();
}

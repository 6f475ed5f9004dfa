/** Compares two sets of CRDs and grades the changes. */
import type { Question } from "@portcullis/engine/internal/upgrade/catalog";
import type { Verdict } from "@portcullis/engine/internal/upgrade/change";
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import { gradeFinding, type UpgradePolicy } from "@portcullis/engine/internal/upgrade/policy/policy";
import { answersOf, beginUpgrade } from "@portcullis/engine/internal/upgrade/questions";
import type { UpgradeOptions } from "@portcullis/engine/internal/upgrade/upgrade-case";
import { type Matching, matchDefinitions } from "./matching.ts";
import { toReportFinding, type UpgradeReportFinding, unmatchedFindings } from "./report.ts";
import type { SourceDefinition, SourceSet } from "./sources.ts";

/** The API server's answer to a new CRD. */
type Acceptance = ReturnType<typeof beginUpgrade>["acceptance"];

export interface SetComparison {
  readonly matching: Matching;
  /** As the engine found them, for checks that use the verdict. */
  readonly raw: readonly UpgradeFinding[];
  readonly findings: readonly UpgradeReportFinding[];
  /** How many more there would be if all were reported. */
  readonly hidden: number;
  readonly answers: Readonly<Record<Question, Verdict>>;
  /** The API server's response to each new CRD that has an old version, by name. */
  readonly accepted: ReadonlyMap<string, Acceptance>;
}

export interface CompareSetsOptions extends UpgradeOptions {
  readonly policy: UpgradePolicy;
  /** `2026-12-31`. */
  readonly today: string;
  /** What becomes a finding of the report; the rest is only counted. If absent, everything does. */
  readonly isShown?: (finding: UpgradeFinding) => boolean;
}

export function compareSets(old: SourceSet, next: SourceSet, options: CompareSetsOptions): SetComparison {
  const steps = compareSetsSteps(old, next, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Compares one change at a time; between two changes the partial result can be read. */
export function* compareSetsSteps(
  old: SourceSet,
  next: SourceSet,
  options: CompareSetsOptions,
): Generator<() => SetComparison, SetComparison> {
  const matching = matchDefinitions(old, next);
  const raw: UpgradeFinding[] = [];
  const accepted = new Map<string, Acceptance>();
  const findings: UpgradeReportFinding[] = unmatchedFindings(matching);
  let hidden = 0;
  const soFar = (): SetComparison => ({ matching, raw, findings, hidden, answers: answersOf(raw), accepted });
  const add = (finding: UpgradeFinding, definition: SourceDefinition): void => {
    raw.push(finding);
    const graded = gradeFinding(finding, options.policy, options.today);
    if (graded.level === "off") return;
    if (options.isShown?.(finding) === false) hidden++;
    else findings.push(toReportFinding(graded, definition));
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

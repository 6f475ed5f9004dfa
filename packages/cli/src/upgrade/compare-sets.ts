/** Two sets of definitions, compared and judged. */
import type { Question } from "@portcullis/engine/upgrade/catalog";
import type { Verdict } from "@portcullis/engine/upgrade/change";
import { judge, type UpgradePolicy } from "@portcullis/engine/upgrade/policy";
import {
  answersOf,
  compareDefinitions,
  type UpgradeFinding,
  type UpgradeOptions,
} from "@portcullis/engine/upgrade/questions";
import { type Matching, matchDefinitions } from "./matching.ts";
import { toReportFinding, type UpgradeReportFinding, unmatchedFindings } from "./report.ts";
import type { SourceSet } from "./sources.ts";

export interface SetComparison {
  readonly matching: Matching;
  /** As the engine found them, for checks that go by verdict. */
  readonly raw: readonly UpgradeFinding[];
  readonly findings: readonly UpgradeReportFinding[];
  readonly answers: Readonly<Record<Question, Verdict>>;
}

export interface CompareSetsOptions extends UpgradeOptions {
  readonly policy: UpgradePolicy;
  /** `2026-12-31`. */
  readonly today: string;
}

export function compareSets(old: SourceSet, next: SourceSet, options: CompareSetsOptions): SetComparison {
  const matching = matchDefinitions(old, next);
  const raw: UpgradeFinding[] = [];
  const findings: UpgradeReportFinding[] = unmatchedFindings(matching);
  for (const pair of matching.pairs) {
    const report = compareDefinitions(pair.old.json, pair.new.json, options);
    raw.push(...report.findings);
    for (const finding of report.findings) {
      const judged = judge(finding, options.policy, options.today);
      if (judged.level !== "off") findings.push(toReportFinding(judged, pair.new));
    }
  }
  return { matching, raw, findings, answers: answersOf(raw) };
}

/** Prints an upgrade report. Changes that were proved safe are shown only on request. */

import type { Subject } from "@portcullis/checker/internal/report/finding";
import { groupFindings } from "@portcullis/checker/internal/upgrade/group";
import type { UpgradeReportFinding } from "@portcullis/checker/internal/upgrade/report";
import { QUESTIONS, type Question } from "@portcullis/engine/internal/upgrade/catalog";
import type { Verdict } from "@portcullis/engine/internal/upgrade/change";
import type { RolloutStep } from "@portcullis/engine/internal/upgrade/policy/rollout";
import type { CommandIo } from "../../frame/command.ts";
import { finishReport, type ReportSettings } from "../../frame/show.ts";

export interface UpgradeOutput {
  readonly command: string;
  readonly files: number;
  readonly definitions: number;
  readonly findings: readonly UpgradeReportFinding[];
  readonly answers: Readonly<Record<Question, Verdict>>;
  readonly rollout: readonly RolloutStep[];
  /** Also show changes that were proved safe. */
  readonly showAll: boolean;
  readonly settings: ReportSettings;
  /** All compared CRDs, for outputs that list what passed. */
  readonly subjects: readonly Subject[];
  readonly textOf: (file: string) => string | undefined;
}

export function showUpgrade(output: UpgradeOutput, io: CommandIo): number {
  const { findings, answers, rollout, settings, textOf } = output;
  const relevant = output.showAll ? findings : findings.filter(isRelevant);
  const shown = groupFindings(relevant);
  const more = { verdicts: countVerdicts(findings), questions: answers, rollout };
  return finishReport(
    {
      command: output.command,
      findings: shown,
      files: output.files,
      objects: output.definitions,
      withoutSchema: 0,
      subjects: output.subjects,
    },
    settings,
    io,
    {
      textOf,
      json: { kind: "UpgradeReport", more },
      after: `${answersText(answers, findings.length - relevant.length)}${rollout.length === 0 ? "" : rolloutText(rollout)}`,
    },
  );
}

/** A new CRD is safe, but the user may have expected a comparison. */
function isRelevant({ rule, upgrade }: UpgradeReportFinding): boolean {
  return rule === "upgrade/definition-added" || (upgrade.verdict !== "safe" && upgrade.verdict !== "noop");
}

function countVerdicts(findings: readonly UpgradeReportFinding[]): Record<string, number> {
  const counts: Record<string, number> = { safe: 0, unsafe: 0, unknown: 0, noop: 0 };
  for (const { upgrade } of findings) counts[upgrade.verdict] = (counts[upgrade.verdict] ?? 0) + 1;
  return counts;
}

function answersText(answers: Readonly<Record<Question, Verdict>>, hidden: number): string {
  const open = (Object.keys(QUESTIONS) as Question[]).filter(
    (question) => answers[question] !== "safe" && answers[question] !== "noop",
  );
  const lines = open.map((question) => `  ${question.padEnd(4)} ${answers[question].padEnd(8)} ${QUESTIONS[question]}`);
  const rest =
    hidden === 0
      ? ""
      : `${hidden} ${hidden === 1 ? "change" : "changes"} proved safe or without effect; --show all lists them\n`;
  return lines.length === 0 ? rest : `${lines.join("\n")}\n${rest}`;
}

function rolloutText(steps: readonly RolloutStep[]): string {
  const lines = steps.flatMap(({ title, items }, index) => [
    `  ${index + 1}. ${title}`,
    ...items.map((item) => `       ${item}`),
  ]);
  return `a safe rollout:\n${lines.join("\n")}\n`;
}

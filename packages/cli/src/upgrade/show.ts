/** Printing an upgrade report: the common report, with what was proved left out unless asked for. */
import { QUESTIONS, type Question } from "@portcullis/engine/upgrade/catalog";
import type { Verdict } from "@portcullis/engine/upgrade/change";
import type { RolloutStep } from "@portcullis/engine/upgrade/rollout";
import { type CommandIo, EXIT } from "../commands/command.ts";
import type { OutputFormat } from "../commands/options.ts";
import { REPORT_VERSION } from "../output/json.ts";
import { formatText } from "../output/text.ts";
import { buildReport } from "../report/build.ts";
import type { UpgradeReportFinding } from "./report.ts";

export interface UpgradeOutput {
  readonly command: string;
  readonly files: number;
  readonly definitions: number;
  readonly findings: readonly UpgradeReportFinding[];
  readonly answers: Readonly<Record<Question, Verdict>> | undefined;
  readonly rollout: readonly RolloutStep[];
  /** Show what was proved to be safe as well. */
  readonly showAll: boolean;
  readonly format: OutputFormat;
  readonly textOf: (file: string) => string | undefined;
}

export function showUpgrade(output: UpgradeOutput, io: CommandIo): number {
  const shown = output.showAll ? output.findings : output.findings.filter(isWorthTelling);
  const hidden = output.findings.length - shown.length;
  const report = buildReport({
    command: output.command,
    findings: shown,
    files: output.files,
    objects: output.definitions,
    withoutSchema: 0,
  });
  if (output.format === "json") {
    const { summary } = report;
    const verdicts = countVerdicts(output.findings);
    const body = {
      apiVersion: REPORT_VERSION,
      kind: "UpgradeReport",
      command: output.command,
      summary: { ...summary, verdicts },
      questions: output.answers,
      rollout: output.rollout,
      findings: report.findings,
    };
    io.stdout(`${JSON.stringify(body, withoutBigint, 2)}\n`);
  } else {
    io.stdout(`${formatText(report, { color: io.color, textOf: output.textOf })}\n`);
    if (output.answers !== undefined) io.stdout(answersText(output.answers, hidden));
    if (output.rollout.length > 0) io.stdout(rolloutText(output.rollout));
  }
  return report.summary.errors > 0 ? EXIT.findings : EXIT.ok;
}

/** A new definition is safe, but somebody may have expected to see it compared. */
function isWorthTelling({ rule, upgrade }: UpgradeReportFinding): boolean {
  return rule === "upgrade/definition-added" || (upgrade.verdict !== "safe" && upgrade.verdict !== "noop");
}

/** JSON has one kind of number. */
function withoutBigint(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
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

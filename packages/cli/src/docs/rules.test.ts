/** docs/rules.md lists every rule as `portcullis explain` describes it; SARIF links to it. */
import { CHECK_RULES } from "@portcullis/checker/internal/check/rules";
import { catalogEntries } from "@portcullis/engine/internal/upgrade/catalog";
import { expect, test } from "vitest";

interface RuleRow {
  readonly rule: string;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}

const HEAD = `# Rules

The ids in findings, and what they mean. \`portcullis explain RULE\` prints the same.
`;

function table(title: string, rows: readonly RuleRow[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const lines = rows.map(
    ({ rule, title: what, why, fix }) => `| \`${rule}\` | ${[what, why, fix].map(cell).join(" | ")} |`,
  );
  return `\n## ${title}\n\n| rule | meaning | why it matters | what to do |\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

test("the page of rules is complete", async () => {
  const upgrades = catalogEntries().map(({ code, title, why, fix }) => ({ rule: code, title, why, fix }));
  const page = `${HEAD}${table("check and crd lint", CHECK_RULES)}${table("crd diff, preflight and crd scan", upgrades)}`;
  await expect(page).toMatchFileSnapshot("../../../../docs/rules.md");
});

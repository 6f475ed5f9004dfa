/** `portcullis explain RULE`: why a finding matters and how to fix it. */

import { CHECK_RULES } from "@portcullis/checker/internal/check/rules";
import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { describeRule } from "@portcullis/checker/internal/output/describe-rule";
import { catalogEntries } from "@portcullis/engine/internal/upgrade/catalog";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { parseOptions } from "../frame/options.ts";

const MANUAL: Manual = {
  usage: ["explain [RULE…]"],
  about: [
    "Describes a rule: what it means, why it matters and what to do. Rules are the ids in findings of `check`, `crd lint`, `crd diff`, `preflight` and `crd scan`, such as schema/maximum. Without an argument, all rules are listed.",
  ],
  examples: [
    { does: "explain a finding of crd diff", run: "portcullis explain upgrade/required" },
    { does: "explain it without the prefix", run: "portcullis explain max-length" },
    { does: "explain a finding of check", run: "portcullis explain field/unknown" },
  ],
  args: [["RULE", "the id in the finding; the part before the slash is optional, and lists its rules if it is alone"]],
  options: {},
  exits: [
    ["0", "explained"],
    ["2", "unknown rule"],
  ],
};

export const explain: Command = {
  name: "explain",
  summary: "describe why a finding matters and what to do",
  manual: MANUAL,
  run: runExplain,
};

function runExplain(args: readonly string[], io: CommandIo): number {
  const { positionals } = parseOptions(args, {});
  if (positionals.length === 0) {
    showTitles(ruleTitles(), io);
    return EXIT.ok;
  }
  for (const name of positionals) {
    const found = describeRule(name) ?? describeRule(nameWithGroup(name));
    if (found === undefined) {
      showGroup(name, io);
      continue;
    }
    const rows = [
      ["question", found.question ?? ""],
      ["why it matters", found.why],
      ["what to do", found.fix],
    ].filter(([, text]) => text !== "");
    io.stdout(`${found.rule}: ${found.title}\n`);
    for (const [label = "", text = ""] of rows) io.stdout(`  ${label.padEnd(14)}  ${text}\n`);
  }
  return EXIT.ok;
}

type RuleTitle = readonly [rule: string, title: string];

function ruleTitles(): readonly RuleTitle[] {
  const ofChecks = CHECK_RULES.map(({ rule, title }): RuleTitle => [rule, title]);
  return [...ofChecks, ...catalogEntries().map(({ code, title }): RuleTitle => [code, title])];
}

/** The rules before whose slash the name is. */
function showGroup(name: string, io: CommandIo): void {
  const prefix = name.endsWith("/") ? name : `${name}/`;
  const group = ruleTitles().filter(([rule]) => rule.startsWith(prefix));
  if (group.length === 0) throw new UsageError(unknownRule(name));
  showTitles(group, io);
}

function showTitles(rules: readonly RuleTitle[], io: CommandIo): void {
  for (const [rule, title] of rules) io.stdout(`${rule.padEnd(36)} ${title}\n`);
}

/** The only rule that ends in the name. */
function nameWithGroup(name: string): string {
  const [rule, other] = ruleTitles().filter(([each]) => each.endsWith(`/${name}`));
  return rule === undefined || other !== undefined ? name : rule[0];
}

function unknownRule(name: string): string {
  const rules = ruleTitles().map(([rule]) => rule);
  return `unknown rule \`${name}\`; \`portcullis explain\` lists them${didYouMean(name, rules)}`;
}

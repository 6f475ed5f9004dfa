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
  args: [["RULE", "the id in the finding; the prefix `upgrade/` is optional"]],
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
    for (const { rule, title } of CHECK_RULES) io.stdout(`${rule.padEnd(36)} ${title}\n`);
    for (const { code, title } of catalogEntries()) io.stdout(`${code.padEnd(36)} ${title}\n`);
    return EXIT.ok;
  }
  for (const name of positionals) {
    const found = describeRule(name);
    if (found === undefined) throw new UsageError(unknownRule(name));
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

function unknownRule(name: string): string {
  const rules = [...CHECK_RULES.map(({ rule }) => rule), ...catalogEntries().map(({ code }) => code)];
  return `unknown rule \`${name}\`; \`portcullis explain\` lists them${didYouMean(name, rules)}`;
}

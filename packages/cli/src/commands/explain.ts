/** `portcullis explain RULE`: why a finding matters and what to do about it. */
import { catalogEntries, findCatalogEntry, QUESTIONS } from "@portcullis/engine/upgrade/catalog";
import { CHECK_RULES, findCheckRule } from "../check/rules.ts";
import { didYouMean } from "../frame/suggest.ts";
import { type Command, type CommandIo, EXIT, type Manual, UsageError } from "./command.ts";
import { parseOptions } from "./options.ts";

const MANUAL: Manual = {
  usage: ["explain [RULE…]"],
  about: [
    "Tells what a rule is about, why it matters and what to do: rules of `check` and `crd lint` such as schema/maximum, and those of `crd diff`, `preflight` and `crd scan`. Without a rule all are listed.",
  ],
  examples: [
    { does: "why does a new required field matter?", run: "portcullis explain upgrade/required" },
    { does: "… a shorter bound?", run: "portcullis explain max-length" },
    { does: "what is a finding of check about?", run: "portcullis explain field/unknown" },
  ],
  args: [["RULE", "as findings name it, with or without `upgrade/` in front"]],
  options: {},
  exits: [
    ["0", "explained"],
    ["2", "unknown rule"],
  ],
};

export const explain: Command = {
  name: "explain",
  summary: "why a finding matters, and what to do",
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
    const checked = findCheckRule(name);
    if (checked !== undefined) {
      io.stdout(`${name}: ${checked.title}\n  why it matters  ${checked.why}\n  what to do      ${checked.fix}\n`);
      continue;
    }
    const entry = findCatalogEntry(ruleOf(name));
    if (entry === undefined) throw new UsageError(unknownRule(name));
    const fix = entry.fix === "" ? "" : `  what to do      ${entry.fix}\n`;
    io.stdout(
      `${entry.code}: ${entry.title}\n  question        ${entry.question}: ${QUESTIONS[entry.question]}\n  why it matters  ${entry.why}\n${fix}`,
    );
  }
  return EXIT.ok;
}

function unknownRule(name: string): string {
  const rules = [...CHECK_RULES.map(({ rule }) => rule), ...catalogEntries().map(({ code }) => code)];
  return `unknown rule \`${name}\`${didYouMean(name, rules)}; \`portcullis explain\` lists them`;
}

/** What a scan calls the same thing. */
const SCAN_RULES: Readonly<Record<string, string>> = {
  pruned: "field-removed",
  defaulted: "default",
  decode: "type",
  set: "list-type",
  map: "list-type",
  scale: "scale-values",
};

/** `scan/maxLength` is explained by `upgrade/max-length`. */
function ruleOf(name: string): string {
  if (!name.startsWith("scan/")) return name;
  const origin = name.slice("scan/".length);
  const known = Object.hasOwn(SCAN_RULES, origin) ? SCAN_RULES[origin] : undefined;
  return known ?? origin.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

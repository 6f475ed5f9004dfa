/** `portcullis explain RULE`: why a finding matters and what to do about it. */
import { catalogEntries, findCatalogEntry, QUESTIONS } from "@portcullis/engine/upgrade/catalog";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { parseOptions } from "./options.ts";

const HELP = `portcullis explain [RULE]

Tells what a rule of \`crd diff\`, \`preflight\` and \`crd scan\` is about, why it matters and what to do.
Without a rule all are listed.

  portcullis explain upgrade/required
  portcullis explain max-length

Exit codes: 0 explained, 2 unknown rule.
`;

export const explain: Command = {
  name: "explain",
  summary: "why a finding about an upgrade matters, and what to do",
  help: HELP,
  run: runExplain,
};

function runExplain(args: readonly string[], io: CommandIo): number {
  const { positionals } = parseOptions(args, {});
  if (positionals.length === 0) {
    for (const { code, title } of catalogEntries()) io.stdout(`${code.padEnd(36)} ${title}\n`);
    return EXIT.ok;
  }
  for (const name of positionals) {
    const entry = findCatalogEntry(name);
    if (entry === undefined) throw new UsageError(`unknown rule \`${name}\`; \`portcullis explain\` lists them`);
    const fix = entry.fix === "" ? "" : `  what to do      ${entry.fix}\n`;
    io.stdout(
      `${entry.code}: ${entry.title}\n  question        ${entry.question}: ${QUESTIONS[entry.question]}\n  why it matters  ${entry.why}\n${fix}`,
    );
  }
  return EXIT.ok;
}

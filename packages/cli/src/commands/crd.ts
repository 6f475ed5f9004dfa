/** `portcullis crd …`: questions about CustomResourceDefinitions. */
import { type Command, type CommandIo, UsageError } from "./command.ts";
import { crdDiff } from "./crd-diff.ts";
import { crdLint } from "./crd-lint.ts";
import { crdScan } from "./crd-scan.ts";

const SUBCOMMANDS: readonly Command[] = [crdLint, crdDiff, crdScan];

const HELP = `portcullis crd SUBCOMMAND

${SUBCOMMANDS.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`).join("\n")}

portcullis crd SUBCOMMAND --help tells more.
`;

export const crd: Command = {
  name: "crd",
  summary: "check and compare CustomResourceDefinitions, and what their rules cost",
  help: ([name]) => {
    const help = SUBCOMMANDS.find((each) => each.name === name)?.help;
    return typeof help === "string" ? help : HELP;
  },
  run: ([name, ...args]: readonly string[], io: CommandIo) => {
    const command = SUBCOMMANDS.find((each) => each.name === name);
    if (command === undefined)
      throw new UsageError(`unknown command \`crd ${name ?? ""}\`; see \`portcullis crd --help\``);
    return command.run(args, io);
  },
};

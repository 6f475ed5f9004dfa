/** `portcullis policy …`: ValidatingAdmissionPolicies without a cluster. */
import { type Command, type CommandIo, UsageError } from "./command.ts";
import { policyConvert } from "./policy-convert.ts";
import { policyEval } from "./policy-eval.ts";
import { policyTest } from "./policy-test.ts";

const SUBCOMMANDS: readonly Command[] = [policyEval, policyTest, policyConvert];

const HELP = `portcullis policy SUBCOMMAND

${SUBCOMMANDS.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`).join("\n")}

portcullis policy SUBCOMMAND --help tells more.
`;

export const policy: Command = {
  name: "policy",
  summary: "evaluate, test and convert ValidatingAdmissionPolicies",
  help: ([name]) => {
    const help = SUBCOMMANDS.find((each) => each.name === name)?.help;
    return typeof help === "string" ? help : HELP;
  },
  run: ([name, ...args]: readonly string[], io: CommandIo) => {
    const command = SUBCOMMANDS.find((each) => each.name === name);
    if (command === undefined) {
      throw new UsageError(`unknown command \`policy ${name ?? ""}\`; see \`portcullis policy --help\``);
    }
    return command.run(args, io);
  },
};

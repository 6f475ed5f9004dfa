/** A command that only has subcommands, such as `portcullis crd`. */

import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { Command, CommandEntry, CommandIo, Example } from "./command.ts";

export interface GroupInit {
  readonly name: string;
  readonly summary: string;
  readonly about: readonly string[];
  readonly examples: readonly Example[];
  readonly subcommands: readonly CommandEntry[];
}

export function commandGroup({ name, summary, about, examples, subcommands }: GroupInit): Command {
  return {
    name,
    summary,
    manual: { usage: [`${name} COMMAND …`], about, examples, options: {} },
    subcommands,
    run: async ([first, ...args]: readonly string[], io: CommandIo) => {
      const entry = subcommands.find((each) => each.name === first);
      if (entry !== undefined) return (await entry.load()).run(args, io);
      const names = subcommands.map((each) => each.name);
      if (first === undefined) throw new UsageError(`\`${name}\` needs one of ${names.join(", ")}`);
      throw new UsageError(
        `unknown command \`${name} ${first}\`; see \`portcullis ${name} --help\`${didYouMean(first, names)}`,
      );
    },
  };
}

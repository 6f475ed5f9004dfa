/** `portcullis completion SHELL`: a completion script, generated from the declarations of commands and options. */

import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type Command, type CommandEntry, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { bashCompletion } from "../frame/completion/bash.ts";
import { fishCompletion } from "../frame/completion/fish.ts";
import { type CompletionNode, completionNodes } from "../frame/completion/model.ts";
import { powershellCompletion } from "../frame/completion/powershell.ts";
import { zshCompletion } from "../frame/completion/zsh.ts";
import { parseOptions } from "../frame/options.ts";

const SHELLS: Readonly<Record<string, (nodes: readonly CompletionNode[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

const MANUAL: Manual = {
  usage: ["completion bash|zsh|fish|powershell"],
  examples: [
    { does: "bash, for this session", run: "source <(portcullis completion bash)" },
    { does: "zsh", run: "portcullis completion zsh > ~/.zfunc/_portcullis" },
    { does: "fish", run: "portcullis completion fish > ~/.config/fish/completions/portcullis.fish" },
    { does: "PowerShell", run: "portcullis completion powershell >> $PROFILE" },
  ],
  about: ["Prints a shell script that completes commands, options and option values."],
  options: {},
  exits: [
    ["0", "printed"],
    ["2", "unknown shell"],
  ],
};

/** `entries` are all commands, including this one. */
export function completionOf(entries: readonly CommandEntry[]): Command {
  return {
    name: "completion",
    summary: "print a completion script for bash, zsh, fish or PowerShell",
    manual: MANUAL,
    run: (args, io) => runCompletion(args, io, entries),
  };
}

async function runCompletion(
  args: readonly string[],
  io: CommandIo,
  entries: readonly CommandEntry[],
): Promise<number> {
  const [name = ""] = parseOptions(args, {}).positionals;
  const shells = Object.keys(SHELLS);
  const write = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (write === undefined) {
    const what = name === "" ? "completion needs a shell" : `unknown shell \`${name}\``;
    throw new UsageError(`${what}; one of ${shells.join(", ")}${didYouMean(name, shells)}`);
  }
  io.stdout(write(await completionNodes(entries)));
  return EXIT.ok;
}

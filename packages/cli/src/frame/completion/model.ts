/** What shells complete: every command with its subcommands and options, derived from the declarations. */
import type { Command, CommandEntry } from "../command.ts";
import { GLOBAL_OPTIONS, type OptionSpec } from "../option-spec.ts";
import { TOPICS } from "../topics.ts";

export interface CompletionNode {
  /** The arguments that lead here, without the program's name. */
  readonly path: readonly string[];
  /** Names that may follow, with their descriptions. */
  readonly words: readonly (readonly [word: string, text: string])[];
  readonly options: readonly CompletionOption[];
}

export interface CompletionOption {
  /** `--output`, `-o`. */
  readonly flags: readonly string[];
  readonly text: string;
  readonly takesValue: boolean;
  /** Empty if any value or a file may follow. */
  readonly values: readonly string[];
}

export async function completionNodes(entries: readonly CommandEntry[]): Promise<readonly CompletionNode[]> {
  const commands = await Promise.all(entries.map(({ load }) => load()));
  const inner = await Promise.all(commands.map((command) => nodesOf(command, [command.name])));
  const words = commands.map(wordOf);
  const help = { path: ["help"], words: [...words, ...TOPICS.map(wordOf)], options: [] };
  const root = {
    path: [],
    words: [...words, ["help", "a command or a topic"], ["version", "print the version"]] as const,
    options: [],
  };
  return [root, help, ...inner.flat()];
}

async function nodesOf(command: Command, path: readonly string[]): Promise<CompletionNode[]> {
  const children = await Promise.all((command.subcommands ?? []).map(({ load }) => load()));
  const inner = await Promise.all(children.map((child) => nodesOf(child, [...path, child.name])));
  const specs = Object.entries({ ...command.manual.options, ...GLOBAL_OPTIONS });
  const options = specs.filter(([, { isHidden }]) => isHidden !== true).map(([name, spec]) => optionOf(name, spec));
  return [{ path, words: children.map(wordOf), options }, ...inner.flat()];
}

function wordOf({ name, summary }: { readonly name: string; readonly summary: string }): readonly [string, string] {
  return [name, summary];
}

function optionOf(name: string, { short, text = "", type, values = [] }: OptionSpec): CompletionOption {
  const flags = short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
  return { flags, text, takesValue: type === "string", values };
}

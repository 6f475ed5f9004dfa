/** `portcullis lsp`: the language server for editors. */
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { parseOptions } from "../frame/options.ts";
import { SOURCE_OPTIONS } from "../sources/fetch-sources.ts";
import { LibraryFolders } from "../sources/library-folders.ts";

const OPTIONS = {
  stdio: { type: "boolean", text: "talk on standard input and output; this is the default, editors pass the option" },
  kubeconfig: SOURCE_OPTIONS.kubeconfig,
  context: SOURCE_OPTIONS.context,
  lock: SOURCE_OPTIONS.lock,
  offline: SOURCE_OPTIONS.offline,
} as const;

const MANUAL: Manual = {
  usage: ["lsp [options]"],
  about: [
    "Serves an editor over the Language Server Protocol, on standard input and output: the findings of `portcullis check` while you type, also as an update of the last commit and under the policies of the workspace; completion, hover and signatures for built-in kinds, for kinds of CRDs in the workspace and for CEL expressions; the cost of rules, quick fixes, definitions and rename.",
    "docs/editors.md has the configuration of editors. The network is used only for clusters and URLs that the setting `crds` names.",
  ],
  examples: [{ does: "serve an editor, which starts it", run: "portcullis lsp --stdio" }],
  options: OPTIONS,
  exits: [
    ["0", "the editor has closed the connection"],
    ["2", "usage error"],
  ],
};

export const lsp: Command = {
  name: "lsp",
  summary: "serve an editor: findings while you type",
  manual: MANUAL,
  run: runLsp,
};

async function runLsp(args: readonly string[], io: CommandIo): Promise<number> {
  const libraries = new LibraryFolders(parseOptions(args, OPTIONS), io);
  // Loaded lazily: help does not need it.
  const { startLanguageServer } = await import("@portcullis/lsp");
  try {
    const folderOf = (source: string) => libraries.folderOf(source);
    await startLanguageServer({ input: process.stdin, output: process.stdout }, { folderOf });
  } finally {
    libraries.remove();
  }
  return EXIT.ok;
}

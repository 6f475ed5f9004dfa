/** From the command line to an exit code: finds the command, shows help, turns errors into exit codes. */

import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type Command, type CommandIo, EXIT } from "../frame/command.ts";
import { fileProblem, isFileProblem } from "../frame/file-problem.ts";
import { formatHelp, Page } from "../frame/help.ts";
import { findTopic, TOPICS } from "../frame/topics.ts";
import { COMMANDS, findCommand, loadAll } from "./table.ts";

export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await dispatch(args, io);
  } catch (problem) {
    if (problem instanceof UsageError) return complain(problem.message, io);
    return isFileProblem(problem) ? complain(fileProblem(problem), io) : crash(problem, io);
  }
}

async function dispatch(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h") return showOverview(io);
  if (name === "help") return showHelp(rest, io);
  if (name === "--version" || name === "-v" || name === "version") return showVersion(rest, io);
  const entry = COMMANDS.find((each) => each.name === name);
  if (entry === undefined) throw new UsageError(unknownCommand(name));
  const end = rest.indexOf("--");
  const own = end === -1 ? rest : rest.slice(0, end);
  // kubeconform has a short help of its own.
  if (own.includes("--help") || (own.includes("-h") && name !== "kubeconform")) return showHelp(args, io);
  return (await entry.load()).run(rest, io);
}

function unknownCommand(name: string): string {
  const names = [...COMMANDS.map((each) => each.name), "help", "version"];
  return `unknown command \`${name}\`; see \`portcullis --help\`${didYouMean(name, names)}`;
}

async function showOverview(io: CommandIo): Promise<number> {
  const page = new Page(io);
  const commands = await loadAll(COMMANDS);
  page.heading("Portcullis: check Kubernetes objects, CRDs and policies as the API server would");
  page.blank();
  page.line("portcullis COMMAND [options]");
  page.table(
    "COMMANDS",
    commands.map(({ name, summary }) => [name, summary]),
  );
  page.table(
    "TOPICS",
    TOPICS.map(({ name, summary }) => [name, summary]),
  );
  page.blank();
  page.line("Run portcullis help COMMAND or portcullis help TOPIC for details.");
  page.line("No command uses the network, unless an input or an option names a URL or a cluster.");
  io.stdout(page.finish());
  return EXIT.ok;
}

/** `help`, `help crd lint`, `help exit-codes`. */
async function showHelp(words: readonly string[], io: CommandIo): Promise<number> {
  const plain = words.filter((word) => !word.startsWith("-"));
  if (plain.length === 0) return showOverview(io);
  const found = await findCommand(plain);
  if (found !== undefined) {
    io.stdout(await helpOf(found.command, found.path, io));
    return EXIT.ok;
  }
  const topic = findTopic(plain[0] ?? "");
  if (topic === undefined) throw new UsageError(unknownTopic(plain[0] ?? ""));
  const page = new Page(io);
  topic.write(page);
  io.stdout(page.finish());
  return EXIT.ok;
}

function unknownTopic(name: string): string {
  const names = [...COMMANDS, ...TOPICS].map((each) => each.name);
  return `no command and no topic \`${name}\`; see \`portcullis help\`${didYouMean(name, names)}`;
}

async function helpOf(command: Command, path: readonly string[], io: CommandIo): Promise<string> {
  const { manual, subcommands = [] } = command;
  const options = { color: io.color, columns: io.columns, subcommands: await loadAll(subcommands) };
  return formatHelp(command, manual, ["portcullis", ...path].join(" "), options);
}

async function showVersion(args: readonly string[], io: CommandIo): Promise<number> {
  const { versionText } = await import("@portcullis/checker/internal/output/version");
  io.stdout(versionText(args.includes("json") || args.includes("--output=json")));
  return EXIT.ok;
}

function complain(text: string, io: CommandIo): number {
  io.stderr(`portcullis: ${text}\n`);
  return EXIT.usage;
}

function crash(problem: unknown, io: CommandIo): number {
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  io.stderr(`portcullis: internal error: ${text}\n`);
  return EXIT.internal;
}

/** All commands, each loaded when it is asked for. */
import type { Command, CommandEntry } from "../commands/command.ts";

export const COMMANDS: readonly CommandEntry[] = [
  { name: "check", load: async () => (await import("../commands/check.ts")).check },
  { name: "kubeconform", load: async () => (await import("../commands/kubeconform.ts")).kubeconform },
  { name: "crd", load: async () => (await import("../commands/crd.ts")).crd },
  { name: "preflight", load: async () => (await import("../commands/preflight.ts")).preflight },
  { name: "policy", load: async () => (await import("../commands/policy.ts")).policy },
  { name: "cel", load: async () => (await import("../commands/cel.ts")).cel },
  { name: "explain", load: async () => (await import("../commands/explain.ts")).explain },
  { name: "serve", load: async () => (await import("../commands/serve.ts")).serve },
  { name: "backup", load: async () => (await import("../commands/serve-backup.ts")).backup },
  { name: "restore", load: async () => (await import("../commands/serve-backup.ts")).restore },
  { name: "fsck", load: async () => (await import("../commands/serve-fsck.ts")).fsck },
  { name: "webhook", load: async () => (await import("../commands/webhook.ts")).webhook },
  { name: "completion", load: async () => (await import("../commands/completion.ts")).completionOf(COMMANDS) },
];

/** A command and what leads to it. */
export interface FoundCommand {
  readonly command: Command;
  readonly path: readonly string[];
}

/** The command that the first words name, as far as they do. */
export async function findCommand(
  words: readonly string[],
  entries: readonly CommandEntry[] = COMMANDS,
): Promise<FoundCommand | undefined> {
  const [first = "", ...rest] = words;
  const command = await entries.find(({ name }) => name === first)?.load();
  if (command === undefined) return undefined;
  const inner = command.subcommands === undefined ? undefined : await findCommand(rest, command.subcommands);
  return inner === undefined ? { command, path: [first] } : { command: inner.command, path: [first, ...inner.path] };
}

export function loadAll(entries: readonly CommandEntry[]): Promise<readonly Command[]> {
  return Promise.all(entries.map(({ load }) => load()));
}

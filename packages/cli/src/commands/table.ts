/** All commands, each loaded on first use. */
import type { Command, CommandEntry } from "../frame/command.ts";

export const COMMANDS: readonly CommandEntry[] = [
  { name: "check", load: async () => (await import("./check.ts")).check },
  { name: "kubeconform", load: async () => (await import("./kubeconform.ts")).kubeconform },
  { name: "crd", load: async () => (await import("./crd/crd.ts")).crd },
  { name: "preflight", load: async () => (await import("./preflight.ts")).preflight },
  { name: "test", load: async () => (await import("./test.ts")).test },
  { name: "policy", load: async () => (await import("./policy/policy.ts")).policy },
  { name: "replay", load: async () => (await import("./replay.ts")).replay },
  { name: "scan", load: async () => (await import("./scan.ts")).scan },
  { name: "cel", load: async () => (await import("./cel.ts")).cel },
  { name: "versions", load: async () => (await import("./versions/versions.ts")).versions },
  { name: "explain", load: async () => (await import("./explain.ts")).explain },
  { name: "serve", load: async () => (await import("./serve/serve.ts")).serve },
  { name: "backup", load: async () => (await import("./serve/serve-backup.ts")).backup },
  { name: "restore", load: async () => (await import("./serve/serve-backup.ts")).restore },
  { name: "fsck", load: async () => (await import("./serve/serve-fsck.ts")).fsck },
  { name: "webhook", load: async () => (await import("./webhook.ts")).webhook },
  { name: "mcp", load: async () => (await import("./mcp/mcp.ts")).mcp },
  { name: "lsp", load: async () => (await import("./lsp.ts")).lsp },
  { name: "completion", load: async () => (await import("./completion.ts")).completionOf(COMMANDS) },
];

/** A command and the arguments that select it. */
export interface FoundCommand {
  readonly command: Command;
  readonly path: readonly string[];
}

/** Finds the command that the first arguments name. */
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

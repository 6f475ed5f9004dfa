/** What a command is, and what it may touch: everything outside comes in here, so that tests can hand in their own. */

export interface Command {
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  /** The whole help; a command with subcommands answers for the one the arguments name. */
  readonly help: string | ((args: readonly string[]) => string);
  readonly run: (args: readonly string[], io: CommandIo) => number | Promise<number>;
}

export interface CommandIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly stdin: () => string;
  readonly color: boolean;
}

/** Documented in `--help`; never overloaded. */
export const EXIT = { ok: 0, findings: 1, usage: 2, internal: 3 } as const;

/** The words on the command line are off, or an input cannot be read. Becomes exit code 2. */
export class UsageError extends Error {}

/** A command and its environment. All side effects go through the environment, so that tests can replace it. */
import type { OptionSpecs } from "./option-spec.ts";

export interface Command {
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  /** The declaration from which parsing, help, topics and shell completion are derived. */
  readonly manual: Manual;
  /** For a command that only has subcommands. */
  readonly subcommands?: readonly CommandEntry[];
  readonly run: (args: readonly string[], io: CommandIo) => number | Promise<number>;
}

/** A command by name, loaded on first use: most runs need only one. */
export interface CommandEntry {
  readonly name: string;
  readonly load: () => Promise<Command>;
}

export interface Manual {
  /** What follows `portcullis`, such as `check PATH… [options]`. */
  readonly usage: readonly string[];
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly examples: readonly Example[];
  readonly args?: readonly Row[];
  readonly options: OptionSpecs;
  readonly exits?: readonly Row[];
}

export interface Example {
  readonly does: string;
  /** The whole command line. */
  readonly run: string;
}

/** A word and what it means. */
export type Row = readonly [word: string, text: string];

export interface CommandIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly stdin: () => string;
  readonly color: boolean;
  /** Prints a line that the next one replaces; absent if standard output is not a terminal. */
  readonly progress?: ((line: string) => void) | undefined;
  /** Clears the screen before a repeated run; absent without a terminal. */
  readonly clear?: (() => void) | undefined;
  /** How many columns a line may have. */
  readonly columns?: number | undefined;
  /** Stops commands that run until interrupted. */
  readonly signal?: AbortSignal | undefined;
}

/** Documented in `--help`; each code has one meaning. */
export const EXIT = { ok: 0, findings: 1, usage: 2, internal: 3 } as const;

export const FINDING_EXITS: readonly Row[] = [
  ["0", "no findings, or only findings below --fail-on"],
  ["1", "findings"],
  ["2", "usage error, unreadable input, or nothing to check"],
  ["3", "internal error"],
];

/** Decides on colours, progress and clearing the screen: by option, environment and type of standard output. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";

export interface TerminalContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

const CHOICES = ["auto", "always", "never"] as const;
export type ColorChoice = (typeof CHOICES)[number];

/** Removes `--color WHEN` from the arguments; arguments after `--` are unchanged. */
export function takeColor(args: readonly string[]): { readonly choice: ColorChoice; readonly rest: readonly string[] } {
  const end = args.indexOf("--");
  const limit = end === -1 ? args.length : end;
  let choice: ColorChoice = "auto";
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (index < limit && arg === "--color") choice = readColor(args[++index] ?? "");
    else if (index < limit && arg.startsWith("--color=")) choice = readColor(arg.slice("--color=".length));
    else if (index < limit && arg === "--no-color") choice = "never";
    else rest.push(arg);
  }
  return { choice, rest };
}

function readColor(text: string): ColorChoice {
  const choice = CHOICES.find((each) => each === text);
  if (choice === undefined) throw new UsageError(`unknown \`--color ${text}\`; one of ${CHOICES.join(", ")}`);
  return choice;
}

export function wantsColor(choice: ColorChoice, { env, isTerminal }: TerminalContext): boolean {
  if (choice !== "auto") return choice === "always";
  if (isSet(env["NO_COLOR"])) return false;
  if (isSet(env["FORCE_COLOR"])) return env["FORCE_COLOR"] !== "0";
  return isTerminal && env["TERM"] !== "dumb";
}

/** A progress line is for people at a terminal, not for logs. */
export function wantsProgress({ env, isTerminal }: TerminalContext): boolean {
  return isTerminal && !isSet(env["CI"]) && env["TERM"] !== "dumb";
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

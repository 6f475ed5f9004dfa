/** The same inputs put to the command line: its files, its words, its exit code. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { cel } from "portcullis/internal/commands/cel";
import { check } from "portcullis/internal/commands/check";
import { crdDiff } from "portcullis/internal/commands/crd/crd-diff";
import { policyDiff } from "portcullis/internal/commands/policy/policy-diff";
import { policyEval } from "portcullis/internal/commands/policy/policy-eval";
import type { Command } from "portcullis/internal/frame/command";
import { commandFor, filesFor } from "../command-line.ts";
import { isRecord, type State } from "../state.ts";

export interface CommandLineAnswer {
  /** Exit code 0. */
  readonly isAccepted: boolean;
  /** What each finding says, of those modes that have findings; sorted. */
  readonly findings: readonly string[] | undefined;
  /** What is printed, of the others. */
  readonly output: string | undefined;
}

export async function askCommandLine(state: State): Promise<CommandLineAnswer> {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-playground-"));
  try {
    for (const { name, text } of filesFor(state)) writeFileSync(path.join(folder, name), text);
    return await askInFolder(folder, state);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files are there already. */
export async function askInFolder(folder: string, state: State): Promise<CommandLineAnswer> {
  const before = process.cwd();
  const line = commandFor(state);
  const [name, command] = Object.entries(COMMANDS).find(([each]) => line.join(" ").startsWith(`${each} `)) ?? [];
  if (name === undefined || command === undefined) throw new Error(`there is no command for ${line.join(" ")}`);
  const args = line.slice(name.split(" ").length);
  try {
    process.chdir(folder);
    return HAVE_FINDINGS.has(state.mode)
      ? findings(await run(command, [...args, "-o", "json"]))
      : printed(await run(command, args));
  } finally {
    process.chdir(before);
  }
}

const COMMANDS: Readonly<Record<string, Command>> = {
  check,
  cel,
  "crd diff": crdDiff,
  "policy eval": policyEval,
  "policy diff": policyDiff,
};

const HAVE_FINDINGS: ReadonlySet<State["mode"]> = new Set(["create", "update", "upgrade"]);

interface Ran {
  readonly code: number;
  readonly stdout: string;
}

async function run(command: Command, args: readonly string[]): Promise<Ran> {
  let stdout = "";
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: () => undefined,
    stdin: () => "",
    color: false,
  };
  try {
    return { code: await command.run(args, io), stdout };
  } catch (problem) {
    if (!(problem instanceof UsageError)) throw problem;
    return { code: 2, stdout: `${problem.message}\n` };
  }
}

function findings({ code, stdout }: Ran): CommandLineAnswer {
  const report: unknown = JSON.parse(stdout);
  const listed = isRecord(report) && Array.isArray(report["findings"]) ? report["findings"].filter(isRecord) : [];
  const lines = listed.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`);
  return { isAccepted: code === 0, findings: lines.sort(), output: undefined };
}

function printed({ code, stdout }: Ran): CommandLineAnswer {
  return { isAccepted: code === 0, findings: undefined, output: stdout.trimEnd() };
}

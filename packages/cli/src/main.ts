#!/usr/bin/env node
/** The command line's entry: finds the command, runs it, sets the exit code. */
import { readFileSync } from "node:fs";
import { cel } from "./commands/cel.ts";
import { check } from "./commands/check.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./commands/command.ts";
import { crd } from "./commands/crd.ts";
import { explain } from "./commands/explain.ts";
import { policy } from "./commands/policy.ts";
import { preflight } from "./commands/preflight.ts";
import { serve } from "./commands/serve.ts";
import { webhook } from "./commands/webhook.ts";

export const COMMANDS: readonly Command[] = [check, crd, preflight, explain, policy, cel, serve, webhook];

const io: CommandIo = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  stdin: () => readFileSync(0, "utf8"),
  color: process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined && process.env["TERM"] !== "dumb",
};

process.exitCode = await run(process.argv.slice(2));

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return showOverview();
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) return complain(`unknown command \`${name}\`; see \`portcullis --help\``);
  if (args.includes("--help") || args.includes("-h")) {
    io.stdout(typeof command.help === "string" ? command.help : command.help(args));
    return EXIT.ok;
  }
  try {
    return await command.run(args, io);
  } catch (problem) {
    return problem instanceof UsageError || isFileProblem(problem) ? complain(problem.message) : crash(problem);
  }
}

function showOverview(): number {
  const rows = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`);
  io.stdout(
    `Portcullis: what the Kubernetes API server would say\n\n${rows.join("\n")}\n\nportcullis COMMAND --help tells more.\n`,
  );
  return EXIT.ok;
}

function complain(text: string): number {
  io.stderr(`portcullis: ${text}\n`);
  return EXIT.usage;
}

function crash(problem: unknown): number {
  io.stderr(
    `portcullis: internal error: ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`,
  );
  return EXIT.internal;
}

/** What `node:fs` throws about a path the user gave. */
function isFileProblem(problem: unknown): problem is Error {
  return problem instanceof Error && "syscall" in problem;
}

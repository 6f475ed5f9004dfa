#!/usr/bin/env node
/** The entry of the command line: passes the streams of this process to the commands and sets the exit code. */
import { readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { decodeText } from "@portcullis/checker/internal/input/read-text";
import { harmlessLines } from "@portcullis/checker/internal/output/harmless";
import { run } from "./commands/run.ts";
import { type CommandIo, EXIT } from "./frame/command.ts";
import { takeColor, wantsColor, wantsProgress } from "./frame/terminal.ts";

// Keeps compiled code between runs if Node supports it (22.8 and later): startup takes a quarter less time.
if ("enableCompileCache" in nodeModule && typeof nodeModule.enableCompileCache === "function")
  nodeModule.enableCompileCache();

// `portcullis check … | head` closes the pipe early; that is not an error.
process.stdout.on("error", (problem: NodeJS.ErrnoException) => {
  if (problem.code !== "EPIPE") throw problem;
  process.exit(process.exitCode ?? EXIT.ok);
});

// Without `await` at the top: the bundle is a script, which has a code cache in every version of Node.js.
Promise.resolve(start(process.argv.slice(2))).then((code) => {
  process.exitCode = code;
});

function start(args: readonly string[]): number | Promise<number> {
  try {
    const { choice, rest } = takeColor(args);
    return run(rest, ioOf(wantsColor(choice, { env: process.env, isTerminal: process.stdout.isTTY === true })));
  } catch (problem) {
    process.stderr.write(`portcullis: ${problem instanceof Error ? problem.message : String(problem)}\n`);
    return EXIT.usage;
  }
}

function ioOf(color: boolean): CommandIo {
  const isWatched = wantsProgress({ env: process.env, isTerminal: process.stderr.isTTY === true });
  const columns = Number(process.env["COLUMNS"]) || process.stdout.columns;
  return {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(harmlessLines(text)),
    stdin: () => decodeText(readFileSync(0)),
    color,
    columns: columns > 0 ? columns : undefined,
    progress: isWatched ? (line) => process.stderr.write(`\r\x1b[K${line}`) : undefined,
    clear: process.stdout.isTTY === true ? () => process.stdout.write("\x1b[2J\x1b[3J\x1b[H") : undefined,
  };
}

/** Programs of a test that run in a process of their own, because the test kills it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

export interface Program {
  readonly file: string;
  remove(): void;
}

/** Node cannot run our sources as they are; the bundle lies where it finds the installed packages. */
export async function bundleProgram(source: URL): Promise<Program> {
  const folder = path.join(root, "node_modules", ".portcullis-test");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${path.basename(source.pathname, ".testing.ts")}-${process.pid}.mjs`);
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  return { file, remove: () => rmSync(file, { force: true }) };
}

export interface Child {
  readonly process: ChildProcess;
  /** Whole lines of standard output so far. */
  readonly lines: readonly string[];
  readonly errors: () => string;
  /** Resolves with the line; rejects if the process ends before. */
  until(isWanted: (line: string) => boolean): Promise<string>;
  /** Resolves when it has ended and everything it wrote has been read. */
  readonly ended: Promise<void>;
}

export function runProgram(command: string, args: readonly string[]): Child {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  let [rest, errors] = ["", ""];
  let notice = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    notice();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      hasEnded = true;
      notice();
      resolve();
    });
  });
  const until = async (isWanted: (line: string) => boolean): Promise<string> => {
    for (let at = 0; ; at++) {
      while (at >= lines.length) {
        if (hasEnded) throw new Error(`the process has ended: ${errors}`);
        await new Promise<void>((resolve) => {
          notice = resolve;
        });
      }
      const line = lines[at] ?? "";
      if (isWanted(line)) return line;
    }
  };
  return { process: child, lines, errors: () => errors, until, ended };
}

/** Programs of tests that run in a process of their own, because the test kills it, or starts it as people do. */
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

/** From the sources, so that nothing has to be built before; the bundle lies where it finds the installed packages. */
export async function bundleProgram(source: URL): Promise<Program> {
  const folder = path.join(root, "node_modules", ".portcullis-test");
  mkdirSync(folder, { recursive: true });
  const name = path.basename(source.pathname).replace(/(?:\.testing)?\.ts$/, "");
  const file = path.join(folder, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["portcullis-source"],
    external: ["libsql"],
    logLevel: "error",
  });
  return { file, remove: () => rmSync(file, { force: true }) };
}

export interface Child {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  /** Waits until the pattern is found in what it wrote to either stream; rejects where it ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code, when everything it wrote has been read; undefined if a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

export function runProgram(command: string, args: readonly string[], cwd = process.cwd()): Child {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], cwd });
  let [output, errors, hasEnded] = ["", "", false];
  let notice = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    notice();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
    notice();
  });
  const ended = new Promise<number | undefined>((resolve) => {
    child.on("close", (code) => {
      hasEnded = true;
      notice();
      resolve(code ?? undefined);
    });
  });
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output) ?? pattern.exec(errors);
      if (found !== null) return found;
      if (hasEnded) throw new Error(`the process has ended: ${output}${errors}`);
      await new Promise<void>((resolve) => {
        notice = resolve;
      });
    }
  };
  return { process: child, output: () => output, errors: () => errors, until, ended };
}

/** Whole lines; what a killed program had begun to write is left out. */
export function linesOf(output: string): string[] {
  return output.split("\n").slice(0, -1);
}

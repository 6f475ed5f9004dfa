/** Other programs that tests of the command line start: the shell, git, and the published command line. */
import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeFiles } from "./commands.testing.ts";

export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

export const hasBash = process.platform !== "win32" && spawnSync("bash", ["--version"]).status === 0;

/** Built from the sources; returns the file to run. */
export function bundleCommandLine(folder: string): string {
  execFileSync(process.execPath, [path.join(ROOT, "tools/bundle-cli.mjs"), folder], { cwd: ROOT });
  return path.join(folder, "portcullis.js");
}

/** Makes the folder a repository with one commit of the files. */
export function commitFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const git = (...args: string[]): Buffer => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  git("init", "-q");
  writeFiles(folder, files);
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "a");
}

/** Runs commands in that folder. */
export async function inFolder(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    await work();
  } finally {
    process.chdir(before);
  }
}

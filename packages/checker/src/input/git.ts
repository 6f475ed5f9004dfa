/** Reads `git:REF:PATH`: a file, or all YAML and JSON files below a folder, as committed. */
import { createRequire } from "node:module";
import path from "node:path";
import { UsageError } from "./usage-error.ts";

export interface GitFile {
  readonly file: string;
  readonly text: string;
}

const FORM = /^git:([^:]+):(.+)$/;

export function isGitSource(source: string): boolean {
  return FORM.test(source);
}

export function readGit(source: string): GitFile[] {
  const [, ref = "", target = ""] = FORM.exec(source) ?? [];
  if (ref.startsWith("-")) throw new UsageError(`\`${ref}\` is not a git revision`);
  const names = git(["ls-tree", "-r", "-z", "--name-only", ref, "--", target], source)
    .toString()
    .split("\0")
    .filter((name) => name !== "");
  const files =
    names.length === 1 ? names : names.filter((name) => [".yaml", ".yml", ".json"].includes(path.extname(name)));
  if (files.length === 0) throw new UsageError(`\`${source}\`: no such file in that revision`);
  const texts = contentsOf(ref, files, source);
  return files.map((name, index) => ({ file: `git:${ref}:${name}`, text: texts[index] ?? "" }));
}

/** Reads all of them with one process. Names with a line break cannot be requested that way. */
function contentsOf(ref: string, names: readonly string[], source: string): string[] {
  if (names.some((name) => name.includes("\n"))) {
    return names.map((name) => git(["show", `${ref}:./${name}`], source).toString());
  }
  const args = ["cat-file", "--batch", "--follow-symlinks"];
  const answer = git(args, source, names.map((name) => `${ref}:./${name}\n`).join(""));
  const texts: string[] = [];
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf("\n", at);
    const header = answer.subarray(at, end).toString();
    const size = Number(header.split(" ").at(-1));
    // A submodule is listed but has no content here.
    const length = Number.isNaN(size) ? -1 : size;
    // Links are followed within the commit; for other links the content is the name that was requested.
    const isFile = / blob \d+$/.test(header);
    texts.push(isFile ? answer.subarray(end + 1, end + 1 + Math.max(0, length)).toString() : "");
    at = end + 1 + length + 1;
  }
  return texts;
}

function git(args: readonly string[], source: string, input = ""): Buffer {
  // Loaded lazily: it takes some milliseconds, and most runs do not need git.
  const { execFileSync }: typeof import("node:child_process") = createRequire(import.meta.url)("node:child_process");
  try {
    return execFileSync("git", args, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });
  } catch (problem) {
    const stderr = problem instanceof Error && "stderr" in problem ? String(problem.stderr).trim() : "";
    throw new UsageError(`\`${source}\`: ${stderr.split("\n")[0] || reasonOf(problem)}`);
  }
}

function reasonOf(problem: unknown): string {
  if (problem instanceof Error && "code" in problem && problem.code === "ENOENT") return "git is not installed";
  return problem instanceof Error ? problem.message : String(problem);
}

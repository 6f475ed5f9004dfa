/** Renders charts and kustomizations with the tools of the user: `helm`, and `kustomize` or `kubectl`. */
import { createRequire } from "node:module";
import path from "node:path";
import type { InputFile } from "@portcullis/checker/internal/input/files";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { isKustomizationName } from "@portcullis/checker/internal/repository/survey";

/** `DIR` or `DIR=VALUES`. */
export function renderChart(argument: string): InputFile {
  const [chart = "", ...rest] = argument.split("=");
  const values = rest.length === 0 ? [] : ["--values", rest.join("=")];
  const args = ["template", "release-name", folderArgument(chart), "--include-crds", ...values];
  const text = runTool([["helm", args]], `--helm ${argument}`);
  return { file: `helm:${chart}`, isNamed: true, text, chart };
}

/** A folder, or the `kustomization.yaml` in it. */
export function buildKustomization(folder: string): InputFile {
  const isFile = isKustomizationName(path.basename(folder));
  const place = folderArgument(isFile ? path.dirname(folder) : folder);
  const tools = [
    ["kustomize", ["build", place]],
    ["kubectl", ["kustomize", place]],
  ] as const;
  return { file: `kustomize:${folder}`, isNamed: true, text: runTool(tools, `-k ${folder}`) };
}

/** A folder is never read as an option. */
function folderArgument(folder: string): string {
  return folder.startsWith("-") ? `./${folder}` : folder;
}

const MAX_OUTPUT = 1 << 28;

/** What the program wrote, or else how it ended. */
function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const { code, signal, status, stderr } = problem as ChildProblem;
  if (code === "ENOBUFS") return `it wrote more than ${MAX_OUTPUT} bytes`;
  const written = String(stderr ?? "").trim();
  if (written !== "") return written.split("\n").slice(0, 5).join("; ");
  if (typeof signal === "string") return `it was ended by ${signal}`;
  return typeof status === "number" ? `it exited with ${status} and wrote no error` : problem.message;
}

/** The properties of errors of `node:child_process`. */
interface ChildProblem extends Error {
  readonly code?: unknown;
  readonly signal?: unknown;
  readonly status?: unknown;
  readonly stderr?: unknown;
}

type Tool = readonly [program: string, args: readonly string[]];

/** Uses the first tool that is installed. */
function runTool(tools: readonly Tool[], option: string): string {
  // Loaded lazily: most runs render nothing.
  const { execFileSync }: typeof import("node:child_process") = createRequire(import.meta.url)("node:child_process");
  for (const [program, args] of tools) {
    try {
      return execFileSync(program, args, {
        encoding: "utf8",
        maxBuffer: MAX_OUTPUT,
        stdio: ["ignore", "pipe", "pipe"],
      });
    } catch (problem) {
      if (problem instanceof Error && "code" in problem && problem.code === "ENOENT") continue;
      throw new UsageError(`\`${option}\`: ${program} failed: ${reasonOf(problem)}`);
    }
  }
  const names = tools.map(([program]) => `\`${program}\``).join(" nor ");
  throw new UsageError(`\`${option}\`: ${tools.length > 1 ? `neither ${names} is` : `${names} is not`} installed`);
}

/** Renders charts and kustomizations with the tools of the user: `helm`, and `kustomize` or `kubectl`. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { InputFile } from "@portcullis/checker/internal/input/files";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { isKustomizationName, KUSTOMIZATION_NAMES } from "@portcullis/checker/internal/repository/survey";

/**
 * `DIR` or `DIR=VALUES`. Charts ask for the version of Kubernetes and may refuse it; without one, helm takes that of
 * its own build.
 */
export function renderChart(argument: string, kubeVersion: string): InputFile {
  const [chart = "", ...rest] = argument.split("=");
  const values = rest.length === 0 ? [] : ["--values", rest.join("=")];
  const version = ["--kube-version", kubeVersion];
  const args = ["template", "release-name", folderArgument(chart), "--include-crds", ...version, ...values];
  const text = runTool([["helm", args]], `--helm ${argument}`);
  return { file: `helm:${chart}`, isNamed: true, text, chart };
}

/** A folder, or the `kustomization.yaml` in it. */
export function buildKustomization(folder: string): InputFile {
  const isFile = isKustomizationName(path.basename(folder));
  const home = isFile ? path.dirname(folder) : folder;
  const place = folderArgument(home);
  const tools = [
    ["kustomize", ["build", place]],
    ["kubectl", ["kustomize", place]],
  ] as const;
  const text = runTool(tools, `-k ${folder}`);
  const kustomization = KUSTOMIZATION_NAMES.map((name) => path.join(home, name)).find((file) => existsSync(file));
  return { file: `kustomize:${folder}`, isNamed: true, text, kustomization };
}

/** A folder is never read as an option, nor as the name of a repository. */
function folderArgument(folder: string): string {
  return path.isAbsolute(folder) || folder.startsWith(".") || folder.includes("://") ? folder : `./${folder}`;
}

const MAX_OUTPUT = 1 << 28;
/** Of an error. */
const MAX_LINES = 5;

/** What the program wrote, or else how it ended. */
function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const { code, signal, status, stderr } = problem as ChildProblem;
  if (code === "ENOBUFS") return `it wrote more than ${MAX_OUTPUT} bytes`;
  const written = String(stderr ?? "").trim();
  if (written !== "") return errorIn(written.split(/\n\s*/));
  if (typeof signal === "string") return `it was ended by ${signal}`;
  return typeof status === "number" ? `it exited with ${status} and wrote no error` : problem.message;
}

/** Tools print warnings first. */
function errorIn(lines: readonly string[]): string {
  const start = Math.max(
    0,
    lines.findIndex((line) => line.startsWith("Error")),
  );
  return lines.slice(start, start + MAX_LINES).join("; ");
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

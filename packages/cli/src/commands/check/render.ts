/** Renders charts and kustomizations with the tools of the user: `helm`, and `kustomize` or `kubectl`. */
import { createRequire } from "node:module";
import type { InputFile } from "@portcullis/checker/internal/input/files";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";

/** `DIR` or `DIR=VALUES`. */
export function renderChart(argument: string): InputFile {
  const [chart = "", ...rest] = argument.split("=");
  const values = rest.length === 0 ? [] : ["--values", rest.join("=")];
  const args = ["template", "release-name", folderArgument(chart), "--include-crds", ...values];
  const text = runTool([["helm", args]], `--helm ${argument}`);
  return { file: `helm:${chart}`, isNamed: true, text, chart };
}

export function buildKustomization(folder: string): InputFile {
  const place = folderArgument(folder);
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

type Tool = readonly [program: string, args: readonly string[]];

/** Uses the first tool that is installed. */
function runTool(tools: readonly Tool[], option: string): string {
  // Loaded lazily: most runs render nothing.
  const { execFileSync }: typeof import("node:child_process") = createRequire(import.meta.url)("node:child_process");
  for (const [program, args] of tools) {
    try {
      return execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
    } catch (problem) {
      if (problem instanceof Error && "code" in problem && problem.code === "ENOENT") continue;
      const output = problem instanceof Error && "stderr" in problem ? String(problem.stderr).trim() : String(problem);
      throw new UsageError(`\`${option}\`: ${program} failed: ${output.split("\n").slice(0, 5).join("; ")}`);
    }
  }
  const names = tools.map(([program]) => `\`${program}\``).join(" nor ");
  throw new UsageError(`\`${option}\`: ${tools.length > 1 ? `neither ${names} is` : `${names} is not`} installed`);
}

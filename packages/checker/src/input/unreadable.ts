/** Files and folders that exist and cannot be read are findings: the run continues with the others. */
import { findingInFile } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";

/** Bugs are thrown. */
export function unreadable(file: string, problem: unknown, what: "file" | "folder" = "file"): Finding {
  if (!(problem instanceof Error && "code" in problem)) throw problem;
  const reason = REASONS.get(String(problem.code)) ?? `it cannot be read (${String(problem.code)})`;
  return findingInFile(file, { rule: "input/unreadable", severity: "error", message: reason.replace("file", what) });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "no permission to read the file"],
  ["EPERM", "no permission to read the file"],
  ["ENOENT", "the file does not exist any more"],
  ["EISDIR", "it is a folder"],
]);

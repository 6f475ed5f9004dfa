/** What `node:fs` throws about a path that somebody gave, in words. */

export interface FileProblem extends Error {
  readonly path?: unknown;
  readonly code?: unknown;
}

export function isFileProblem(problem: unknown): problem is FileProblem {
  return problem instanceof Error && "syscall" in problem;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "no permission",
  EPERM: "no permission",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is no folder",
  ELOOP: "its links lead in a circle",
  EROFS: "nothing can be written there",
  ENOSPC: "there is no space left",
  ENAMETOOLONG: "the name is too long",
};

export function fileProblem({ path, code, message }: FileProblem): string {
  const words = typeof code === "string" ? WORDS[code] : undefined;
  return typeof path === "string" && words !== undefined ? `\`${path}\`: ${words}` : message;
}

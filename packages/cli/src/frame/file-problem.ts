/** Turns errors of `node:fs` about a user's path into messages. */

export interface FileProblem extends Error {
  readonly path?: unknown;
  readonly code?: unknown;
}

export function isFileProblem(problem: unknown): problem is FileProblem {
  return problem instanceof Error && "syscall" in problem;
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "no permission",
  EPERM: "no permission",
  EISDIR: "is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ELOOP: "too many symbolic links",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the disk",
  ENAMETOOLONG: "the name is too long",
};

export function fileProblem({ path, code, message }: FileProblem): string {
  const text = typeof code === "string" ? MESSAGES[code] : undefined;
  return typeof path === "string" && text !== undefined ? `\`${path}\`: ${text}` : message;
}

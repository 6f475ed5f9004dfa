/** Reads the documents of files, folders, standard input and commits. */
import { readFileSync } from "node:fs";
import { listInputs } from "./files.ts";
import { isGitSource, readGit } from "./git.ts";
import { type Inputs, readFile } from "./text.ts";

export { type Inputs, objectId, readFile } from "./text.ts";

/**
 * `-` is standard input, `git:REF:PATH` reads from a commit; folders are read recursively. Throws if a path does not
 * exist.
 */
export function readInputs(paths: readonly string[], stdin: () => string = readStdin): Inputs {
  const onDisk = paths.filter((each) => !isGitSource(each));
  const files = [
    ...(onDisk.length === 0 ? [] : listInputs(onDisk)).map(({ file }) => ({
      file,
      text: file === "-" ? stdin() : readFileSync(file, "utf8"),
    })),
    ...paths.filter(isGitSource).flatMap(readGit),
  ];
  const read = files.map(({ file, text }) => readFile(file, text));
  return {
    files: files.length,
    documents: read.flatMap(({ documents }) => documents),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function readStdin(): string {
  return readFileSync(0, "utf8");
}

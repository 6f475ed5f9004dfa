/** The documents of files, folders and standard input. */
import { readFileSync } from "node:fs";
import { listInputs } from "./files.ts";
import { type Inputs, readFile } from "./text.ts";

export { type Inputs, objectId, readFile } from "./text.ts";

/** `-` is standard input; folders are read with all that is below them. Throws where a path does not exist. */
export function readInputs(paths: readonly string[], stdin: () => string = readStdin): Inputs {
  const files = listInputs(paths);
  const read = files.map(({ file }) => readFile(file, file === "-" ? stdin() : readFileSync(file, "utf8")));
  return {
    files: files.length,
    documents: read.flatMap(({ documents }) => documents),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function readStdin(): string {
  return readFileSync(0, "utf8");
}

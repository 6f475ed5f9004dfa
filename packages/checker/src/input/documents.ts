/** Reads the documents of files, folders, standard input, commits, archives, URLs and clusters. */
import { readFileSync } from "node:fs";
import { type InputFile, type Skipped, surveyFiles } from "../repository/survey.ts";
import { listInputs } from "./files.ts";
import { type IsKept, readObjects } from "./objects.ts";
import { decodeText, readTextFile } from "./read-text.ts";
import { isSource, readSource, type SourceFile } from "./sources.ts";
import { type Inputs, readFile } from "./text.ts";
import { unreadable } from "./unreadable.ts";

export { type Inputs, objectId, readFile } from "./text.ts";

/**
 * `-` is standard input; folders are read recursively; sources.ts lists what else a path may be. Throws if a path does
 * not exist.
 */
export function readInputs(paths: readonly string[], stdin: () => string = readStdin, isKept?: IsKept): Inputs {
  const onDisk = paths.filter((each) => !isSource(each));
  const { files, problems, skipped } = onDisk.length === 0 ? NOTHING : listInputs(onDisk);
  const sources = paths.filter(isSource).map(readSourceInputs);
  const read = [
    ...files.map((input) => readOne(input, stdin, isKept)),
    ...sources.flatMap(({ inputs }) => inputs.map((input) => documentsOf(input, input.text ?? "", isKept))),
  ];
  return {
    files: read.length,
    documents: read.flatMap(({ documents }) => documents),
    problems: [...problems, ...read.flatMap((each) => each.problems)],
    skipped: [...skipped, ...sources.flatMap((each) => each.skipped)],
  };
}

const NOTHING = { files: [], problems: [], skipped: [] } as const;

export interface SourceInputs {
  /** With their texts. */
  readonly inputs: readonly InputFile[];
  readonly skipped: readonly Skipped[];
}

/** A folder of a commit or an archive has patches and charts as a folder on disk does. */
export function readSourceInputs(source: string): SourceInputs {
  return surveySource(readSource(source));
}

export function surveySource(all: readonly SourceFile[]): SourceInputs {
  const texts = new Map(all.map((each) => [each.file, each]));
  const isNamed = all.length === 1;
  const { files, skipped } = surveyFiles(
    all.map(({ file }) => ({ file, isNamed })),
    (file) => texts.get(file)?.text,
  );
  return {
    inputs: files.map((input) => ({ ...input, text: texts.get(input.file)?.text ?? "" })),
    skipped: skipped.map((each) => ({ ...each, isPacked: true })),
  };
}

function readOne(
  input: InputFile,
  stdin: () => string,
  isKept: IsKept | undefined,
): Pick<Inputs, "documents" | "problems"> {
  if (input.file === "-") return documentsOf(input, stdin(), isKept);
  try {
    return documentsOf(input, readTextFile(input.file), isKept);
  } catch (problem) {
    return { documents: [], problems: [unreadable(input.file, problem)] };
  }
}

/** Files that are named are read completely: a policy or a request may be anything. */
function documentsOf(
  input: InputFile,
  text: string,
  isKept: IsKept | undefined,
): Pick<Inputs, "documents" | "problems"> {
  return input.isNamed ? readFile(input.file, text) : readObjects(input, text, isKept);
}

function readStdin(): string {
  return decodeText(readFileSync(0));
}

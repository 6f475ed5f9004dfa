/** Checks the documents of one text: what `check` does with a file, and the language server with a text that is open. */
import { type FileObjects, readObjects } from "../input/objects.ts";
import { applyIgnores } from "../report/comments.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { InputFile } from "../repository/survey.ts";
import { adaptToFile } from "./file-findings.ts";

export interface CheckedText extends FileObjects {
  /** In the order of the documents; those that the text suppresses are marked. */
  readonly findings: readonly Finding[];
}

/** The findings of one document. */
export type CheckDocument = (document: ManifestDocument) => Promise<readonly Finding[]>;

/** `others` are findings about the file as a whole. */
export async function checkText(
  input: InputFile,
  text: string,
  check: CheckDocument,
  others: readonly Finding[] = [],
): Promise<CheckedText> {
  const objects = readObjects(input, text);
  return { ...objects, findings: await checkObjects({ input, text, objects }, check, others) };
}

/** A text and the objects that were read from it. */
export interface ReadText {
  readonly input: InputFile;
  readonly text: string;
  readonly objects: FileObjects;
}

export async function checkObjects(
  { input, text, objects }: ReadText,
  check: CheckDocument,
  others: readonly Finding[] = [],
): Promise<readonly Finding[]> {
  const found = [...objects.problems, ...others];
  // One by one: a document may have more findings than a call can have arguments.
  for (const document of objects.documents) for (const finding of await check(document)) found.push(finding);
  return applyIgnores(adaptToFile(found, input, text), objects.documents);
}

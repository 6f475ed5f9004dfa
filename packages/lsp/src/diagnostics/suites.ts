/** Suites: what is wrong with them, and the tests that fail. */
import path from "node:path";
import type { ReadText } from "@portcullis/checker/internal/check/check-text";
import { readFile } from "@portcullis/checker/internal/input/text";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { findingAt } from "@portcullis/checker/internal/report/build";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { isSuite, readSuite } from "@portcullis/checker/internal/suites/suite-read";
import { suiteReport } from "@portcullis/checker/internal/suites/suite-report";
import { newContext, runSuite } from "@portcullis/checker/internal/suites/suite-run";
import type { Folder } from "../workspace/folder.ts";
import { DEFAULT_SETTINGS, engineFor } from "../workspace/settings.ts";

export async function suiteFindings({ input, text }: ReadText, folder: Folder): Promise<readonly Finding[]> {
  if (!MAY_BE_SUITE.test(text)) return [];
  const found: Finding[] = [];
  for (const document of readFile(input.file, text).documents.filter(({ object }) => isSuite(object, input.file))) {
    found.push(...(await findingsOf(document, folder)));
  }
  return found;
}

const MAY_BE_SUITE = /\b(?:tests?|testSuites|vapTestSuites|mapTestSuites|results)["']?[ \t]*:/;

async function findingsOf(document: ManifestDocument, folder: Folder): Promise<readonly Finding[]> {
  const full = path.join(folder.root, document.file);
  try {
    const suite = readSuite(document, full);
    if (suite === undefined) return [];
    const result = await runSuite({ ...suite, document }, newContext(engineFor(DEFAULT_SETTINGS)));
    const relative = (each: Finding): Finding => ({ ...each, message: each.message.replaceAll(full, document.file) });
    return suiteReport([result], [], "test").findings.map(relative);
  } catch (problem) {
    if (!(problem instanceof UsageError) && !isFileProblem(problem)) throw problem;
    const message = (problem instanceof Error ? problem.message : "").replaceAll(full, document.file);
    const place = /: ([\w[\].]+)(?::|$)/.exec(message)?.[1] ?? "";
    return [findingAt(document, { rule: "policy/suite", severity: "error", message, path: place })];
  }
}

/** A file that the suite names and that cannot be read. */
function isFileProblem(problem: unknown): boolean {
  return problem instanceof Error && "code" in problem;
}

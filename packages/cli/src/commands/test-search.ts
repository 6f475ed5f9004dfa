/** What `portcullis test` does beside running cases: `--mutate` and `--generate`. */
import path from "node:path";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import type { Coverage } from "@portcullis/checker/internal/suites/coverage";
import {
  type Generated,
  generateCases,
  relativePath,
  type Tested,
  testedBy,
} from "@portcullis/checker/internal/suites/mutate/generate";
import {
  isCrd,
  joined,
  type MutationResult,
  mutateSuite,
  NO_MUTANTS,
} from "@portcullis/checker/internal/suites/mutate/run-mutants";
import { suiteFiles } from "@portcullis/checker/internal/suites/suite-files";
import { readSuites } from "@portcullis/checker/internal/suites/suite-read";
import { newContext } from "@portcullis/checker/internal/suites/suite-run";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { newObject } from "@portcullis/engine/internal/value/json";
import type { CommandIo } from "../frame/command.ts";
import { writeInFolder } from "../frame/show.ts";

const now = (): number => performance.now();

/** The suites of all paths, with mutants. */
export async function runMutants(
  paths: readonly string[],
  engine: EngineOptions,
  seconds: number,
): Promise<MutationResult> {
  const context = newContext(engine);
  let result = NO_MUTANTS;
  for (const suite of readSuites(paths).suites) {
    result = joined(result, await mutateSuite(suite, { context, seconds, now }));
  }
  return result;
}

export interface GenerateOptions {
  readonly paths: readonly string[];
  readonly file: string;
  readonly engine: EngineOptions;
  readonly seconds: number;
  readonly coverage: Coverage | undefined;
}

/** Writes the cases that are missing; true if there are any. */
export async function generate(options: GenerateOptions, io: CommandIo): Promise<boolean> {
  const { file, engine, seconds, coverage } = options;
  const context = newContext(engine);
  const made: Generated[] = [];
  for (const tested of await testedOf(options)) {
    made.push(await generateCases(tested, coverage?.list() ?? [], { context, seconds, now }));
  }
  const suites = made.flatMap(({ suite }) => (suite === undefined ? [] : [suite]));
  for (const note of made.flatMap(({ notes }) => notes)) io.stderr(`portcullis: ${note}\n`);
  const count = made.reduce((sum, { cases }) => sum + cases, 0);
  if (suites.length > 0) writeInFolder(file, formatYaml(suites));
  io.stderr(
    `portcullis: ${count} ${count === 1 ? "case" : "cases"} ${count === 0 ? "missing" : `written to ${file}; review them`}\n`,
  );
  return count > 0;
}

/** From suites, or from policies and CRDs that have none. */
async function testedOf({ paths, file, coverage }: GenerateOptions): Promise<Tested[]> {
  const folder = path.dirname(file);
  if (coverage !== undefined) return readSuites(paths).suites.map((suite) => testedBy(suite, folder));
  const objects = loadDocuments(paths).map(({ object }) => object);
  const reference = newObject();
  reference[objects.every(isCrd) ? "crds" : "policies"] = paths.map((each) => relativePath(folder, each));
  return [{ objects, reference }];
}

/** Whether there is a suite to run. */
export function hasSuites(paths: readonly string[]): boolean {
  return suiteFiles(paths, { mayBeNone: true }).length > 0;
}

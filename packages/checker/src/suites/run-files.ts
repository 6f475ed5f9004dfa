/** Runs the suites of files, one file at a time, so that threads can share the work. */
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { Finding } from "../report/finding.ts";
import type { Coverage } from "./coverage.ts";
import { type Matcher, patternMatcher } from "./matcher.ts";
import { SuiteContext } from "./subjects/context.ts";
import type { PlacedSuite } from "./suite.ts";
import type { SuiteFile } from "./suite-files.ts";
import { readSuiteFile } from "./suite-read.ts";
import { runSuite, type SuiteResult } from "./suite-run.ts";

/** Plain data, to be sent to threads. */
export interface SuitePlan {
  readonly files: readonly SuiteFile[];
  readonly engine: EngineOptions;
  /** Runs only the cases whose suite or name matches. */
  readonly pattern: string | undefined;
}

export interface FileResult {
  readonly index: number;
  readonly suites: readonly SuiteResult[];
  readonly problems: readonly Finding[];
}

/** Keeps what is compiled between files: neighbouring suites often test the same CRDs. */
export class SuiteRunner {
  readonly #plan: SuitePlan;
  readonly #context: SuiteContext;
  readonly #matcher: Matcher | undefined;
  readonly #coverage: Coverage | undefined;

  constructor(plan: SuitePlan, coverage?: Coverage) {
    this.#plan = plan;
    this.#context = new SuiteContext(plan.engine);
    this.#matcher = plan.pattern === undefined ? undefined : patternMatcher(plan.pattern);
    this.#coverage = coverage;
  }

  async run(index: number): Promise<FileResult> {
    const input = this.#plan.files[index];
    if (input === undefined) return { index, suites: [], problems: [] };
    const { suites, problems } = readSuiteFile(input.file, input.isNamed);
    const results: SuiteResult[] = [];
    for (const suite of suites) {
      const chosen = this.#chosen(suite);
      if (chosen !== undefined) results.push(await runSuite(chosen, this.#context, this.#coverage));
    }
    return { index, suites: results, problems };
  }

  /** Undefined if nothing of the suite is to run. */
  #chosen(suite: PlacedSuite): PlacedSuite | undefined {
    const matcher = this.#matcher;
    if (matcher === undefined) return suite;
    const isChosen = ({ name }: { readonly name: string }): boolean => matcher.matches(`${suite.name} ${name}`);
    const cases = suite.cases.filter(isChosen);
    const skipped = suite.skipped?.filter(isChosen) ?? [];
    const problems = matcher.matches(suite.name) ? (suite.problems ?? []) : [];
    return cases.length + skipped.length + problems.length === 0 ? undefined : { ...suite, cases, skipped, problems };
  }
}

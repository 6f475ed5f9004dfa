/** `portcullis policy test`: tests whether policies do what their authors expect. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { verdictData } from "@portcullis/checker/internal/policy/verdict-json";
import { Coverage, formatCoverage, isCovered } from "@portcullis/checker/internal/suites/coverage";
import { readSuites } from "@portcullis/checker/internal/suites/suite-read";
import { formatSuitesJunit, suiteReport } from "@portcullis/checker/internal/suites/suite-report";
import { runSuite, type SuiteResult } from "@portcullis/checker/internal/suites/suite-run";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions } from "../../frame/engine-options.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import { DEFAULT_GROUP } from "../../frame/option-spec.ts";
import { type Output, parseOptions, readOutputs } from "../../frame/options.ts";
import { REPORT_OPTIONS } from "../../frame/show.ts";
import { renderReport, writeOutput } from "./policy-output.ts";

const OPTIONS = {
  run: { type: "string", value: "TEXT", text: "run only the cases whose name contains TEXT" },
  coverage: {
    type: "boolean",
    text: "also print which conditions, variables and expressions were evaluated",
  },
  "kube-version": { ...KUBE_VERSION, group: DEFAULT_GROUP },
  output: { ...REPORT_OPTIONS.output, group: DEFAULT_GROUP },
} as const;

const MANUAL: Manual = {
  usage: ["policy test PATH… [options]"],
  examples: [
    { does: "run all suites in a folder", run: "portcullis policy test policies/" },
    { does: "run one suite with coverage", run: "portcullis policy test policies/replicas/suite.yaml --coverage" },
    {
      does: "in CI: print text, and write JUnit to a file",
      run: "portcullis policy test policies/ -o text -o junit=policies.xml",
    },
  ],
  about: [
    "Runs test suites for admission policies. Each case is a request with the expected result: allow, deny, warn, skip or error, and optionally the message and audit annotations. Suites have `kind: PolicySuite`. Test files of kyverno, gator and kaptest are supported if they test ValidatingAdmissionPolicies.",
  ],
  args: [["PATH", "a suite, or a folder with suites"]],
  options: OPTIONS,
  exits: [
    ["0", "all passed"],
    ["1", "some failed"],
    ["2", "usage error, unreadable input or nothing to run"],
    ["3", "internal error"],
  ],
};

export const policyTest: Command = {
  name: "test",
  summary: "run test suites, with coverage per expression",
  manual: MANUAL,
  run: runTest,
};

async function runTest(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("policy test needs at least one path");
  const outputs = readOutputs(options.texts("output"));
  const engine = engineOptions(options.text("kube-version"), undefined);
  const pattern = options.text("run") ?? "";
  const coverage = options.flag("coverage") ? new Coverage() : undefined;
  const suites = readSuites(options.positionals)
    .map((suite) => ({ ...suite, cases: suite.cases.filter(({ name }) => name.includes(pattern)) }))
    .filter(({ cases, skipped = 0 }) => cases.length + skipped > 0);
  if (suites.length === 0) throw new UsageError(`no case matches \`${pattern}\``);
  const results: SuiteResult[] = [];
  for (const suite of suites) results.push(await runSuite(suite, engine, coverage));
  for (const output of outputs) writeOutput(output, render(results, coverage, output), io);
  return results.every((suite) => suite.results.every(({ passed }) => passed)) ? EXIT.ok : EXIT.findings;
}

function render(suites: readonly SuiteResult[], coverage: Coverage | undefined, { format }: Output): string {
  switch (format) {
    case "text":
      return `${asText(suites, coverage)}\n`;
    case "json":
      return `${asJson(suites, coverage)}\n`;
    case "junit":
      return `${formatSuitesJunit(suites)}\n`;
    default:
      return renderReport(suiteReport(suites), format);
  }
}

function asText(suites: readonly SuiteResult[], coverage: Coverage | undefined): string {
  const lines = suites.flatMap(({ file, results, notes }) => [
    file,
    ...notes.map((note) => `  note ${note}`),
    ...results.flatMap(({ name, passed, problems }) => [
      `  ${passed ? "ok  " : "FAIL"} ${name}`,
      ...problems.map((problem) => `       ${problem}`),
    ]),
  ]);
  const { passed, failed, skipped } = countResults(suites);
  const more = skipped === 0 ? "" : `, ${skipped} skipped`;
  const noun = suites.length === 1 ? "suite" : "suites";
  const summary = `${suites.length} ${noun}: ${passed} passed, ${failed} failed${more}`;
  return [...lines, ...(coverage === undefined ? [] : formatCoverage(coverage.list())), summary].join("\n");
}

function asJson(suites: readonly SuiteResult[], coverage: Coverage | undefined): string {
  const report = {
    apiVersion: REPORT_VERSION,
    kind: "PolicyTestReport",
    summary: { suites: suites.length, ...countResults(suites) },
    suites: suites.map(({ file, name, notes, results }) => ({
      file,
      name,
      notes,
      results: results.map(({ verdict, path: _, ...result }) => ({
        ...result,
        ...verdictData(verdict, { explain: false }),
      })),
    })),
    coverage: coverage?.list().map((each) => ({ ...each, covered: isCovered(each) })),
  };
  return JSON.stringify(report, undefined, 2);
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

function countResults(suites: readonly SuiteResult[]): Counts {
  const all = suites.flatMap(({ results }) => results);
  const passed = all.filter((result) => result.passed).length;
  const skipped = suites.reduce((sum, suite) => sum + suite.skipped, 0);
  return { passed, failed: all.length - passed, skipped };
}

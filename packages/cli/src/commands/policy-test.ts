/** `portcullis policy test`: whether policies do what their authors expect. */
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { REPORT_VERSION } from "../output/json.ts";
import { Coverage, formatCoverage, isCovered } from "../policy/coverage.ts";
import { readSuites } from "../policy/suite-read.ts";
import { runSuite, type SuiteResult } from "../policy/suite-run.ts";
import { verdictData } from "../policy/verdict-json.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { engineOptions } from "./engine-options.ts";
import { parseOptions } from "./options.ts";
import { readTextOrJson } from "./policy-eval.ts";

const HELP = `portcullis policy test PATH… [options]

Runs test suites for ValidatingAdmissionPolicies: every case is a request, and says whether it must be
allowed, denied, warned about or left alone, with which message and which audit annotations.
Suites are \`kind: PolicySuite\`; test files of kyverno, gator and kaptest are read too, where they are
about ValidatingAdmissionPolicies.

  portcullis policy test policies/
  portcullis policy test policies/replicas/suite.yaml --coverage

  PATH                    a suite, or a folder with suites among its files
  --run PATTERN           only the cases whose name contains this text
  --coverage              also print which conditions, variables and expressions were evaluated
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  -o, --output FORMAT     text (default) or json

Exit codes: 0 all passed, 1 some failed, 2 usage, unreadable input or nothing to run, 3 internal error.
`;

export const policyTest: Command = {
  name: "test",
  summary: "run test suites, with coverage per expression",
  help: HELP,
  run: runTest,
};

const OPTIONS = {
  run: { type: "string" },
  coverage: { type: "boolean" },
  "kube-version": { type: "string" },
  output: { type: "string", short: "o" },
} as const;

function runTest(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("policy test needs at least one path");
  const format = readTextOrJson(options.text("output") ?? "text");
  const engine = engineOptions(options.text("kube-version"), undefined);
  const pattern = options.text("run") ?? "";
  const coverage = options.flag("coverage") ? new Coverage() : undefined;
  const suites = readSuites(options.positionals)
    .map((suite) => ({ ...suite, cases: suite.cases.filter(({ name }) => name.includes(pattern)) }))
    .filter(({ cases }) => cases.length > 0);
  if (suites.length === 0) throw new UsageError(`no case is called \`${pattern}\``);
  const results = suites.map((suite) => runSuite(suite, engine, coverage));
  io.stdout(`${format === "json" ? asJson(results, coverage) : asText(results, coverage)}\n`);
  return results.every((suite) => suite.results.every(({ passed }) => passed)) ? EXIT.ok : EXIT.findings;
}

function asText(suites: readonly SuiteResult[], coverage: Coverage | undefined): string {
  const lines = suites.flatMap(({ file, results }) => [
    file,
    ...results.flatMap(({ name, passed, problems }) => [
      `  ${passed ? "ok  " : "FAIL"} ${name}`,
      ...problems.map((problem) => `       ${problem}`),
    ]),
  ]);
  const { passed, failed } = countResults(suites);
  const summary = `${suites.length} ${suites.length === 1 ? "suite" : "suites"}: ${passed} passed, ${failed} failed`;
  return [...lines, ...(coverage === undefined ? [] : formatCoverage(coverage.list())), summary].join("\n");
}

function asJson(suites: readonly SuiteResult[], coverage: Coverage | undefined): string {
  const report = {
    apiVersion: REPORT_VERSION,
    kind: "PolicyTestReport",
    summary: { suites: suites.length, ...countResults(suites) },
    suites: suites.map(({ file, name, results }) => ({
      file,
      name,
      results: results.map(({ verdict, ...result }) => ({ ...result, ...verdictData(verdict, { explain: false }) })),
    })),
    coverage: coverage?.list().map((each) => ({ ...each, covered: isCovered(each) })),
  };
  return JSON.stringify(report, undefined, 2);
}

function countResults(suites: readonly SuiteResult[]): { readonly passed: number; readonly failed: number } {
  const all = suites.flatMap(({ results }) => results);
  const passed = all.filter((result) => result.passed).length;
  return { passed, failed: all.length - passed };
}

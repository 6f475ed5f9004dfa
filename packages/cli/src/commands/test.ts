/** `portcullis test`: runs test suites for every kind of CEL in Kubernetes. `policy test` is the same command. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { stringifyExact } from "@portcullis/checker/internal/report/exact-number";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import { Coverage, formatCoverage, isCovered } from "@portcullis/checker/internal/suites/coverage";
import { formatMutation, mutationData } from "@portcullis/checker/internal/suites/mutate/report";
import type { MutationResult } from "@portcullis/checker/internal/suites/mutate/run-mutants";
import { suiteFiles } from "@portcullis/checker/internal/suites/suite-files";
import {
  countResults,
  formatSuitesJunit,
  formatSuitesText,
  suiteReport,
  summaryLine,
} from "@portcullis/checker/internal/suites/suite-report";
import type { SuiteResult } from "@portcullis/checker/internal/suites/suite-run";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { engineOptions } from "../frame/engine-options.ts";
import { KUBE_VERSION } from "../frame/kube-versions.ts";
import { DEFAULT_GROUP } from "../frame/option-spec.ts";
import { type Options, type Output, parseOptions, readOutputs } from "../frame/options.ts";
import { outputFiles, REPORT_OPTIONS } from "../frame/show.ts";
import { runWatching } from "../frame/watch.ts";
import { runSuites } from "../workers/suite-pool.ts";
import { renderReport, writeOutput } from "./policy/policy-output.ts";
import { generate, hasSuites, runMutants } from "./test-search.ts";

const OPTIONS = {
  run: { type: "string", short: "k", value: "PATTERN", text: "run only the cases whose suite or name matches PATTERN" },
  coverage: {
    type: "boolean",
    text: "also print which rules, conditions, variables and expressions were evaluated",
  },
  mutate: {
    type: "boolean",
    text: "also change operators, constants, quantifiers and guards one at a time, and print the changes that no case notices, with a case that would",
  },
  generate: {
    type: "string",
    value: "FILE",
    text: "write the cases that are missing to FILE: for each validation and each rule of a CRD a write that it refuses and one that it accepts; PATH may then be policies or CRDs without suites",
  },
  budget: {
    type: "string",
    value: "SECONDS",
    text: "time to search for each case of --mutate and --generate (default 2)",
  },
  quiet: { type: "boolean", short: "q", text: "print only cases that fail" },
  watch: { type: "boolean", short: "w", text: "run again when an input changes" },
  jobs: {
    type: "string",
    short: "j",
    value: "N",
    text: "number of threads; by default one per processor if there are many suites",
  },
  "kube-version": { ...KUBE_VERSION, group: DEFAULT_GROUP },
  output: { ...REPORT_OPTIONS.output, group: DEFAULT_GROUP },
} as const;

const MANUAL: Manual = {
  usage: ["test PATH… [options]"],
  examples: [
    { does: "run all suites in a folder", run: "portcullis test tests/" },
    {
      does: "run the cases about replicas, again after each change",
      run: "portcullis test tests/ -k replicas --watch",
    },
    { does: "run one suite with coverage", run: "portcullis test policies/replicas/suite.yaml --coverage" },
    { does: "which changes of policies and rules no case notices", run: "portcullis test policies/ --mutate" },
    { does: "propose cases for policies without tests", run: "portcullis test policies/ --generate cases.yaml" },
    { does: "in CI: print text, and write JUnit to a file", run: "portcullis test tests/ -o text -o junit=tests.xml" },
  ],
  about: [
    "Runs test suites for CEL in Kubernetes: rules of CRDs, validating and mutating policies, match conditions, authentication and authorization configurations, device selectors and single expressions. Suites have `kind: TestSuite`; docs/test-suites.md describes all fields. Test files of openshift/api, kaptest, kyverno, gator and kubescape are read as they are.",
    "A suite or a case that cannot be read is reported with its place, and the others run.",
  ],
  args: [["PATH", "a suite, or a folder with suites"]],
  options: OPTIONS,
  exits: [
    ["0", "all passed"],
    ["1", "some failed"],
    ["2", "usage error, unreadable suites or nothing to run"],
    ["3", "internal error"],
  ],
};

export const test: Command = {
  name: "test",
  summary: "run test suites for CRDs, policies and other CEL",
  manual: MANUAL,
  run: (args, io) => runTest("test", args, io),
};

export const policyTest: Command = {
  name: "test",
  summary: "run test suites, the same as `portcullis test`",
  manual: { ...MANUAL, usage: ["policy test PATH… [options]"] },
  run: (args, io) => runTest("policy test", args, io),
};

async function runTest(command: string, args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError(`${command} needs at least one path`);
  const run = (): Promise<number> => runOnce(command, options, io);
  if (!options.flag("watch")) return run();
  return runWatching({ paths: options.positionals, outputs: outputFiles(options), io, run });
}

interface Results {
  readonly command: string;
  readonly suites: readonly SuiteResult[];
  readonly problems: readonly Finding[];
  readonly coverage: Coverage | undefined;
  readonly mutation: MutationResult | undefined;
  readonly isQuiet: boolean;
}

async function runOnce(command: string, options: Options, io: CommandIo): Promise<number> {
  const file = options.text("generate");
  if (file !== undefined && !hasSuites(options.positionals)) return generateOnly(file, options, io);
  const outputs = readOutputs(options.texts("output"));
  const engine = engineOptions(options.text("kube-version"), undefined);
  const pattern = options.text("run");
  const coverage = options.flag("coverage") || file !== undefined ? new Coverage() : undefined;
  const files = suiteFiles(options.positionals);
  const jobs = readJobs(options.text("jobs"));
  const { suites, problems } = await runSuites({ files, engine, pattern }, { jobs, coverage });
  const { passed, failed, skipped, unreadable } = countResults(suites, problems);
  if (passed + failed + skipped + unreadable === 0) {
    throw new UsageError(pattern === undefined ? "no test suites found" : `no case matches \`${pattern}\``);
  }
  const seconds = readSeconds(options.text("budget"));
  const mutation = options.flag("mutate") ? await runMutants(options.positionals, engine, seconds) : undefined;
  const shown = options.flag("coverage") ? coverage : undefined;
  const results = { command, suites, problems, coverage: shown, mutation, isQuiet: options.flag("quiet") };
  for (const output of outputs) writeOutput(output, render(results, output), io);
  if (file !== undefined) await generate({ paths: options.positionals, file, engine, seconds, coverage }, io);
  if (unreadable > 0 || passed + failed === 0) return EXIT.usage;
  return failed + (mutation?.survivors.length ?? 0) === 0 ? EXIT.ok : EXIT.findings;
}

async function generateOnly(file: string, options: Options, io: CommandIo): Promise<number> {
  const engine = engineOptions(options.text("kube-version"), undefined);
  const seconds = readSeconds(options.text("budget"));
  const isAny = await generate({ paths: options.positionals, file, engine, seconds, coverage: undefined }, io);
  return isAny ? EXIT.ok : EXIT.usage;
}

function readSeconds(text: string | undefined): number {
  const seconds = Number(text ?? "2");
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new UsageError("`--budget` takes a number of seconds, such as 30");
}

function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--jobs must be a positive number, not \`${text}\``);
}

function render(results: Results, { format }: Output): string {
  const { suites, problems, command } = results;
  switch (format) {
    case "text":
      return `${asText(results)}\n`;
    case "json":
      return `${asJson(results)}\n`;
    case "junit":
      return `${formatSuitesJunit(suites, problems, command)}\n`;
    default:
      return renderReport(suiteReport(suites, problems, command), format);
  }
}

function asText({ suites, problems, coverage, mutation, isQuiet }: Results): string {
  const covered = [
    ...(coverage === undefined ? [] : formatCoverage(coverage.list())),
    ...(mutation === undefined ? [] : formatMutation(mutation)),
  ];
  return [...formatSuitesText(suites, problems, isQuiet), ...covered, summaryLine(suites, problems)].join("\n");
}

function asJson({ suites, problems, coverage, mutation }: Results): string {
  const report = {
    apiVersion: REPORT_VERSION,
    kind: "PolicyTestReport",
    summary: { suites: suites.length, ...countResults(suites, problems) },
    suites: suites.map(({ file, name, notes, results, skipped, problems: own }) => ({
      file,
      name,
      notes,
      results: results.map(({ verdict, path: _, ...result }) => ({ ...result, ...verdict })),
      skipped,
      problems: own.map(problemData),
    })),
    problems: problems.map(problemData),
    mutation: mutation && mutationData(mutation),
    coverage: coverage?.list().map((each) => ({ ...each, covered: isCovered(each) })),
  };
  return stringifyExact(report, 2);
}

function problemData({ file, range, path, message }: Finding): object {
  return { file, line: range?.start.line, column: range?.start.column, path, message };
}

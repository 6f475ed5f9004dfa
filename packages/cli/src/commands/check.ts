/** `portcullis check`: how the API server would respond to creating or updating these objects. */
import type { Admission, RequestDefaults } from "@portcullis/checker/internal/check/admission";
import type { CheckPlan, MakeChecker } from "@portcullis/checker/internal/check/chunk";
import { FIELD_VALIDATION_MODES } from "@portcullis/checker/internal/check/field-findings";
import { MISSING_SCHEMA_MODES } from "@portcullis/checker/internal/check/missing-schema";
import type { Texts } from "@portcullis/checker/internal/check/texts";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import { type InputFile, listInputs } from "@portcullis/checker/internal/input/files";
import { isGitSource } from "@portcullis/checker/internal/input/git";
import { type Inputs, readFile } from "@portcullis/checker/internal/input/text";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type Command, type CommandIo, EXIT, FINDING_EXITS, type Manual } from "../frame/command.ts";
import { engineOptionsList, FEATURE_GATES } from "../frame/engine-options.ts";
import { KUBE_VERSIONS } from "../frame/kube-versions.ts";
import { type Options, parseOptions, readChoice } from "../frame/options.ts";
import { tuneForShortRun } from "../frame/short-run.ts";
import { finishReport, outputFiles, REPORT_OPTIONS, readReportSettings } from "../frame/show.ts";
import { runWatching } from "../frame/watch.ts";
import { runCheck } from "../workers/worker-pool.ts";
import { ADMISSION_OPTIONS, readPodSecurity, showsWebhooks } from "./check-admission.ts";
import { OPERATION_OPTION, readUser, USER_OPTIONS } from "./policy/request-options.ts";

const INPUTS = "inputs";
const SERVER = "the API server";

const OPTIONS = {
  old: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "the existing objects, also as git:REF:PATH; objects that exist are checked as updates",
  },
  policies: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "policies and bindings, and the params, namespaces and roles that they use",
  },
  ignore: { type: "string", multiple: true, value: "PATTERN", group: INPUTS, text: "ignore these files" },
  "stdin-filename": { type: "string", value: "NAME", group: INPUTS, text: "the name of standard input in findings" },
  "skip-non-kubernetes": {
    type: "boolean",
    group: INPUTS,
    text: "skip documents that are not Kubernetes objects, also in files that you name",
  },
  "allow-empty": { type: "boolean", group: INPUTS, text: "do not fail if there are no objects" },
  ...OPERATION_OPTION,
  ...USER_OPTIONS,
  "kube-version": KUBE_VERSIONS,
  "field-validation": {
    type: "string",
    value: "HOW",
    values: FIELD_VALIDATION_MODES,
    group: SERVER,
    text: "unknown and duplicate fields: strict (default), warn or ignore",
  },
  "aligned-errors": {
    type: "boolean",
    group: SERVER,
    text: "report each duplicate field with its path, in the same words for JSON and YAML; the API server's texts differ",
  },
  "missing-schema": {
    type: "string",
    value: "HOW",
    values: MISSING_SCHEMA_MODES,
    group: SERVER,
    text: "objects of an unknown kind: error, warn (default) or ignore",
  },
  ...ADMISSION_OPTIONS,
  "ignore-missing-schemas": { type: "boolean", isHidden: true },
  "feature-gates": FEATURE_GATES,
  ...REPORT_OPTIONS,
  watch: { type: "boolean", short: "w", group: "running", text: "run again when an input changes" },
  jobs: {
    type: "string",
    short: "j",
    value: "N",
    group: "running",
    text: "number of threads (default: one per processor for large inputs)",
  },
} as const;

const MANUAL: Manual = {
  usage: ["check PATH… [options]"],
  examples: [
    { does: "check manifests with their CRDs", run: "portcullis check deploy/ crds/" },
    {
      does: "check updates, and report what ratcheting ignores",
      run: "portcullis check deploy/ crds/ --old live/",
    },
    {
      does: "check updates of the main branch, in a pull request",
      run: "portcullis check deploy/ crds/ --old git:origin/main:deploy",
    },
    { does: "evaluate admission policies", run: "portcullis check deploy/ --policies policies/" },
    { does: "check pods against a Pod Security level", run: "portcullis check deploy/ --pod-security restricted" },
    { does: "check a rendered chart", run: "helm template . | portcullis check - crds/" },
    {
      does: "in CI: write GitHub annotations, and SARIF to a file",
      run: "portcullis check deploy/ -o github -o sarif=portcullis.sarif",
    },
    {
      does: "adopt it in a repository with findings",
      run: "portcullis check deploy/ --write-baseline baseline.yaml && portcullis check deploy/ --baseline baseline.yaml",
    },
    {
      does: "check before a cluster upgrade",
      run: "portcullis check deploy/ crds/ --kube-version 1.34,1.37",
    },
  ],
  about: [
    "Validates objects as kube-apiserver would on create: built-in kinds, custom resources (with the CRDs among the inputs), and the CRDs themselves. Every finding has the file, line and column and the API server's message.",
    "With --old, existing objects are checked as updates: errors on unchanged values are ignored (ratcheting), and the report lists them with the reason. With --policies, admission policies are evaluated in the same run.",
    "In folders, files that do not contain Kubernetes objects (such as the values of a chart) are skipped and counted. To accept a single finding, see `portcullis help suppressions`. Nothing is sent over the network.",
  ],
  args: [
    [
      "PATH",
      "a file, a folder (with all .yaml, .yml and .json files in it and its subfolders), a pattern such as 'deploy/**/*.yaml', or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: FINDING_EXITS,
};

export const check: Command = {
  name: "check",
  summary: "validate objects as the API server would, on create or update",
  manual: MANUAL,
  run: start,
};

async function start(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const { positionals } = options;
  if (positionals.length === 0) throw new UsageError("check needs at least one path; `-` is standard input");
  tuneForShortRun();
  if (!options.flag("watch")) return checkOnce(options, io);
  if (positionals.includes("-")) throw new UsageError("standard input cannot be watched");
  const others = [...options.texts("old"), ...options.texts("policies")].filter((each) => !isGitSource(each));
  const paths = [...positionals, ...others];
  return runWatching({ paths, outputs: outputFiles(options), io, run: () => checkOnce(options, io) });
}

async function checkOnce(options: Options, io: CommandIo): Promise<number> {
  const settings = readReportSettings(options);
  const stdinName = options.text("stdin-filename") ?? "-";
  const stdin = once(io.stdin);
  const plan = readPlan(
    options,
    settings.outputs.some(({ format }) => format === "junit"),
  );
  const policies = readInputs(options.texts("policies"), stdin);
  let problems: Admission["problems"] = [];
  const result = await runCheck(plan, {
    jobs: readJobs(options.text("jobs")),
    stdin,
    onProgress: progressOf(io),
    makeChecker:
      options.texts("policies").length === 0 && !showsWebhooks(options)
        ? undefined
        : async (texts) => {
            const checked = await policyChecker(texts, policies, plan, {
              ...requestDefaults(options),
              showsWebhooks: showsWebhooks(options),
            });
            ({ problems } = checked);
            return checked.makeChecker;
          },
  });
  io.progress?.("");
  const findings = [...result.findings, ...result.oldProblems, ...policies.problems, ...problems];
  if (result.objects === 0 && findings.length === 0 && !options.flag("allow-empty")) {
    io.stderr("portcullis: no objects found; use --allow-empty if that is intended\n");
    return EXIT.usage;
  }
  return finishReport(
    {
      ...result,
      command: "check",
      findings:
        stdinName === "-"
          ? findings
          : findings.map((each) => (each.file === "-" ? { ...each, file: stdinName } : each)),
      files: plan.files.length,
      kubeVersions: plan.engines.map(({ version }) => version),
    },
    settings,
    io,
    { textOf: (file) => (file === "-" || file === stdinName ? stdin() : undefined) },
  );
}

function readPlan(options: Options, wantsSubjects: boolean): CheckPlan {
  const mode = options.flag("ignore-missing-schemas") ? "ignore" : (options.text("missing-schema") ?? "warn");
  return {
    files: stdinFirst(listInputs(options.positionals, options.texts("ignore"))),
    engines: engineOptionsList(options.text("kube-version"), options.text("feature-gates")),
    fieldValidation: readChoice(
      "field-validation",
      options.text("field-validation") ?? "strict",
      FIELD_VALIDATION_MODES,
    ),
    isAligned: options.flag("aligned-errors"),
    missingSchema: readChoice("missing-schema", mode, MISSING_SCHEMA_MODES),
    podSecurity: readPodSecurity(options.text("pod-security")),
    old: options.texts("old"),
    wantsSubjects,
    skipsOthers: options.flag("skip-non-kubernetes"),
  };
}

function stdinFirst(files: readonly InputFile[]): readonly InputFile[] {
  return [...files.filter(({ file }) => file === "-"), ...files.filter(({ file }) => file !== "-")];
}

/** Loaded lazily: most checks have no policies. */
async function policyChecker(
  texts: Texts,
  policies: Inputs,
  { files, engines, podSecurity }: CheckPlan,
  { user, operation, showsWebhooks }: RequestDefaults & { readonly showsWebhooks: boolean },
): Promise<{ readonly problems: Admission["problems"]; readonly makeChecker: MakeChecker }> {
  const documents = files.flatMap(({ file }, index) => readFile(file, texts.at(index)).documents);
  const { buildAdmission, policyReview } = await import("@portcullis/checker/internal/check/admission");
  const { Checker } = await import("@portcullis/checker/internal/check/checker");
  const { problems, clusterFor } = await buildAdmission(policies.documents, documents, engines, {
    podSecurity,
    showsWebhooks,
  });
  const makeChecker: MakeChecker = (engine, options) => {
    const cluster = clusterFor(engine);
    return new Checker(cluster.cluster, {
      ...options,
      user,
      operation,
      policies: policyReview(cluster, { showsWebhooks }),
    });
  };
  return { problems, makeChecker };
}

/** What policies see of every request. */
function requestDefaults(options: Options): RequestDefaults {
  return { user: readUser(options), operation: options.text("operation")?.toUpperCase() };
}

function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64)
    throw new UsageError(`\`--jobs ${text}\` is not a number from 1 to 64`);
  return jobs;
}

const QUIET_MS = 500;

/** Prints nothing for a short run. */
function progressOf({ progress }: CommandIo): ((done: number, total: number) => void) | undefined {
  if (progress === undefined) return undefined;
  const start = Date.now();
  return (done, total) => {
    if (Date.now() - start > QUIET_MS) progress(`checking: ${done} of ${total} files`);
  };
}

function once<T>(ask: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: ask() };
    return known.value;
  };
}

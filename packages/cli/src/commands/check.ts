/** `portcullis check`: how the API server would respond to creating or updating these objects. */
import type { Admission } from "@portcullis/checker/internal/check/admission";
import type { CheckPlan, ChunkResult } from "@portcullis/checker/internal/check/chunk";
import { duplicateFindings } from "@portcullis/checker/internal/check/duplicates";
import { FIELD_VALIDATION_MODES } from "@portcullis/checker/internal/check/field-findings";
import { joinMissing } from "@portcullis/checker/internal/check/join-missing";
import { MISSING_SCHEMA_MODES } from "@portcullis/checker/internal/check/missing-modes";
import { Texts } from "@portcullis/checker/internal/check/texts";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import type { Listing } from "@portcullis/checker/internal/input/files";
import { isSource } from "@portcullis/checker/internal/input/sources";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { formatSkipped } from "@portcullis/checker/internal/output/skipped";
import { policyCounts } from "@portcullis/checker/internal/policy/unbound";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import { type Command, type CommandIo, EXIT, FINDING_EXITS, type Manual } from "../frame/command.ts";
import { FEATURE_GATES } from "../frame/engine-options.ts";
import { KUBE_VERSIONS } from "../frame/kube-versions.ts";
import { type Options, parseOptions } from "../frame/options.ts";
import { finishReport, outputFiles, REPORT_OPTIONS, type ReportSettings, readReportSettings } from "../frame/show.ts";
import { runWatching } from "../frame/watch.ts";
import { fetchSources, SOURCE_OPTIONS } from "../sources/fetch-sources.ts";
import { type RunOptions, runCheck } from "../workers/worker-pool.ts";
import { CACHE_OPTIONS, readCache, startRecorder } from "./check/cache.ts";
import { CheckThreads, needsOneThread } from "./check/check-threads.ts";
import { DEPRECATION_OPTIONS } from "./check/deprecations.ts";
import { hasInputs, INPUT_OPTIONS, readListing, readVariables } from "./check/inputs.ts";
import { readPlan } from "./check/plan.ts";
import { policyChecker, refuseUnused, requestDefaults } from "./check/policies.ts";
import { once, progressOf } from "./check/progress.ts";
import { CRD_OPTIONS, crdSources, withReferences } from "./check/references.ts";
import type { RunRecorder } from "./check/run-recorder.ts";
import { ADMISSION_OPTIONS, showsWebhooks } from "./check-admission.ts";
import { BIND_OPTION, OPERATION_OPTION, readBind, USER_OPTIONS } from "./policy/request-options.ts";

const INPUTS = "inputs";
const SERVER = "the API server";

const OPTIONS = {
  old: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "the existing objects, also as git:REF:PATH or a URL; objects that exist are checked as updates",
  },
  policies: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: INPUTS,
    text: "policies and bindings, and the params, namespaces and roles that they use; kube: for those of a cluster",
  },
  ...BIND_OPTION,
  ...CRD_OPTIONS,
  ...INPUT_OPTIONS,
  ...SOURCE_OPTIONS,
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
    text: "report each duplicate field with its path, in the same form for JSON and YAML; the API server's texts differ",
  },
  "missing-schema": {
    type: "string",
    value: "HOW",
    values: MISSING_SCHEMA_MODES,
    group: SERVER,
    text: "objects of an unknown kind: error, warn (default) or ignore",
  },
  ...DEPRECATION_OPTIONS,
  "ignore-missing-schemas": { type: "boolean", isHidden: true },
  "feature-gates": FEATURE_GATES,
  ...REPORT_OPTIONS,
  ...ADMISSION_OPTIONS,
  ...CACHE_OPTIONS,
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
    {
      does: "the same for policies without bindings",
      run: "portcullis check deploy/ --policies policies/ --bind Warn",
    },
    {
      does: "check with the CRDs and the policies of a cluster",
      run: "portcullis check deploy/ --crds kube: --policies kube:",
    },
    {
      does: "check with CRDs from an archive, and record its digest",
      run: "portcullis check deploy/ --crds https://example.com/crds.tar.gz --update-lock",
    },
    { does: "check pods against a Pod Security level", run: "portcullis check deploy/ --pod-security restricted" },
    { does: "check a rendered chart", run: "helm template . | portcullis check - crds/" },
    {
      does: "render and check a chart and a kustomization",
      run: "portcullis check --helm charts/app -k overlays/prod",
    },
    {
      does: "list the API versions that Kubernetes removes",
      run: "portcullis check deploy/ --deprecations --target-version 1.38",
    },
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
    "In folders, Helm charts, files that a kustomization names as patches, templates, assertions of tests, and files that do not contain Kubernetes objects are recognized, skipped and listed. Render charts and kustomizations with --helm and -k. To accept a single finding, see `portcullis help suppressions`. The network is used only for sources that name a URL or a cluster; nothing is written there.",
  ],
  args: [
    [
      "PATH",
      "a file, a folder (with all .yaml, .yml and .json files in it and its subfolders), a pattern such as 'deploy/**/*.yaml', an archive (.tar.gz, .tgz, .zip), git:REF:PATH, a URL, or - for standard input",
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
  if (!hasInputs(options)) throw new UsageError("check needs at least one path; `-` is standard input");
  refuseUnused(options);
  if (!options.flag("watch")) return checkOnce(options, io);
  if (positionals.includes("-")) throw new UsageError("standard input cannot be watched");
  const others = [...options.texts("old"), ...options.texts("policies")].filter((each) => !isSource(each));
  const paths = [...positionals, ...others];
  return runWatching({ paths, outputs: outputFiles(options), io, run: () => checkOnce(options, io) });
}

async function checkOnce(options: Options, io: CommandIo): Promise<number> {
  const settings = readReportSettings(options);
  const stdin = once(io.stdin);
  const threads = new CheckThreads(options);
  const crds = crdSources(options);
  await fetchSources(
    { crds: [...options.positionals, ...options.texts("old"), ...crds], policies: options.texts("policies") },
    options,
    io,
  );
  const recorder = startRecorder(options, io);
  try {
    recorder?.lookAtOptions();
    const listing = withReferences(
      readListing(options, stdin, { onProgress: (found) => threads.startFor(found), onLook: recorder?.look }),
      crds,
      readVariables(options),
    );
    recorder?.lookAtFiles(listing.files);
    threads.startFor(listing.files.length);
    const code = await checkListed({ options, io: recorder?.io ?? io, settings, stdin, listing, threads, recorder });
    recorder?.finish(code);
    return code;
  } finally {
    await threads.stop();
  }
}

interface Listed {
  readonly options: Options;
  readonly io: CommandIo;
  readonly settings: ReportSettings;
  readonly stdin: () => string;
  readonly listing: Listing;
  readonly threads: CheckThreads;
  readonly recorder: RunRecorder | undefined;
}

async function checkListed({ options, io, settings, stdin, listing, threads, recorder }: Listed): Promise<number> {
  const plan = readPlan(options, listing, settings);
  const policies = readInputs(options.texts("policies"), stdin);
  let admission: Pick<Admission, "problems" | "names"> = { problems: [], names: [] };
  const running: RunOptions = {
    jobs: threads.jobs,
    started: threads.started,
    onProgress: progressOf(io),
    makeChecker: !needsOneThread(options)
      ? undefined
      : async (texts) => {
          const checked = await policyChecker(texts, policies, plan, {
            ...requestDefaults(options),
            showsWebhooks: showsWebhooks(options),
            bind: readBind(options),
          });
          admission = checked;
          return checked.makeChecker;
        },
  };
  const cache =
    running.makeChecker === undefined && plan.old.length === 0
      ? readCache(options, plan, recorder?.observed)
      : undefined;
  const result = cache === undefined ? await runCheck(plan, running) : await cache.run(plan, running);
  io.progress?.("");
  const findings = await allFindings({ result, plan, showsAll: settings.showsAll }, [
    ...listing.problems,
    ...policies.problems,
    ...admission.problems,
  ]);
  recorder?.notice(findings);
  const skipped = [...listing.skipped, ...result.skipped];
  if (result.objects === 0 && findings.length === 0 && !options.flag("allow-empty")) {
    for (const line of formatSkipped(skipped, false)) io.stderr(`portcullis: ${line}\n`);
    io.stderr("portcullis: no objects found; use --allow-empty if that is intended\n");
    return EXIT.usage;
  }
  return finishReport(
    {
      ...result,
      command: "check",
      findings,
      skipped,
      files: plan.files.filter(({ isReference }) => isReference !== true).length,
      kubeVersions: plan.engines.map(({ version }) => version),
    },
    settings,
    io,
    {
      textOf: (file) => plan.files.find((input) => input.file === file)?.text,
      after: policyCounts(admission.names, findings)
        .map((line) => `${line}\n`)
        .join(""),
    },
  );
}

interface CheckRun {
  readonly result: ChunkResult;
  readonly plan: CheckPlan;
  readonly showsAll: boolean;
}

/** The findings of all files, and those about several files. */
async function allFindings({ result, plan, showsAll }: CheckRun, others: readonly Finding[]): Promise<Finding[]> {
  const own = showsAll ? result.findings : joinMissing(result.findings);
  const texts = new Texts(plan.files, plan.values);
  const twice = plan.deprecationsUpTo === undefined ? duplicateFindings(result.identities, texts) : [];
  return [...own, ...result.oldProblems, ...others, ...twice];
}

/** `portcullis preflight`: check whether CRDs can be applied to a cluster; kapp's check as a command. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { compareSets, type SetComparison } from "@portcullis/checker/internal/upgrade/compare-sets";
import type { UpgradeReportFinding } from "@portcullis/checker/internal/upgrade/report";
import { readDefinitions, type SourceSet } from "@portcullis/checker/internal/upgrade/sources";
import { kappText } from "@portcullis/engine/internal/upgrade/policy/kapp-text";
import {
  DEFAULT_PREFLIGHT,
  type PreflightProblem,
  preflightPolicy,
  runPreflight,
} from "@portcullis/engine/internal/upgrade/policy/preflight";
import { suggestRollout } from "@portcullis/engine/internal/upgrade/policy/rollout";
import { openCluster } from "../cluster/access.ts";
import { clusterDefinitions } from "../cluster/definitions.ts";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import type { OptionSpecs } from "../frame/option-spec.ts";
import { formatList, type Options, OUTPUT_FORMATS, parseOptions } from "../frame/options.ts";
import { type ReportSettings, readReportSettings, today, writeInFolder } from "../frame/show.ts";
import { fetchSources } from "../sources/fetch-sources.ts";
import { readShow, readUpgradeSettings, subjectsOf, textsOf, UPGRADE_OPTIONS } from "./crd/crd-diff.ts";
import { showUpgrade } from "./crd/show-upgrade.ts";
import { isKappConfig, readPolicy, readPreflight } from "./crd/upgrade-configuration.ts";

const OPTIONS = {
  file: {
    type: "string",
    short: "f",
    multiple: true,
    value: "PATH",
    group: "inputs",
    text: "the CRDs to apply: a file, a folder, an archive, a URL, - or git:REF:PATH",
  },
  against: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: "inputs",
    text: "the existing CRDs, from files instead of a cluster",
  },
  "kapp-config": {
    type: "string",
    value: "FILE",
    group: "what counts",
    text: "a kapp configuration file: `preflightRules` with mode and failMode of CRDUpgradeSafety; a Config among the files of -f is also used",
  },
  preflight: {
    type: "string",
    multiple: true,
    value: "NAME[,NAME]",
    group: "what counts",
    text: "run only these checks, regardless of the configuration; as in kapp",
  },
  ...UPGRADE_OPTIONS,
  output: {
    ...UPGRADE_OPTIONS.output,
    values: [...OUTPUT_FORMATS, "kapp"],
    text: `${formatList(["kapp"])}, which prints what kapp would print; FORMAT=FILE writes to a file`,
  },
} as const satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["preflight -f PATH… (--against PATH… | --kubeconfig FILE) [options]"],
  about: [
    "Compares CRDs with the existing ones before you apply them, and fails if an upgrade is unsafe: a stored version is removed, the scope changes, a field is removed, a required field is added, or a field refuses values that it accepted. Nothing is written to the cluster.",
  ],
  examples: [
    { does: "check whether CRDs can be applied", run: "portcullis preflight -f crds/ --kubeconfig ~/.kube/config" },
    {
      does: "use a kapp configuration",
      run: "portcullis preflight -f crds/ --against live.yaml --kapp-config kapp.yaml",
    },
  ],
  options: OPTIONS,
  exits: [
    ["0", "passed"],
    ["1", "failed"],
    ["2", "usage error, unreadable input or unreachable cluster"],
    ["3", "internal error"],
  ],
};

export const preflight: Command = {
  name: "preflight",
  summary: "check whether CRDs can be applied to a cluster",
  manual: MANUAL,
  run: runCommand,
};

async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const files = options.texts("file");
  if (files.length === 0 || options.positionals.length > 0)
    throw new UsageError("preflight needs the CRDs to apply, with -f");
  const { report, kapp } = readOutputSettings(options);
  await fetchSources({ crds: [...files, ...options.texts("against")] }, options, io);
  const next = readDefinitions(files, io.stdin, { mayBe: isKappConfig, note: io.stderr });
  const run = readPreflight(options.text("kapp-config"), next.others ?? [], options.texts("preflight"));
  for (const name of run.ignored)
    io.stderr(`portcullis: preflight check \`${name}\` is specific to kapp and is not run\n`);
  const config = run.config ?? (run.isAsked ? undefined : DEFAULT_PREFLIGHT);
  if (config === undefined) {
    io.stderr("portcullis: CRDUpgradeSafety is not enabled; nothing was checked\n");
    return EXIT.ok;
  }
  const settings = readUpgradeSettings(options);
  if (next.definitions.size === 0) throw new UsageError("preflight needs at least one CRD among the files of -f");
  const old = await readCurrent(options, next, io);
  // CRDs of the cluster that are not among the files stay unchanged: nothing deletes them.
  const known = { ...old, definitions: new Map([...old.definitions].filter(([name]) => next.definitions.has(name))) };
  const own = readPolicy(options);
  const policy = { ...own, ...preflightPolicy(config), rules: own.rules, acknowledgements: own.acknowledgements };
  const compared = compareSets(known, next, { ...settings, policy, today: today() });
  const { problems } = runPreflight(compared.raw, config);
  for (const output of kapp) writeOutput(output, `${kappText(problems, config)}\n`, io);
  return showUpgrade(
    {
      command: "preflight",
      files: next.files + old.files,
      definitions: next.definitions.size,
      findings: withChecks(compared, problems),
      answers: compared.answers,
      rollout: options.flag("plan") ? suggestRollout(compared.raw) : [],
      showAll: readShow(options),
      settings: report,
      subjects: subjectsOf(next),
      textOf: textsOf(next),
    },
    io,
  );
}

async function readCurrent(options: Options, next: SourceSet, io: CommandIo): Promise<SourceSet> {
  const kubeconfig = options.text("kubeconfig");
  const against = options.texts("against");
  if ((kubeconfig === undefined) === (against.length === 0))
    throw new UsageError("preflight needs either --against or --kubeconfig");
  return kubeconfig === undefined
    ? readDefinitions(against, io.stdin, { note: io.stderr })
    : clusterDefinitions(openCluster(options), next.definitions.keys());
}

/** The output in kapp's form is made here; the others are made from the report. */
function readOutputSettings(options: Options): { report: ReportSettings; kapp: readonly KappOutput[] } {
  const given = options.texts("output");
  const isKapp = (text: string): boolean => text === "kapp" || text.startsWith("kapp=");
  const others = given.filter((text) => !isKapp(text));
  const kapp = given.filter(isKapp).map((text) => ({ file: text === "kapp" ? undefined : text.slice("kapp=".length) }));
  const texts = (name: string): readonly string[] => (name === "output" ? others : options.texts(name));
  const report = readReportSettings({ ...options, texts });
  const isShown = kapp.some(({ file }) => file === undefined);
  if (!isShown) return { report, kapp };
  if (others.length > 0 && report.outputs.some(({ file }) => file === undefined))
    throw new UsageError("only one output can go to standard output; write the others as FORMAT=FILE");
  return { report: { ...report, outputs: others.length === 0 ? [] : report.outputs }, kapp };
}

interface KappOutput {
  /** Standard output if absent. */
  readonly file: string | undefined;
}

function writeOutput({ file }: KappOutput, text: string, io: CommandIo): void {
  if (file === undefined) io.stdout(text);
  else writeInFolder(file, text);
}

/** The findings of the enabled check keep their level; all others are reported but do not fail it. */
function withChecks(compared: SetComparison, problems: readonly PreflightProblem[]): UpgradeReportFinding[] {
  const failing = new Map(problems.map(({ finding, message }) => [finding.fingerprint, message]));
  return compared.findings.map((finding) => {
    const text = failing.get(finding.fingerprint);
    if (text !== undefined)
      return { ...finding, message: `${text}\n${finding.message.split("\n").slice(1).join("\n")}`.trimEnd() };
    const isGate = finding.rule === "upgrade/not-accepted" || finding.severity !== "error";
    return isGate ? finding : { ...finding, severity: "warning" as const };
  });
}

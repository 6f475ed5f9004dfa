/** `portcullis preflight`: check whether CRDs can be applied to a cluster; kapp's check as a command. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { compareSets, type SetComparison } from "@portcullis/checker/internal/upgrade/compare-sets";
import type { UpgradeReportFinding } from "@portcullis/checker/internal/upgrade/report";
import { readDefinitions, type SourceSet } from "@portcullis/checker/internal/upgrade/sources";
import { DEFAULT_PREFLIGHT, preflightPolicy, runPreflight } from "@portcullis/engine/internal/upgrade/policy/preflight";
import { suggestRollout } from "@portcullis/engine/internal/upgrade/policy/rollout";
import { openCluster } from "../cluster/access.ts";
import { clusterDefinitions } from "../cluster/definitions.ts";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import type { OptionSpecs } from "../frame/option-spec.ts";
import { type Options, parseOptions } from "../frame/options.ts";
import { readReportSettings, today } from "../frame/show.ts";
import { readShow, readUpgradeSettings, subjectsOf, textsOf, UPGRADE_OPTIONS } from "./crd/crd-diff.ts";
import { showUpgrade } from "./crd/show-upgrade.ts";
import { readPolicy, readPreflight } from "./crd/upgrade-configuration.ts";

const OPTIONS = {
  file: {
    type: "string",
    short: "f",
    multiple: true,
    value: "PATH",
    group: "inputs",
    text: "the CRDs to apply: a file, a folder, - or git:REF:PATH",
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
    text: "a kapp configuration file: `preflightRules` with mode and failMode of CRDUpgradeSafety",
  },
  preflight: {
    type: "string",
    value: "NAMES",
    group: "what counts",
    text: "run only these checks, regardless of the configuration",
  },
  ...UPGRADE_OPTIONS,
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
  const report = readReportSettings(options);
  const run = readPreflight(options.text("kapp-config"), options.text("preflight"));
  for (const name of run.ignored)
    io.stderr(`portcullis: preflight check \`${name}\` is specific to kapp and is not run\n`);
  const isAsked = options.text("kapp-config") !== undefined || options.text("preflight") !== undefined;
  const config = run.config ?? (isAsked ? undefined : DEFAULT_PREFLIGHT);
  if (config === undefined) {
    io.stderr("portcullis: CRDUpgradeSafety is not enabled; nothing was checked\n");
    return EXIT.ok;
  }
  const settings = readUpgradeSettings(options);
  const next = readDefinitions(files, io.stdin);
  const old = await readCurrent(options, next, io);
  // CRDs of the cluster that are not among the files stay unchanged: nothing deletes them.
  const known = { ...old, definitions: new Map([...old.definitions].filter(([name]) => next.definitions.has(name))) };
  const own = readPolicy(options);
  const policy = { ...own, ...preflightPolicy(config), rules: own.rules, acknowledgements: own.acknowledgements };
  const compared = compareSets(known, next, { ...settings, policy, today: today() });
  return showUpgrade(
    {
      command: "preflight",
      files: next.files + old.files,
      definitions: next.definitions.size,
      findings: withChecks(compared, config),
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
    ? readDefinitions(against, io.stdin)
    : clusterDefinitions(openCluster(options), next.definitions.keys());
}

/** The findings of the enabled check keep their level; all others are reported but do not fail it. */
function withChecks(compared: SetComparison, config: Parameters<typeof runPreflight>[1]): UpgradeReportFinding[] {
  const { problems } = runPreflight(compared.raw, config);
  const failing = new Map(problems.map(({ finding, message }) => [finding.fingerprint, message]));
  return compared.findings.map((finding) => {
    const said = failing.get(finding.fingerprint);
    if (said !== undefined)
      return { ...finding, message: `${said}\n${finding.message.split("\n").slice(1).join("\n")}`.trimEnd() };
    const isGate = finding.rule === "upgrade/not-accepted" || finding.severity !== "error";
    return isGate ? finding : { ...finding, severity: "warning" as const };
  });
}

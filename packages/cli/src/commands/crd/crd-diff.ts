/** `portcullis crd diff OLD NEW`: report what a CRD upgrade breaks, with proof. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { Subject } from "@portcullis/checker/internal/report/finding";
import { compareSets } from "@portcullis/checker/internal/upgrade/compare-sets";
import { readDefinitions, type SourceSet } from "@portcullis/checker/internal/upgrade/sources";
import { suggestRollout } from "@portcullis/engine/internal/upgrade/policy/rollout";
import type { UpgradeOptions } from "@portcullis/engine/internal/upgrade/upgrade-case";
import { openCluster } from "../../cluster/access.ts";
import { allClusterDefinitions, clusterDefinitions } from "../../cluster/definitions.ts";
import type { Command, CommandIo, Manual } from "../../frame/command.ts";
import { engineOptions, FEATURE_GATES } from "../../frame/engine-options.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { type Options, parseOptions } from "../../frame/options.ts";
import { REPORT_OPTIONS, readReportSettings, today } from "../../frame/show.ts";
import { fetchSources, SOURCE_OPTIONS } from "../../sources/fetch-sources.ts";
import { showUpgrade } from "./show-upgrade.ts";
import { POLICY_OPTIONS, readPolicy } from "./upgrade-configuration.ts";

const KUBE = "kube:";

export const UPGRADE_OPTIONS = {
  ...POLICY_OPTIONS,
  plan: { type: "boolean", group: "findings and output", text: "suggest a safe rollout" },
  budget: {
    type: "string",
    value: "N|TIME",
    group: "what counts",
    text: "the maximum number of objects to try for each undecided question, or how long the comparison may take, such as 30s",
  },
  ...SOURCE_OPTIONS,
  "kube-version": KUBE_VERSION,
  "feature-gates": FEATURE_GATES,
  ...REPORT_OPTIONS,
  show: {
    type: "string",
    value: "WHICH",
    values: ["open", "all"],
    group: "findings and output",
    text: "open (default), or all: also changes that are safe or have no effect",
  },
} as const satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["crd diff OLD NEW [options]"],
  about: [
    "Reports what a CRD upgrade breaks. A change is `safe` if that is proved. It is `unsafe` if there is an object that the old CRD accepts and the new CRD refuses; the report shows this object, the API server's message, and which writes such an object still accepts. Otherwise the change is `unknown`.",
    "`portcullis explain RULE` describes why a finding matters.",
  ],
  examples: [
    { does: "compare two files", run: "portcullis crd diff old.yaml new.yaml" },
    { does: "compare with a release in git", run: "portcullis crd diff git:v1.2.0:config/crd config/crd" },
    {
      does: "compare with a cluster",
      run: "portcullis crd diff kube: config/crd --kubeconfig cluster.yaml",
    },
    {
      does: "compare rendered manifests with a branch",
      run: "kustomize build config | portcullis crd diff git:main:crds -",
    },
  ],
  args: [
    [
      "OLD, NEW",
      "a file, a folder, an archive, a URL, - for standard input, or git:REF:PATH; kube: for the CRDs in a cluster that the other side names, kube:NAME for one CRD, kube:* for all",
    ],
  ],
  options: UPGRADE_OPTIONS,
  exits: [
    ["0", "no findings of level error"],
    ["1", "findings"],
    ["2", "usage error, unreadable input or unreachable cluster"],
    ["3", "internal error"],
  ],
};

export const crdDiff: Command = {
  name: "diff",
  summary: "report what a CRD upgrade breaks, with proof",
  manual: MANUAL,
  run: runDiff,
};

async function runDiff(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, UPGRADE_OPTIONS);
  const [oldSource, newSource, third] = options.positionals;
  if (oldSource === undefined || newSource === undefined || third !== undefined) {
    throw new UsageError("crd diff needs two sources: the old CRDs and the new CRDs");
  }
  if (oldSource === "-" && newSource === "-") throw new UsageError("only one of the two can be standard input");
  if (oldSource === KUBE && newSource === KUBE) throw new UsageError("only one of the two can be the same cluster");
  const settings = readUpgradeSettings(options);
  const report = readReportSettings(options);
  const policy = readPolicy(options);
  await fetchSources({ crds: options.positionals.filter((each) => !each.startsWith(KUBE)) }, options, io);
  const { old, next } = await readSides(oldSource, newSource, options, io);
  const compared = compareSets(old, next, { ...settings, policy, today: today() });
  return showUpgrade(
    {
      command: "crd diff",
      files: old.files + next.files,
      definitions: next.definitions.size,
      findings: compared.findings,
      answers: compared.answers,
      rollout: options.flag("plan") ? suggestRollout(compared.raw) : [],
      showAll: readShow(options),
      settings: report,
      subjects: subjectsOf(next),
      textOf: textsOf(old, next),
    },
    io,
  );
}

interface Sides {
  readonly old: SourceSet;
  readonly next: SourceSet;
}

/** `kube:` alone means the CRDs of the other side, so that side is read first. */
async function readSides(oldSource: string, newSource: string, options: Options, io: CommandIo): Promise<Sides> {
  const read = (source: string, other: SourceSet | undefined): Promise<SourceSet> | SourceSet =>
    source.startsWith(KUBE)
      ? readCluster(source.slice(KUBE.length), other, options)
      : readDefinitions([source], io.stdin, { note: io.stderr });
  if (oldSource === KUBE) {
    const next = await read(newSource, undefined);
    return { next, old: await read(oldSource, next) };
  }
  const old = await read(oldSource, undefined);
  return { old, next: await read(newSource, old) };
}

async function readCluster(name: string, other: SourceSet | undefined, options: Options): Promise<SourceSet> {
  const client = openCluster(options);
  if (name === "*") return allClusterDefinitions(client);
  if (name === "") return clusterDefinitions(client, other?.definitions.keys() ?? []);
  const found = await clusterDefinitions(client, [name]);
  if (found.definitions.size === 0) throw new UsageError(`the cluster has no CRD \`${name}\``);
  return found;
}

export function subjectsOf({ definitions }: SourceSet): readonly Subject[] {
  return [...definitions.values()].map(({ document }) => ({ file: document.file, object: document.id }));
}

export function readUpgradeSettings(options: Options) {
  const text = options.text("budget");
  return {
    ...engineOptions(options.text("kube-version"), options.text("feature-gates")),
    ...(text === undefined ? { budget: undefined } : readBudget(text)),
  };
}

/** A number of objects, or a time. */
function readBudget(text: string): Pick<UpgradeOptions, "budget" | "isOver"> {
  if (/^[1-9][0-9]*$/.test(text)) return { budget: Number(text) };
  const [, amount, unit] = /^([1-9][0-9]*)(ms|s|m)$/.exec(text) ?? [];
  if (amount === undefined) throw new UsageError(`\`--budget ${text}\` is neither a number nor a time such as 30s`);
  const end = performance.now() + Number(amount) * (unit === "ms" ? 1 : unit === "s" ? 1000 : 60_000);
  return { budget: undefined, isOver: () => performance.now() > end };
}

export function readShow(options: Options): boolean {
  const text = options.text("show") ?? "open";
  if (text !== "all" && text !== "open") throw new UsageError(`unknown \`--show ${text}\`; one of open, all`);
  return text === "all";
}

/** The texts that were read, so that no file is read twice. */
export function textsOf(...sets: readonly SourceSet[]): (file: string) => string | undefined {
  const texts = new Map<string, string>();
  for (const { definitions } of sets) {
    for (const { document } of definitions.values()) texts.set(document.file, document.text);
  }
  return (file) => (file === "-" ? undefined : texts.get(file));
}

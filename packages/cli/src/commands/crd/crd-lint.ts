/** `portcullis crd lint`: whether the API server accepts a CRD, and what its rules cost. */

import {
  CONVENTION_PROFILES,
  type ConventionProfile,
  conventionFindings,
} from "@portcullis/checker/internal/check/conventions";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { crdChecker } from "@portcullis/checker/internal/check/lint";
import { mergeVersions } from "@portcullis/checker/internal/check/merge-versions";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import { isSource } from "@portcullis/checker/internal/input/sources";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type CostFilter, formatCosts } from "@portcullis/checker/internal/output/cost";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { costReport } from "@portcullis/engine/internal/crd/cost-report";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptionsList, FEATURE_GATES } from "../../frame/engine-options.ts";
import { KUBE_VERSIONS } from "../../frame/kube-versions.ts";
import { type Options, parseOptions, readChoice } from "../../frame/options.ts";
import { finishReport, outputFiles, REPORT_OPTIONS, readReportSettings } from "../../frame/show.ts";
import { runWatching } from "../../frame/watch.ts";
import { fetchSources, SOURCE_OPTIONS } from "../../sources/fetch-sources.ts";

const COST_FILTERS = ["all", "high", "none"] as const satisfies readonly CostFilter[];

const OPTIONS = {
  old: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: "inputs",
    text: "the existing CRDs; checks an update instead of a create",
  },
  "allow-empty": { type: "boolean", group: "inputs", text: "do not fail if there are no CRDs" },
  ...SOURCE_OPTIONS,
  "kube-version": KUBE_VERSIONS,
  "feature-gates": FEATURE_GATES,
  ...REPORT_OPTIONS,
  conventions: {
    type: "string",
    value: "PROFILE",
    values: CONVENTION_PROFILES,
    group: "findings and output",
    text: "also warn about: recommended (list types, integer formats, the status subresource) or strict (limits and descriptions too); none is the default",
  },
  costs: {
    type: "string",
    value: "WHICH",
    values: COST_FILTERS,
    group: "findings and output",
    text: "rules in the cost report: all, high (default: above a tenth of a budget) or none",
  },
  watch: { type: "boolean", short: "w", group: "running", text: "run again when an input changes" },
} as const;

const MANUAL: Manual = {
  usage: ["crd lint PATH… [options]"],
  examples: [
    { does: "check whether the API server accepts the CRDs", run: "portcullis crd lint crds/" },
    { does: "check an update", run: "portcullis crd lint new.yaml --old old.yaml" },
    { does: "check conventions too", run: "portcullis crd lint crds/ --conventions recommended" },
    {
      does: "check the oldest and the newest Kubernetes version",
      run: "portcullis crd lint crds/ --kube-version 1.30,1.36",
    },
  ],
  about: [
    "Validates CRDs as the API server would. Reports errors and warnings with their position in the file, and the estimated cost of expensive validation rules with the limit that would reduce it. `portcullis crd cost` prints the whole table.",
    "With --conventions it also reports what the API server accepts and what is hard to change later: lists without a type, integers without a format, a status without its subresource, lists, maps and strings without limits, fields without a description. `portcullis explain convention/list-type` has the reason of a rule.",
    "Objects of other kinds are ignored.",
  ],
  args: [
    [
      "PATH",
      "a file, a folder, a pattern, an archive, git:REF:PATH, a URL, kube: for a cluster, or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "accepted"],
    ["1", "refused"],
    ["2", "usage error, unreadable input, or no CRD found"],
    ["3", "internal error"],
  ],
};

export const crdLint: Command = {
  name: "lint",
  summary: "validate CRDs as the API server would, with the cost of their rules",
  manual: MANUAL,
  run: start,
};

function start(args: readonly string[], io: CommandIo): number | Promise<number> {
  const options = parseOptions(args, OPTIONS);
  // First: a path after `--conventions` is taken for the profile.
  readProfile(options);
  if (options.positionals.length === 0) throw new UsageError("crd lint needs at least one file; `-` is standard input");
  if (!options.flag("watch")) return lintOnce(options, io);
  if (options.positionals.includes("-")) throw new UsageError("standard input cannot be watched");
  const paths = [...options.positionals, ...options.texts("old")].filter((each) => !isSource(each));
  return runWatching({ paths, outputs: outputFiles(options), io, run: () => lintOnce(options, io) });
}

async function lintOnce(options: Options, io: CommandIo): Promise<number> {
  const settings = readReportSettings(options);
  const engines = engineOptionsList(options.text("kube-version"), options.text("feature-gates"));
  const profile = readProfile(options);
  const costs = readChoice("costs", options.text("costs") ?? "high", COST_FILTERS);
  await fetchSources({ crds: [...options.positionals, ...options.texts("old")] }, options, io);
  const inputs = readInputs(options.positionals, io.stdin);
  const definitions = inputs.documents.filter(isDefinition);
  const old = readInputs(options.texts("old"), io.stdin).documents.filter(isDefinition);
  const checkers = engines.map((engine) => crdChecker(old, engine));
  if (definitions.length === 0 && inputs.problems.length === 0 && !options.flag("allow-empty")) {
    io.stderr("portcullis: no CustomResourceDefinition found\n");
    return EXIT.usage;
  }
  if (costs !== "none" && settings.outputs.some(({ format, file }) => format === "text" && file === undefined)) {
    io.stdout(costText(definitions, engines.at(-1), costs));
  }
  const findings: Finding[] = [];
  for (const document of definitions) {
    const found = await Promise.all(checkers.map((checker) => checker.check(document)));
    findings.push(...mergeVersions(found, engines), ...conventionsOf(document, found, profile));
  }
  const texts = new Map(inputs.documents.map(({ file, text }) => [file, text]));
  return finishReport(
    {
      command: "crd lint",
      findings: [...inputs.problems, ...findings],
      files: inputs.files,
      objects: definitions.length,
      withoutSchema: 0,
      kubeVersions: engines.map(({ version }) => version),
      subjects: definitions.map(({ file, id }) => ({ file, object: id })),
    },
    settings,
    io,
    { textOf: (file) => texts.get(file), documents: definitions },
  );
}

function readProfile(options: Options): ConventionProfile {
  return readChoice("conventions", options.text("conventions") ?? "none", CONVENTION_PROFILES);
}

/** A CRD that cannot be read has no conventions to check. */
function conventionsOf(
  document: ManifestDocument,
  found: readonly (readonly Finding[])[],
  profile: ConventionProfile,
): readonly Finding[] {
  return found.flat().some(({ rule }) => rule === "decode") ? [] : conventionFindings(document, profile);
}

function costText(
  definitions: readonly ManifestDocument[],
  engine: EngineOptions | undefined,
  costs: CostFilter,
): string {
  if (engine === undefined) return "";
  const texts = definitions.map(({ id, object }) =>
    formatCosts(id.name, costReport(decodeDefinition(object).value, engine), costs),
  );
  return texts.join("");
}

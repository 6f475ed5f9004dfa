/** `portcullis crd cost`: what each validation rule costs, why, and the largest bound that fits. */

import { sourcePath } from "@portcullis/checker/internal/check/crd-places";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type CostedDefinition, formatCostTable, ruleKey } from "@portcullis/checker/internal/output/cost-table";
import { REPORT_VERSION } from "@portcullis/checker/internal/output/json";
import { findingAt } from "@portcullis/checker/internal/report/build";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { refuseProblems } from "@portcullis/checker/internal/upgrade/sources";
import { type CostReport, costReport, type RuleCost } from "@portcullis/engine/internal/crd/cost-report";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { STATIC_ESTIMATED_COST_LIMIT, STATIC_ESTIMATED_CRD_COST_LIMIT } from "@portcullis/engine/kubecel";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptionsList, FEATURE_GATES } from "../../frame/engine-options.ts";
import { KUBE_VERSIONS } from "../../frame/kube-versions.ts";
import { parseOptions, readChoice } from "../../frame/options.ts";
import { fetchSources, SOURCE_OPTIONS } from "../../sources/fetch-sources.ts";

const FORMATS = ["text", "json"] as const;

const OPTIONS = {
  base: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: "inputs",
    text: "the CRDs before the change; the table shows the difference",
  },
  ...SOURCE_OPTIONS,
  "kube-version": KUBE_VERSIONS,
  "feature-gates": FEATURE_GATES,
  "fail-over": {
    type: "string",
    value: "PERCENT",
    group: "findings and output",
    text: "the percentage of a budget above which the exit code is 1 (default 100: what the API server refuses)",
  },
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    values: FORMATS,
    group: "findings and output",
    text: "text (default) or json",
  },
} as const;

const MANUAL: Manual = {
  usage: ["crd cost PATH… [options]"],
  examples: [
    { does: "print the cost of each rule", run: "portcullis crd cost crds/" },
    { does: "compare with the CRD before a change", run: "portcullis crd cost crd.yaml --base crd-before.yaml" },
    { does: "fail above half of a budget", run: "portcullis crd cost crds/ --fail-over 50" },
  ],
  about: [
    `Kubernetes estimates the maximum cost of each validation rule from the limits in the schema. It refuses a CRD if a rule costs more than ${limit(STATIC_ESTIMATED_COST_LIMIT)} or a schema more than ${limit(STATIC_ESTIMATED_CRD_COST_LIMIT)}. This command prints the same estimates: the cost of each rule, the percentage of both budgets, how often the rule can run, the list, map or string whose limit is missing or too large, and the largest limit that fits.`,
    "Rules that do not compile are omitted; `portcullis crd lint` reports them.",
  ],
  args: [
    [
      "PATH",
      "a file, a folder, a pattern, an archive, git:REF:PATH, a URL, kube: for a cluster, or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "all rules and schemas are within their budgets"],
    ["1", "a rule or a schema exceeds its budget"],
    ["2", "usage error, unreadable input, or no CRD found"],
    ["3", "internal error"],
  ],
};

export const crdCost: Command = {
  name: "cost",
  summary: "print the cost of each rule, its cause, and the largest limit that fits",
  manual: MANUAL,
  run: runCost,
};

function limit(value: bigint): string {
  return `${Number(value) / 1e6} million`;
}

async function runCost(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("crd cost needs at least one file; `-` is standard input");
  const format = readChoice("output", options.text("output") ?? "text", FORMATS);
  const engines = engineOptionsList(options.text("kube-version"), options.text("feature-gates"));
  const threshold = readPercent(options.text("fail-over"));
  await fetchSources({ crds: [...options.positionals, ...options.texts("base")] }, options, io);
  const definitions = readDefinitions(options.positionals, io);
  const base = options.texts("base").length === 0 ? undefined : readDefinitions(options.texts("base"), io);
  const costed = engines.map((engine) => ({ engine, all: definitions.map((each) => cost(each, base, engine)) }));
  if (format === "json") io.stdout(`${JSON.stringify(toJson(costed), numbers, 2)}\n`);
  else io.stdout(toText(costed));
  const isOver = costed.some(({ all }) => all.some(({ report }) => largestShare(report) > threshold));
  return isOver ? EXIT.findings : EXIT.ok;
}

interface Costed {
  readonly engine: EngineOptions;
  readonly all: readonly CostedDefinition[];
}

/** Several versions are listed separately only if they differ. */
function toText(costed: readonly Costed[]): string {
  const texts = costed.map(({ all }) => formatCostTable(all));
  const [first = ""] = texts;
  if (texts.every((text) => text === first)) return first;
  return costed.map(({ engine }, index) => `Kubernetes ${engine.version}\n\n${texts[index] ?? ""}`).join("\n");
}

function readPercent(text: string | undefined): number {
  const percent = Number(text ?? "100");
  if (text === "" || !(percent >= 0)) throw new UsageError(`\`--fail-over ${text}\` is not a percentage`);
  return percent / 100;
}

function readDefinitions(paths: readonly string[], io: CommandIo): readonly ManifestDocument[] {
  const { documents, problems } = readInputs(paths, io.stdin);
  refuseProblems(problems, io.stderr);
  const definitions = documents.filter(isDefinition);
  if (definitions.length === 0) throw new UsageError("no CustomResourceDefinition found");
  return definitions;
}

function cost(
  document: ManifestDocument,
  base: readonly ManifestDocument[] | undefined,
  engine: EngineOptions,
): CostedDefinition {
  const before = base?.find(({ id }) => id.name === document.id.name);
  const rules = before === undefined ? [] : reportOf(before, engine).schemas.flatMap((schema) => schema.rules);
  return {
    name: document.id.name,
    file: document.file,
    report: reportOf(document, engine),
    base: base && new Map(rules.map((rule) => [ruleKey(rule), rule.total])),
    placeOf: ({ path }) => {
      const parts = { rule: "", severity: "note", message: "", path: sourcePath(path, document.object) } as const;
      return findingAt(document, parts).range?.start;
    },
  };
}

function reportOf({ object }: ManifestDocument, engine: EngineOptions): CostReport {
  return costReport(decodeDefinition(object).value, engine);
}

function largestShare({ schemas }: CostReport): number {
  return Math.max(0, ...schemas.flatMap(({ share, rules }) => [share, ...rules.map(({ ruleShare }) => ruleShare)]));
}

function toJson(costed: readonly Costed[]) {
  return {
    apiVersion: REPORT_VERSION,
    kind: "CostReport",
    command: "crd cost",
    budgets: { rule: STATIC_ESTIMATED_COST_LIMIT, schema: STATIC_ESTIMATED_CRD_COST_LIMIT },
    kubeVersions: costed.map(({ engine, all }) => ({
      version: engine.version,
      definitions: all.map(({ name, file, report, placeOf, base }) => ({
        name,
        file,
        schemas: report.schemas.map((schema) => ({
          ...schema,
          rules: schema.rules.map((rule) => ({ ...rule, ...placeOf(rule), ...baseOf(rule, base) })),
        })),
      })),
    })),
  };
}

function baseOf(rule: RuleCost, base: ReadonlyMap<string, bigint> | undefined) {
  return base === undefined ? {} : { before: base.get(ruleKey(rule)) ?? null };
}

/** JSON has only one number type. */
function numbers(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

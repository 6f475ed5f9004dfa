/** `portcullis crd sample`: objects that a CRD accepts, one minimal and one with every field that fits. */
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { crdChecker } from "@portcullis/checker/internal/check/lint";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { type Sample, sampleOf, versionsOf } from "@portcullis/checker/internal/sample/sample";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions, FEATURE_GATES } from "../../frame/engine-options.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import { type Options, parseOptions, readChoice } from "../../frame/options.ts";
import { fetchSources, SOURCE_OPTIONS } from "../../sources/fetch-sources.ts";

const SIZES = ["minimal", "full", "both"] as const;
const FORMATS = ["yaml", "json"] as const;

const OPTIONS = {
  size: {
    type: "string",
    value: "WHICH",
    values: SIZES,
    group: "samples",
    text: "minimal, full or both (default)",
  },
  version: {
    type: "string",
    value: "NAME",
    group: "samples",
    text: "the version of the CRD (default: the stored one)",
  },
  ...SOURCE_OPTIONS,
  "kube-version": KUBE_VERSION,
  "feature-gates": FEATURE_GATES,
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    values: FORMATS,
    group: "samples",
    text: "yaml (default) or json: a list with the objects and the fields that were left out",
  },
} as const;

const MANUAL: Manual = {
  usage: ["crd sample PATH… [options]"],
  examples: [
    { does: "print samples of a CRD", run: "portcullis crd sample crds/widgets.yaml" },
    {
      does: "write a sample for the documentation",
      run: "portcullis crd sample crds/widgets.yaml --size full > config/samples/widget.yaml",
    },
  ],
  about: [
    "Prints objects that the CRD accepts: one with only the required fields, and one with all fields that can be set together. Defaults and examples of the schema are used where there are some. Each object has passed the validation of the API server, including the rules.",
    "Fields that would make the full object invalid, such as the second of two that exclude each other, are listed in a comment with the API server's message. The status is not part of a sample.",
  ],
  args: [
    [
      "PATH",
      "a file, a folder, a pattern, an archive, git:REF:PATH, a URL, kube: for a cluster, or - for standard input",
    ],
  ],
  options: OPTIONS,
  exits: [
    ["0", "a sample of every CRD was printed"],
    ["1", "the API server refuses a CRD, or no accepted object was found"],
    ["2", "usage error, unreadable input, or no CRD found"],
    ["3", "internal error"],
  ],
};

export const crdSample: Command = {
  name: "sample",
  summary: "print objects that a CRD accepts, minimal and full",
  manual: MANUAL,
  run: runSample,
};

async function runSample(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0)
    throw new UsageError("crd sample needs at least one file; `-` is standard input");
  const size = readChoice("size", options.text("size") ?? "both", SIZES);
  const format = readChoice("output", options.text("output") ?? "yaml", FORMATS);
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  await fetchSources({ crds: options.positionals }, options, io);
  const inputs = readInputs(options.positionals, io.stdin);
  for (const { file, message } of inputs.problems) io.stderr(`portcullis: ${file}: ${message}\n`);
  const definitions = inputs.documents.filter(isDefinition);
  if (definitions.length === 0) {
    io.stderr("portcullis: no CustomResourceDefinition found\n");
    return EXIT.usage;
  }
  const samples: Sample[] = [];
  for (const document of definitions) {
    const sample = await sampleIfAccepted(document, engine, options, io);
    if (sample !== undefined) samples.push(sample);
  }
  io.stdout(format === "json" ? `${toJson(samples)}\n` : samples.map((each) => toYaml(each, size)).join("---\n"));
  const isComplete = samples.length === definitions.length && samples.every(({ minimal }) => minimal !== undefined);
  return isComplete && inputs.problems.length === 0 ? EXIT.ok : EXIT.findings;
}

async function sampleIfAccepted(
  document: ManifestDocument,
  engine: EngineOptions,
  options: Options,
  io: CommandIo,
): Promise<Sample | undefined> {
  const refusals = (await crdChecker([], engine).check(document)).filter(({ severity }) => severity === "error");
  for (const { message } of refusals) io.stderr(`portcullis: ${document.file}: ${message}\n`);
  if (refusals.length > 0) return undefined;
  const wanted = options.text("version");
  const sample = sampleOf(document.object, engine, wanted);
  if (sample !== undefined) return sample;
  const known = versionsOf(document.object).join(", ");
  throw new UsageError(`${document.id.name} has no version \`${wanted ?? ""}\`; it has ${known}`);
}

function toYaml({ apiVersion, kind, minimal, full, leftOut }: Sample, size: (typeof SIZES)[number]): string {
  if (minimal === undefined || full === undefined) return `# ${kind} (${apiVersion}): no accepted object was found\n`;
  const parts: string[] = [];
  if (size !== "full") parts.push(`# ${kind}: the required fields\n${formatYaml([minimal])}`);
  if (size !== "minimal") {
    const missing = leftOut.map(({ path, reason }) => `# without ${path}: ${reason.replaceAll("\n", " ")}\n`);
    parts.push(`# ${kind}: all fields that can be set together\n${missing.join("")}${formatYaml([full])}`);
  }
  return parts.join("---\n");
}

function toJson(samples: readonly Sample[]): string {
  const parts = samples.map(({ apiVersion, kind, minimal, full, leftOut }) => ({
    apiVersion,
    kind,
    minimal: minimal ?? null,
    full: full ?? null,
    leftOut: leftOut.map((each) => ({ ...each })),
  }));
  return canonicalJson(parts, { escapeHtml: false });
}

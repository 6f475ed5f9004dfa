/** `portcullis crd sample`: a small object of each kind that the API server would accept. */
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { problemText } from "@portcullis/checker/internal/upgrade/sources";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import { type SampledVersion, sampleObjects } from "@portcullis/engine/internal/upgrade/sample-object";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions, FEATURE_GATES } from "../../frame/engine-options.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import { parseOptions, readChoice } from "../../frame/options.ts";

const FORMATS = ["yaml", "json"] as const;

const OPTIONS = {
  kind: { type: "string", value: "KIND", group: "inputs", text: "only this kind" },
  "kube-version": KUBE_VERSION,
  "feature-gates": FEATURE_GATES,
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    values: FORMATS,
    group: "findings and output",
    text: "yaml (default) or json",
  },
} as const;

const MANUAL: Manual = {
  usage: ["crd sample PATH… [options]"],
  about: [
    "Prints one object for each kind and served version of the CRDs: a small one that has all required fields and satisfies the validation rules. Every object is checked as the API server would check it before it is printed.",
  ],
  examples: [
    { does: "print an object of each kind", run: "portcullis crd sample crds/" },
    { does: "start a manifest of one kind", run: "portcullis crd sample crds/ --kind Widget > widget.yaml" },
  ],
  args: [["PATH", "a file, a folder, a pattern, git:REF:PATH, or - for standard input"]],
  options: OPTIONS,
  exits: [
    ["0", "there is an object for each kind and version"],
    ["1", "no object was found for a kind: its rules may contradict each other"],
    ["2", "usage error, unreadable input, or no CRD found"],
    ["3", "internal error"],
  ],
};

export const crdSample: Command = {
  name: "sample",
  summary: "print a small object of each kind that the API server accepts",
  manual: MANUAL,
  run: runSample,
};

function runSample(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0)
    throw new UsageError("crd sample needs at least one file; `-` is standard input");
  const format = readChoice("output", options.text("output") ?? "yaml", FORMATS);
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  const { documents, problems } = readInputs(options.positionals, io.stdin);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(problemText(problem));
  const definitions = documents
    .filter(isDefinition)
    .map(({ object }) => readDefinition(decodeDefinition(object).value));
  const wanted = ofKind(definitions, options.text("kind"));
  const sampled = wanted.flatMap((definition) => sampleObjects(definition, engine));
  const objects = sampled.flatMap(({ object }) => (object === undefined ? [] : [object]));
  io.stdout(format === "json" ? `${JSON.stringify(objects.map(toPlain), undefined, 2)}\n` : formatYaml(objects));
  for (const missing of sampled.filter(({ object }) => object === undefined)) io.stderr(notFound(missing));
  return objects.length === sampled.length ? EXIT.ok : EXIT.findings;
}

type Definitions = readonly ReturnType<typeof readDefinition>[];

function ofKind(definitions: Definitions, kind: string | undefined): Definitions {
  if (definitions.length === 0) throw new UsageError("no CustomResourceDefinition found");
  const found = definitions.filter(({ names }) => kind === undefined || names.kind === kind);
  if (found.length > 0) return found;
  const known = definitions.map(({ names }) => names.kind);
  throw new UsageError(`no CRD has the kind \`${kind}\`${didYouMean(kind ?? "", known)}`);
}

function notFound({ apiVersion, kind }: SampledVersion): string {
  return `portcullis: no object of ${apiVersion} ${kind} was found; its rules may contradict each other\n`;
}

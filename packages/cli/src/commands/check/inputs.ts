/** The inputs of `check`: files, folders, standard input, commits, archives, URLs, and what is rendered. */
import { readSourceInputs } from "@portcullis/checker/internal/input/documents";
import { type InputFile, type Listing, type ListOptions, listInputs } from "@portcullis/checker/internal/input/files";
import { readTextFile } from "@portcullis/checker/internal/input/read-text";
import { isKube, isSource } from "@portcullis/checker/internal/input/sources";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { parseEnvironment } from "@portcullis/checker/internal/repository/placeholders";
import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import { engineOptionsList } from "../../frame/engine-options.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import type { Options } from "../../frame/options.ts";
import { buildKustomization, renderChart } from "./render.ts";

const GROUP = "inputs";

export const INPUT_OPTIONS = {
  helm: {
    type: "string",
    multiple: true,
    value: "DIR[=VALUES]",
    group: GROUP,
    text: "render this Helm chart with `helm`, for the first version of --kube-version, and check the result",
  },
  kustomize: {
    type: "string",
    short: "k",
    multiple: true,
    value: "DIR",
    group: GROUP,
    text: "build this kustomization with `kustomize` or `kubectl` and check the result",
  },
  set: {
    type: "string",
    multiple: true,
    value: "NAME=VALUE",
    group: GROUP,
    text: "replace this variable in the inputs, as Flux does; defaults in the text are used as well",
  },
  "env-subst": {
    type: "string",
    multiple: true,
    value: "FILE",
    group: GROUP,
    text: "the same with NAME=VALUE lines of a file",
  },
  ignore: { type: "string", multiple: true, value: "PATTERN", group: GROUP, text: "ignore these files" },
  "stdin-filename": { type: "string", value: "NAME", group: GROUP, text: "the name of standard input in findings" },
  "skip-non-kubernetes": {
    type: "boolean",
    group: GROUP,
    text: "treat files that you name as if they were in a folder: skip templates, patches and what is not Kubernetes",
  },
} as const satisfies OptionSpecs;

/** Inputs that are not files come first. */
export function readListing(
  options: Options,
  stdin: () => string,
  watchers: Pick<ListOptions, "onProgress" | "onLook"> = {},
): Listing {
  const { positionals } = options;
  const given: InputFile[] = [
    ...(positionals.includes("-")
      ? [{ file: options.text("stdin-filename") ?? "-", isNamed: true, text: stdin() }]
      : []),
    ...options.texts("helm").map((chart) => renderChart(chart, firstVersion(options))),
    ...options.texts("kustomize").map(buildKustomization),
  ];
  const sources = positionals.filter((each) => isSource(each) && !isKube(each)).map(readSourceInputs);
  const onDisk = positionals.filter((each) => each !== "-" && !isSource(each));
  const listing = listInputs(onDisk, {
    ignore: options.texts("ignore"),
    findsNamed: options.flag("skip-non-kubernetes"),
    ...watchers,
  });
  return {
    files: [...given, ...sources.flatMap(({ inputs }) => inputs), ...listing.files],
    skipped: [...sources.flatMap(({ skipped }) => skipped), ...listing.skipped],
    problems: listing.problems,
  };
}

/** A chart is rendered once. */
function firstVersion(options: Options): string {
  const [first] = engineOptionsList(options.text("kube-version"), options.text("feature-gates"));
  return first?.version ?? SERVER_VERSION;
}

/** Whether there is anything to read. */
export function hasInputs(options: Options): boolean {
  return options.positionals.length + options.texts("helm").length + options.texts("kustomize").length > 0;
}

/** The variables to replace; undefined if they stay. */
export function readVariables(options: Options): ReadonlyMap<string, string> | undefined {
  const [files, pairs] = [options.texts("env-subst"), options.texts("set")];
  if (files.length + pairs.length === 0) return undefined;
  const values = new Map(files.flatMap((file) => [...parseEnvironment(readTextFile(file))]));
  for (const pair of pairs) {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(pair);
    if (match === null) throw new UsageError(`\`--set ${pair}\` is not NAME=VALUE`);
    values.set(match[1] ?? "", match[2] ?? "");
  }
  return values;
}

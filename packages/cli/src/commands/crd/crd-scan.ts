/** `portcullis crd scan`: check existing objects against new CRDs. */

import { readInputs } from "@portcullis/checker/internal/input/documents";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { findingAt } from "@portcullis/checker/internal/report/build";
import { type Finding, formatObjectId } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { writesLine } from "@portcullis/checker/internal/upgrade/report";
import { readDefinitions, refuseProblems, type SourceDefinition } from "@portcullis/checker/internal/upgrade/sources";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import { compatibilityVersion, minorOf } from "@portcullis/engine/internal/kubecel/versions";
import {
  type CustomResource,
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { type Margin, type ScannedObject, Scanner } from "@portcullis/engine/internal/upgrade/scan";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { openCluster } from "../../cluster/access.ts";
import { clusterObjects } from "../../cluster/definitions.ts";
import type { Command, CommandIo, Manual } from "../../frame/command.ts";
import { engineOptions, FEATURE_GATES } from "../../frame/engine-options.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { type Options, parseOptions } from "../../frame/options.ts";
import { finishReport, REPORT_OPTIONS, readReportSettings } from "../../frame/show.ts";
import { fetchSources, SOURCE_OPTIONS } from "../../sources/fetch-sources.ts";

const OPTIONS = {
  objects: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: "inputs",
    text: "the objects: a file, a folder, - or git:REF:PATH",
  },
  ...SOURCE_OPTIONS,
  margins: { type: "boolean", group: "findings and output", text: "list how close objects are to each limit" },
  "kube-version": KUBE_VERSION,
  "feature-gates": FEATURE_GATES,
  ...REPORT_OPTIONS,
} as const satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["crd scan NEW… (--objects PATH… | --kubeconfig FILE) [options]"],
  about: [
    "Checks existing objects against new CRDs. Reports which objects become invalid, which fields are pruned and defaulted, how close objects are to each limit, which writes an invalid object still accepts, and a patch that fixes it.",
  ],
  examples: [
    { does: "check exported objects", run: "portcullis crd scan new.yaml --objects live/" },
    {
      does: "check the output of kubectl",
      run: "kubectl get widgets -A -o json | portcullis crd scan new.yaml --objects -",
    },
    { does: "check all objects in a cluster", run: "portcullis crd scan crds/ --kubeconfig ~/.kube/config" },
  ],
  args: [["NEW", "the new CRDs: a file, a folder, an archive, a URL or git:REF:PATH"]],
  options: OPTIONS,
  exits: [
    ["0", "all objects remain valid"],
    ["1", "some objects become invalid"],
    ["2", "usage error, unreadable input or unreachable cluster"],
    ["3", "internal error"],
  ],
};

export const crdScan: Command = {
  name: "scan",
  summary: "check existing objects against new CRDs",
  manual: MANUAL,
  run: runScan,
};

interface Scanned {
  readonly document: ManifestDocument;
  readonly result: ScannedObject;
}

async function runScan(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("crd scan needs the new CRDs");
  const settings = readReportSettings(options);
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  await fetchSources({ crds: [...options.positionals, ...options.texts("objects")] }, options, io);
  const { definitions, files } = readDefinitions(options.positionals, io.stdin, { note: io.stderr });
  const documents = await readObjects(options, [...definitions.values()], io);
  const scanners = compileScanners([...definitions.values()], engine);
  const scanned: Scanned[] = [];
  let others = 0;
  for (const document of documents) {
    const found = scanners.get(`${document.id.apiVersion} ${document.id.kind}`);
    if (found === undefined) others++;
    else scanned.push({ document, result: found.scanner.scan(atHome(document.object, found.namespaced)) });
  }
  if (scanned.length === 0 && options.text("kubeconfig") === undefined)
    throw new UsageError("none of the objects has a kind that the CRDs define");
  const margins = [...scanners].flatMap(([kind, { scanner }]) =>
    scanner.margins.list().map((margin) => ({ kind, ...margin })),
  );
  const texts = new Map(documents.map(({ file, text }) => [file, text]));
  const marginText = options.flag("margins") ? margins.map(marginLine).join("") : "";
  return finishReport(
    {
      command: "crd scan",
      findings: scanned.flatMap(toFindings),
      files: files + new Set(documents.map(({ file }) => file)).size,
      objects: scanned.length,
      withoutSchema: others,
      subjects: scanned.map(({ document }) => ({ file: document.file, object: document.id })),
    },
    settings,
    io,
    {
      textOf: (file) => (file === "-" ? undefined : texts.get(file)),
      json: { kind: "ScanReport", more: { objects: scanned.map(objectJson), margins } },
      after: `${totals(scanned)}${marginText}`,
    },
  );
}

async function readObjects(
  options: Options,
  definitions: readonly SourceDefinition[],
  io: CommandIo,
): Promise<readonly ManifestDocument[]> {
  const paths = options.texts("objects");
  const kubeconfig = options.text("kubeconfig");
  if ((kubeconfig === undefined) === (paths.length === 0))
    throw new UsageError("crd scan needs either --objects or --kubeconfig");
  if (kubeconfig !== undefined) {
    const client = openCluster(options);
    const lists = [];
    for (const definition of definitions) lists.push(await clusterObjects(client, definition));
    return lists.flat();
  }
  const inputs = paths.map((path) => readInputs([path], io.stdin));
  for (const { problems } of inputs) refuseProblems(problems, io.stderr);
  return inputs.flatMap(({ documents }) => documents).filter(({ id }) => id.kind !== "CustomResourceDefinition");
}

/** A manifest without a namespace belongs to the default namespace. */
function atHome(object: JsonObject, namespaced: boolean): JsonObject {
  const meta = isObject(object["metadata"]) ? object["metadata"] : newObject();
  const isHomeless = meta["namespace"] === undefined || meta["namespace"] === "";
  if (!namespaced || !isHomeless) return object;
  return withMember(object, "metadata", withMember(meta, "namespace", "default"));
}

interface KindScanner {
  readonly scanner: Scanner;
  readonly namespaced: boolean;
}

function compileScanners(
  definitions: readonly SourceDefinition[],
  engine: EngineOptions,
): ReadonlyMap<string, KindScanner> {
  const minor = minorOf(compatibilityVersion(engine.version));
  const scanners = new Map<string, KindScanner>();
  for (const { json } of definitions) {
    const definition = readDefinition(json);
    for (const version of definition.versions) {
      const resource: CustomResource = compileResource(definition, version, engine);
      const { namespaced } = resource;
      const scanner = new Scanner(resource, minor);
      scanners.set(`${definition.group}/${version.name} ${definition.names.kind}`, { scanner, namespaced });
    }
  }
  return scanners;
}

function toFindings({ document, result }: Scanned): Finding[] {
  const { errors, messages, problem, pruned, defaulted, blast, patch } = result;
  const patched =
    patch === undefined ? "no patch found" : `patch    ${canonicalJson(patch.map((each) => ({ ...each })))}`;
  const more =
    blast === undefined ? [] : [blast.severity ?? "allowed", `writes   ${writesLine(blast.writes)}`, patched];
  const invalid = messages.map((message, index) =>
    findingAt(document, {
      rule: problem === undefined ? `scan/${errors[index]?.origin || "invalid"}` : "scan/decode",
      severity: "error",
      path: errors[index]?.path.toString() ?? "",
      message: index === 0 ? [message, ...more].join("\n") : message,
    }),
  );
  const lost = pruned.map((path) =>
    findingAt(document, {
      rule: "scan/pruned",
      severity: "warning",
      path,
      atKey: true,
      message: `\`${path}\` is dropped`,
    }),
  );
  const filled = defaulted.map((path) =>
    findingAt(document, { rule: "scan/defaulted", severity: "note", path, message: `\`${path}\` is filled in` }),
  );
  return [...invalid, ...lost, ...filled];
}

function totals(scanned: readonly Scanned[]): string {
  const count = (test: (result: ScannedObject) => boolean): number =>
    scanned.filter(({ result }) => test(result)).length;
  const invalid = count(({ messages }) => messages.length > 0);
  const pruned = count((result) => result.pruned.length > 0);
  const defaulted = count((result) => result.defaulted.length > 0);
  const rules = new Map<string, number>();
  for (const { result } of scanned) {
    for (const origin of new Set(result.errors.map((error) => error.origin)))
      rules.set(origin, (rules.get(origin) ?? 0) + 1);
  }
  const namespaces = new Map<string, number>();
  for (const { document, result } of scanned) {
    const { namespace } = document.id;
    if (result.messages.length > 0 && namespace !== "") namespaces.set(namespace, (namespaces.get(namespace) ?? 0) + 1);
  }
  const lines = (counts: ReadonlyMap<string, number>, word: string): string[] =>
    [...counts]
      .sort(([, left], [, right]) => right - left)
      .map(([name, times]) => `  ${String(times).padStart(6)} ${word} ${name}\n`);
  const more = [...lines(rules, "by"), ...lines(namespaces, "in namespace")].join("");
  return `${invalid} of ${scanned.length} invalid, ${pruned} lose data, ${defaulted} get defaults\n${more}`;
}

function marginLine({ kind, path, keyword, bound, observed }: Margin & { readonly kind: string }): string {
  const side = keyword.startsWith("max") ? "most" : "least";
  return `  ${kind} ${path}: ${side} observed ${observed}, ${keyword} ${bound}\n`;
}

function objectJson({ document, result }: Scanned): object {
  return {
    object: formatObjectId(document.id),
    file: document.file,
    errors: result.messages,
    pruned: result.pruned,
    defaulted: result.defaulted,
    severity: result.blast?.severity,
    writes: result.blast?.writes,
    patch: result.patch?.map(({ value, ...rest }) => (value === undefined ? rest : { ...rest, value: toPlain(value) })),
  };
}

/** `portcullis crd scan`: existing objects under new definitions. */
import { readDefinition } from "@portcullis/engine/crd/definition";
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { compatibilityVersion, minorOf } from "@portcullis/engine/kubecel/environment";
import { type CustomResource, compileResource, type EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { type Margin, type ScannedObject, Scanner } from "@portcullis/engine/upgrade/scan";
import { toPlain } from "@portcullis/engine/value/copy";
import { canonicalJson } from "@portcullis/engine/value/text";
import { ClusterClient } from "../cluster/client.ts";
import { clusterObjects } from "../cluster/definitions.ts";
import { readKubeconfig } from "../cluster/kubeconfig.ts";
import type { ManifestDocument } from "../input/manifest.ts";
import { REPORT_VERSION } from "../output/json.ts";
import { formatText } from "../output/text.ts";
import { buildReport, findingAt } from "../report/build.ts";
import { type Finding, formatObjectId } from "../report/finding.ts";
import { problemText, readDefinitions, readSource, type SourceDefinition } from "../upgrade/sources.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { engineOptions } from "./engine-options.ts";
import { type Options, parseOptions, readFormat } from "./options.ts";

const HELP = `portcullis crd scan NEW… (--objects PATH… | --kubeconfig FILE) [options]

Runs new definitions over existing objects: which of them become invalid, what is pruned and defaulted, how
close they come to each bound, which writes an invalid object still takes, and a patch that mends it.

  portcullis crd scan new.yaml --objects live/
  kubectl get widgets -A -o json | portcullis crd scan new.yaml --objects -
  portcullis crd scan crds/ --kubeconfig ~/.kube/config

  NEW                     the new definitions: a file, a folder or git:REF:PATH
  --objects PATH          objects: a file, a folder, - or git:REF:PATH; repeatable
  --kubeconfig FILE       read all objects of the kinds from the cluster
  --context NAME          a context of the kubeconfig other than its current one
  --margins               list how close objects come to each bound
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  --feature-gates A=B,…   CRDValidationRatcheting and CRDPropertyNameSchemas, both true by default
  -o, --output FORMAT     text (default) or json

Exit codes: 0 all objects stay valid, 1 some do not, 2 usage or unreadable input, 3 internal error.
`;

export const crdScan: Command = {
  name: "scan",
  summary: "existing objects under new definitions",
  help: HELP,
  run: runScan,
};

const OPTIONS = {
  objects: { type: "string", multiple: true },
  kubeconfig: { type: "string" },
  context: { type: "string" },
  margins: { type: "boolean" },
  "kube-version": { type: "string" },
  "feature-gates": { type: "string" },
  output: { type: "string", short: "o" },
} as const;

interface Scanned {
  readonly document: ManifestDocument;
  readonly result: ScannedObject;
}

async function runScan(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("crd scan needs the new definitions");
  const format = readFormat(options.text("output") ?? "text");
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  const { definitions, files } = readDefinitions(options.positionals, io.stdin);
  const documents = await readObjects(options, [...definitions.values()], io);
  const scanners = compileScanners([...definitions.values()], engine);
  const scanned: Scanned[] = [];
  let others = 0;
  for (const document of documents) {
    const scanner = scanners.get(`${document.id.apiVersion} ${document.id.kind}`);
    if (scanner === undefined) others++;
    else scanned.push({ document, result: scanner.scan(document.object) });
  }
  if (scanned.length === 0 && options.text("kubeconfig") === undefined)
    throw new UsageError("none of the objects is of a kind that the definitions describe");
  const findings = scanned.flatMap(toFindings);
  const report = buildReport({
    command: "crd scan",
    findings,
    files: files + new Set(documents.map(({ file }) => file)).size,
    objects: scanned.length,
    withoutSchema: others,
  });
  const margins = [...scanners].flatMap(([kind, { margins }]) => margins.list().map((margin) => ({ kind, ...margin })));
  if (format === "json") io.stdout(`${jsonText(report, scanned, margins)}\n`);
  else {
    const texts = new Map(documents.map(({ file, text }) => [file, text]));
    io.stdout(
      `${formatText(report, { color: io.color, textOf: (file) => (file === "-" ? undefined : texts.get(file)) })}\n`,
    );
    io.stdout(totals(scanned));
    if (options.flag("margins")) io.stdout(margins.map(marginLine).join(""));
  }
  return report.summary.errors > 0 ? EXIT.findings : EXIT.ok;
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
    const client = new ClusterClient(readKubeconfig(kubeconfig, options.text("context")));
    const lists = [];
    for (const definition of definitions) lists.push(await clusterObjects(client, definition));
    return lists.flat();
  }
  const inputs = paths.map((path) => readSource(path, io.stdin));
  const [problem] = inputs.flatMap(({ problems }) => problems);
  if (problem !== undefined) throw new UsageError(problemText(problem));
  return inputs.flatMap(({ documents }) => documents).filter(({ id }) => id.kind !== "CustomResourceDefinition");
}

function compileScanners(
  definitions: readonly SourceDefinition[],
  engine: EngineOptions,
): ReadonlyMap<string, Scanner> {
  const minor = minorOf(compatibilityVersion(engine.version));
  const scanners = new Map<string, Scanner>();
  for (const { json } of definitions) {
    const definition = readDefinition(json);
    for (const version of definition.versions) {
      const resource: CustomResource = compileResource(definition, version, engine);
      scanners.set(`${definition.group}/${version.name} ${definition.names.kind}`, new Scanner(resource, minor));
    }
  }
  return scanners;
}

function toFindings({ document, result }: Scanned): Finding[] {
  const { errors, messages, problem, pruned, defaulted, blast, patch } = result;
  const writes = blast?.writes
    .filter(({ outcome }) => outcome !== "none")
    .map(({ write, outcome }) => `${write} ${outcome}`);
  const mended = patch === undefined ? "no patch found" : `patch ${canonicalJson(patch.map((each) => ({ ...each })))}`;
  const more = blast === undefined ? [] : [`${blast.severity ?? "allowed"}: ${writes?.join(", ") ?? ""}`, mended];
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
  const byRule = [...rules]
    .sort(([, left], [, right]) => right - left)
    .map(([rule, times]) => `  ${String(times).padStart(6)} by ${rule}\n`);
  return `${invalid} of ${scanned.length} invalid, ${pruned} lose data, ${defaulted} get defaults\n${byRule.join("")}`;
}

function marginLine({ kind, path, keyword, bound, observed }: Margin & { readonly kind: string }): string {
  const side = keyword.startsWith("max") ? "most" : "least";
  return `  ${kind} ${path}: ${side} observed ${observed}, ${keyword} ${bound}\n`;
}

function jsonText(
  report: ReturnType<typeof buildReport>,
  scanned: readonly Scanned[],
  margins: readonly unknown[],
): string {
  const objects = scanned.map(({ document, result }) => ({
    object: formatObjectId(document.id),
    file: document.file,
    errors: result.messages,
    pruned: result.pruned,
    defaulted: result.defaulted,
    severity: result.blast?.severity,
    writes: result.blast?.writes,
    patch: result.patch?.map(({ value, ...rest }) => (value === undefined ? rest : { ...rest, value: toPlain(value) })),
  }));
  const body = {
    apiVersion: REPORT_VERSION,
    kind: "ScanReport",
    command: report.command,
    summary: report.summary,
    objects,
    margins,
    findings: report.findings,
  };
  return JSON.stringify(body, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value), 2);
}

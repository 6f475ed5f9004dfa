/** `portcullis scan`: what policies decide about the objects of a cluster, as PolicyReports. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { convertLanguages } from "@portcullis/checker/internal/policy/languages/conversion";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import { policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { refusedPolicies } from "@portcullis/checker/internal/policy/policy-objects";
import { stringifyExact } from "@portcullis/checker/internal/report/exact-number";
import { policyReports, type ReportKind, type ScanResult, scanObject } from "@portcullis/checker/internal/scan/scan";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf, textsOf } from "@portcullis/engine/internal/value/read";
import { openCluster } from "../cluster/access.ts";
import type { ClusterClient } from "../cluster/client.ts";
import { CLUSTER_OPTIONS } from "../cluster/cluster-options.ts";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { engineOptions } from "../frame/engine-options.ts";
import { KUBE_VERSION } from "../frame/kube-versions.ts";
import type { OptionSpecs } from "../frame/option-spec.ts";
import { type Options, parseOptions, readChoice } from "../frame/options.ts";

const FORMATS = ["text", "policyreport", "openreports", "json"] as const;

const OPTIONS = {
  ...CLUSTER_OPTIONS,
  policies: {
    type: "string",
    short: "p",
    multiple: true,
    value: "PATH",
    group: "inputs",
    text: "policies to try instead of those of the cluster, with what they read",
  },
  "kube-version": KUBE_VERSION,
  every: { type: "string", value: "SECONDS", group: "running", text: "scan again after this time, until interrupted" },
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    values: FORMATS,
    group: "findings and output",
    text: "text (default), policyreport (wgpolicyk8s.io/v1alpha2), openreports (openreports.io/v1alpha1) or json",
  },
  "exit-zero": { type: "boolean", group: "findings and output", text: "exit with 0 even if there are findings" },
} as const satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["scan [options]"],
  examples: [
    { does: "what do the policies of the cluster say about its objects?", run: "portcullis scan" },
    { does: "what would these policies say?", run: "portcullis scan --policies policies/" },
    { does: "store the results in the cluster", run: "portcullis scan -o policyreport | kubectl apply -f -" },
  ],
  about: [
    "Reads the objects that policies are about from a cluster and evaluates each as if it were created now. Who created it is not known, so policies that look at the user see `user`. Nothing is written to the cluster: PolicyReports are printed.",
  ],
  options: OPTIONS,
  exits: [
    ["0", "no object fails"],
    ["1", "some objects fail"],
    ["2", "usage, unreadable input or no cluster"],
    ["3", "internal error"],
  ],
};

export const scan: Command = {
  name: "scan",
  summary: "what policies decide about the objects of a cluster, as PolicyReports",
  manual: MANUAL,
  run: runScan,
};

async function runScan(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length > 0) throw new UsageError("scan takes no paths; name policies with --policies");
  const format = readChoice("output", options.text("output") ?? "text", FORMATS);
  const seconds = readSeconds(options.text("every"));
  const client = openCluster(options);
  for (;;) {
    const results = await scanOnce(client, options);
    io.stdout(render(results, format));
    const isFailed = results.some(({ result }) => result !== "pass");
    const code = isFailed && !options.flag("exit-zero") ? EXIT.findings : EXIT.ok;
    if (seconds === undefined || (await isEnded(seconds, io.signal))) return code;
  }
}

function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new UsageError("`--every` takes a number of seconds, such as 60");
}

function isEnded(seconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), seconds * 1000);
    const end = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

async function scanOnce(client: ClusterClient, options: Options): Promise<ScanResult[]> {
  const engine = engineOptions(options.text("kube-version"), undefined);
  const paths = options.texts("policies");
  const given =
    paths.length > 0
      ? convertLanguages(loadDocuments(paths).map(({ object }) => object)).objects
      : [
          ...(await typedList(client, POLICIES, "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy")),
          ...(await typedList(client, BINDINGS, "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding")),
        ];
  const crds = await typedList(client, CRDS, "apiextensions.k8s.io/v1", "CustomResourceDefinition");
  const namespaces = await typedList(client, "/api/v1/namespaces", "v1", "Namespace");
  const base = policyCluster([...given, ...crds, ...namespaces], engine);
  const [refused] = await refusedPolicies(given, base.cluster);
  if (refused !== undefined) throw new UsageError(refused);
  if (base.policies.hooks.length === 0) throw new UsageError("no policies with bindings found");
  const kinds = base.cluster.kinds.all();
  const params = await paramsOf(given, kinds, client);
  const policies = policyCluster([...given, ...crds, ...namespaces, ...params], engine);
  const results: ScanResult[] = [];
  for (const kind of matchedKinds(given, kinds)) {
    for (const object of await objectsOfKind(kind, client)) results.push(...(await scanObject(object, policies)));
  }
  return results;
}

async function typedList(client: ClusterClient, path: string, apiVersion: string, kind: string): Promise<JsonObject[]> {
  // List items may omit version and kind.
  return (await client.list(path)).map((item) => Object.assign(item, { apiVersion, kind }));
}

function objectsOfKind({ group, version, plural, kind }: ResourceKind, client: ClusterClient): Promise<JsonObject[]> {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return typedList(client, `${root}/${plural}`, group === "" ? version : `${group}/${version}`, kind);
}

async function paramsOf(
  policies: readonly JsonObject[],
  kinds: readonly ResourceKind[],
  client: ClusterClient,
): Promise<JsonObject[]> {
  const wanted = new Set(
    policies.flatMap(({ spec }) => {
      const { apiVersion, kind } = objectOf(objectOf(spec)["paramKind"]);
      return kind === undefined ? [] : [`${textOf(apiVersion)} ${textOf(kind)}`];
    }),
  );
  const found = kinds.filter(({ group, version, kind }) =>
    wanted.has(`${group === "" ? version : `${group}/${version}`} ${kind}`),
  );
  return (await Promise.all(found.map((kind) => objectsOfKind(kind, client)))).flat();
}

/** Each resource once, in a version that a rule names. */
function matchedKinds(policies: readonly JsonObject[], kinds: readonly ResourceKind[]): readonly ResourceKind[] {
  const rules = policies.flatMap(({ spec }) =>
    objectsOf(objectOf(objectOf(spec)["matchConstraints"])["resourceRules"]),
  );
  const names = (value: JsonObject[string] | undefined, text: string): boolean =>
    textsOf(value).some((each) => each === "*" || each === text || each === "*/*");
  const found = new Map<string, ResourceKind>();
  for (const kind of kinds) {
    const isNamed = rules.some(
      (rule) =>
        names(rule["apiGroups"], kind.group) &&
        names(rule["apiVersions"], kind.version) &&
        names(rule["resources"], kind.plural),
    );
    const key = `${kind.group} ${kind.plural}`;
    if (isNamed && !found.has(key)) found.set(key, kind);
  }
  return [...found.values()];
}

const KINDS: Readonly<Record<string, ReportKind>> = {
  policyreport: "wgpolicyk8s.io/v1alpha2",
  openreports: "openreports.io/v1alpha1",
};

function render(results: readonly ScanResult[], format: (typeof FORMATS)[number]): string {
  const kind = KINDS[format];
  if (kind !== undefined) return formatYaml(policyReports(results, kind, Math.floor(Date.now() / 1000)));
  if (format === "json") return `${stringifyExact(results.map(resultData), 2)}\n`;
  const failed = results.filter(({ result }) => result !== "pass");
  const passed = results.length - failed.length;
  return `${[...failed.map(resultLine), `${passed} passed, ${failed.length} failed`].join("\n")}\n`;
}

function resultData({ policy, object, result, message }: ScanResult): object {
  const { apiVersion, kind } = object;
  return {
    policy,
    apiVersion,
    kind,
    namespace: metaText(object, "namespace"),
    name: metaText(object, "name"),
    result,
    message,
  };
}

function resultLine({ policy, object, result, message }: ScanResult): string {
  const place = [metaText(object, "namespace"), metaText(object, "name")].filter((each) => each !== "").join("/");
  return `${result}  ${textOf(object["kind"])} ${place}  ${policy}: ${message}`;
}

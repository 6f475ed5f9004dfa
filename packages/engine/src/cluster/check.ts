/** Manifests in, problems out: the shortest way to ask what the API server would refuse. */
import { decodeDocuments } from "../codec/documents.ts";
import type { FieldValidation } from "../codec/strict.ts";
import type { FieldError } from "../field/error.ts";
import { type KubernetesVersion, SERVER_VERSION } from "../kubecel/versions.ts";
import type { ResourceKind } from "../review/kind.ts";
import { review } from "../review/review.ts";
import type { CreateWrite, UpdateWrite } from "../review/write.ts";
import { fromPlain, type Plain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { metaText, objectOf, textOf, withMeta } from "../value/metadata.ts";
import { canonicalJson } from "../value/text.ts";
import { DEFAULT_NAMESPACE, MemoryCluster } from "./memory-cluster.ts";
import * as messages from "./messages.ts";

/** YAML or JSON with any number of documents, or objects. */
export type Manifests = string | readonly Plain[];

/** Options of `check`, such as `{ crds: readFileSync("crd.yaml", "utf8"), version: "1.33" }`. */
export interface CheckOptions {
  /** The CRDs of custom resources; CRDs among the manifests are used too. */
  readonly crds?: Manifests;
  /** The existing objects: a manifest of one of them is checked as an update. */
  readonly old?: Manifests;
  readonly version?: KubernetesVersion;
  readonly fieldValidation?: FieldValidation;
}

/** One reason why the API server refuses a manifest, or a warning. Example: `{ severity: "error", kind: "Widget", … }`. */
export interface CheckProblem {
  readonly severity: "error" | "warning";
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The API server's message. */
  readonly message: string;
  /** The fields of an invalid object; empty if the message is not about fields. */
  readonly fields: readonly FieldError[];
}

/**
 * What the API server would report if it created or updated these objects.
 *
 * @example const problems = await check("apiVersion: v1\nkind: Service\n…", { crds });
 */
export async function check(manifests: Manifests, options: CheckOptions = {}): Promise<readonly CheckProblem[]> {
  const parsed = [manifests, options.crds ?? [], options.old ?? []].map(readManifests);
  const [objects = [], crds = [], old = []] = parsed.map(({ documents }) => documents);
  const gates = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
  const known = [...crds, ...objects].map(({ object }) => object).filter(({ kind }) => kind === CRD);
  const cluster = new MemoryCluster(known, { engine: { version: options.version ?? SERVER_VERSION, gates } });
  const problems = parsed.flatMap(({ errors }) => errors.map(unreadable));
  for (const document of objects) problems.push(...(await checkOne(document, { cluster, old, options })));
  return problems;
}

const CRD = "CustomResourceDefinition";

interface Manifest {
  readonly object: JsonObject;
  readonly strictErrors: readonly string[];
}

interface Context {
  readonly cluster: MemoryCluster;
  readonly old: readonly Manifest[];
  readonly options: CheckOptions;
}

async function checkOne(manifest: Manifest, { cluster, old, options }: Context): Promise<CheckProblem[]> {
  const { object } = manifest;
  const problem = problemOf(object);
  const kind = cluster.kinds.findKind(textOf(object["apiVersion"]), textOf(object["kind"]));
  if (kind === undefined) return [problem("error", messages.unknownKind(object))];
  const before = old.find((each) => identityOf(each.object) === identityOf(object));
  const live = before && cluster.assumeStored(before.object, kind);
  if (typeof live === "string") return [problem("error", live)];
  const write = writeOf(manifest, kind, { live, fieldValidation: options.fieldValidation ?? "Strict" });
  const { refusal, warnings } = await review(write, cluster);
  const refused = refusal === undefined ? [] : [problem("error", refusal.message, refusal.fieldErrors)];
  return [...refused, ...warnings.map((text) => problem("warning", text))];
}

interface WriteOptions {
  readonly live: JsonObject | undefined;
  readonly fieldValidation: FieldValidation;
}

function writeOf(
  { object, strictErrors }: Manifest,
  kind: ResourceKind,
  { live, fieldValidation }: WriteOptions,
): CreateWrite | UpdateWrite {
  const base = {
    endpoint: { type: kind, subresource: undefined },
    namespace: kind.namespaced ? metaText(object, "namespace") || DEFAULT_NAMESPACE : "",
    user: { name: "user", uid: "", groups: ["system:authenticated"], extra: new Map() },
    manager: "portcullis",
    isDryRun: false,
    options: objectOf({}),
    fieldValidation,
  };
  const content = (value: JsonObject) => ({ body: { value, text: () => canonicalJson(value), strictErrors } });
  if (live === undefined) return { ...base, verb: "create", name: "", content: content(object) };
  const next = withMeta(object, {
    resourceVersion: metaText(live, "resourceVersion"),
    ...(base.namespace !== "" && { namespace: base.namespace }),
  });
  return { ...base, verb: "update", name: metaText(live, "name"), content: content(next), live: async () => live };
}

interface Parsed {
  readonly documents: readonly Manifest[];
  readonly errors: readonly string[];
}

function readManifests(manifests: Manifests): Parsed {
  const decoded =
    typeof manifests === "string"
      ? decodeDocuments(manifests, { duplicates: true }).map(({ document }) => document)
      : manifests.map((each) => ({ value: fromPlain(each), strictErrors: [], error: undefined }));
  const errors: string[] = [];
  const documents: Manifest[] = [];
  for (const document of decoded) {
    if (document.error !== undefined) errors.push(document.error);
    else if (isObject(document.value)) documents.push({ object: document.value, strictErrors: document.strictErrors });
    else if (document.value !== null) errors.push(messages.notAnObject());
  }
  return { documents, errors };
}

/** The same object, in any version. */
function identityOf(object: JsonObject): string {
  const [group] = textOf(object["apiVersion"]).split("/").slice(0, -1);
  const namespace = metaText(object, "namespace") || DEFAULT_NAMESPACE;
  return [group ?? "", textOf(object["kind"]), namespace, metaText(object, "name")].join("\0");
}

type MakeProblem = (
  severity: CheckProblem["severity"],
  message: string,
  fields?: readonly FieldError[],
) => CheckProblem;

function problemOf(object: JsonObject): MakeProblem {
  const [apiVersion, kind] = [textOf(object["apiVersion"]), textOf(object["kind"])];
  const [namespace, name] = [metaText(object, "namespace"), metaText(object, "name")];
  return (severity, message, fields = []) => ({ severity, apiVersion, kind, namespace, name, message, fields });
}

function unreadable(message: string): CheckProblem {
  return { severity: "error", apiVersion: "", kind: "", namespace: "", name: "", message, fields: [] };
}

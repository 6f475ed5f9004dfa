/** Checks manifests in one call: what the API server would answer if they were applied to a cluster. */
import { mutatingPolicyAdmission } from "./admission/mutating-policies.ts";
import { policyAdmission } from "./admission/validating-policies.ts";
import { DEFAULT_NAMESPACE, MemoryCluster } from "./cluster/memory-cluster.ts";
import { decodeDocuments } from "./codec/documents.ts";
import { alignFindings, type FieldFinding } from "./codec/field-findings.ts";
import { LineIndex } from "./codec/position.ts";
import type { FieldValidation } from "./codec/strict.ts";
import { type KubernetesVersion, SERVER_VERSION } from "./kubecel/versions.ts";
import { mutatingPolicySetFrom, policySetFrom } from "./policy/manifests.ts";
import type { ClusterView } from "./review/cluster-view.ts";
import type { EngineOptions } from "./review/custom-resource/custom-resource.ts";
import type { ResourceKind } from "./review/kind.ts";
import type { Outcome } from "./review/outcome.ts";
import { review } from "./review/review.ts";
import type { Write } from "./review/write.ts";
import type { StatusCause } from "./status/error.ts";
import { fromPlain, type Plain, toPlain } from "./value/copy.ts";
import { isObject, type JsonObject } from "./value/json.ts";
import { metaText, objectOf, textOf, withMeta } from "./value/metadata.ts";
import { canonicalJson } from "./value/text.ts";

/** YAML or JSON text, of one or several documents, or plain objects. */
export type Manifests = string | object | readonly object[];

/** The options of `check`: other objects of the cluster, and how strict it is. */
export interface CheckOptions {
  /** CustomResourceDefinitions of the kinds that are not built in. */
  readonly crds?: Manifests;
  /** The existing objects: a manifest of an existing object is checked as an update, with ratcheting. */
  readonly old?: Manifests;
  /** Admission policies with their bindings, parameters and namespaces. */
  readonly policies?: Manifests;
  /** The Kubernetes version to behave as; the newest by default. */
  readonly version?: KubernetesVersion;
  /** How unknown and duplicate fields are handled; `Strict` by default, as in kubectl. */
  readonly fieldValidation?: FieldValidation;
}

/** The response of the API server to one manifest. */
export interface CheckedManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly allowed: boolean;
  /** The API server's message if it refuses the manifest. */
  readonly message: string | undefined;
  /** What is wrong with which field. */
  readonly causes: readonly StatusCause[];
  /** The texts of its `Warning` headers. */
  readonly warnings: readonly string[];
  /** Unknown and duplicate fields, in the same form for JSON and YAML, each with its line and column. */
  readonly fields: readonly FieldFinding[];
  /** The object as it would be stored; undefined if it is refused. */
  readonly object: Plain | undefined;
}

/**
 * Checks each manifest as the API server would. Results are in the order of the manifests. Throws an Error if a text is
 * neither YAML nor JSON.
 * @example
 * const [result] = await check("{apiVersion: v1, kind: Namespace, metadata: {name: A}}");
 * result?.allowed; // false
 */
export async function check(manifests: Manifests, options: CheckOptions = {}): Promise<CheckedManifest[]> {
  const { version = SERVER_VERSION } = options;
  const engine = { version, gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } };
  const given = documentsIn(manifests);
  const objects = given.map(({ object }) => object);
  const old = objectsIn(options.old ?? []);
  const policies = objectsIn(options.policies ?? []);
  const cluster = new MemoryCluster([...objectsIn(options.crds ?? []), ...objects, ...policies], { engine });
  const view = policies.length === 0 ? cluster : withPolicies(cluster, policies, engine);
  const checked: CheckedManifest[] = [];
  for (const document of given) checked.push(await checkOne(document, old, { cluster, view, options }));
  return checked;
}

function withPolicies(cluster: MemoryCluster, objects: readonly JsonObject[], { version }: EngineOptions): ClusterView {
  const [mutating, validating] = [mutatingPolicySetFrom(objects), policySetFrom(objects)];
  return cluster.withAdmission([
    mutatingPolicyAdmission({ current: () => mutating }, { version }),
    policyAdmission({ current: () => validating }, { version }),
  ]);
}

interface CheckContext {
  readonly cluster: MemoryCluster;
  readonly view: ClusterView;
  readonly options: CheckOptions;
}

async function checkOne(given: Given, old: readonly JsonObject[], context: CheckContext): Promise<CheckedManifest> {
  const { object } = given;
  const [apiVersion, kindName] = [textOf(object["apiVersion"]), textOf(object["kind"])];
  const kind = context.cluster.kinds.findKind(apiVersion, kindName);
  if (kind === undefined) return unknownKind(object, apiVersion, kindName);
  const before = old.find((each) => isSameObject(each, object));
  const live = before && context.cluster.assumeStored(before, kind);
  if (typeof live === "string") return refused(object, live);
  const outcome = await review(writeOf(given, live, kind, context.options), context.view);
  if (outcome.refusal?.message.includes(STRICT_ERROR) !== true) return shown(given, outcome);
  // Refused before its fields were listed: a lenient request lists them.
  const lenient = { ...context.options, fieldValidation: "Warn" } as const;
  const { fieldFindings } = await review(writeOf(given, live, kind, lenient), context.view);
  return shown(given, { ...outcome, fieldFindings });
}

const STRICT_ERROR = "strict decoding error: ";

/** Another version of the same group is the same object. */
function isSameObject(one: JsonObject, other: JsonObject): boolean {
  const groupOf = ({ apiVersion }: JsonObject): string => textOf(apiVersion).replace(/\/?[^/]*$/, "");
  const placeOf = (object: JsonObject): string => metaText(object, "namespace") || DEFAULT_NAMESPACE;
  return (
    groupOf(one) === groupOf(other) &&
    one["kind"] === other["kind"] &&
    placeOf(one) === placeOf(other) &&
    metaText(one, "name") === metaText(other, "name")
  );
}

const USER = { name: "user", uid: "", groups: ["system:authenticated"], extra: new Map() };

function writeOf(given: Given, live: JsonObject | undefined, kind: ResourceKind, options: CheckOptions): Write {
  const { object, strictErrors } = given;
  const { fieldValidation = "Strict" } = options;
  const namespace = kind.namespaced ? metaText(object, "namespace") || DEFAULT_NAMESPACE : "";
  const endpoint = { type: kind, subresource: undefined };
  const base = { endpoint, namespace, user: USER, manager: "portcullis", fieldValidation, isDryRun: false };
  const content = (value: JsonObject) => ({
    body: { value, text: () => canonicalJson(value), strictErrors, isYaml: true },
  });
  const optionsOf = (name: string): JsonObject => objectOf({ kind: name, apiVersion: "meta.k8s.io/v1" });
  if (live === undefined) {
    return { ...base, verb: "create", name: "", options: optionsOf("CreateOptions"), content: content(object) };
  }
  // A manifest is meant for the object that is there, whatever version it names.
  const current = withMeta(object, { resourceVersion: metaText(live, "resourceVersion") });
  const name = metaText(live, "name");
  const update = { ...base, verb: "update", name, options: optionsOf("UpdateOptions") } as const;
  return { ...update, content: content(current), live: async () => live };
}

function shown(given: Given, { refusal, warnings, fieldFindings, object: stored }: Outcome): CheckedManifest {
  const unknown = fieldFindings.filter((message) => !given.strictErrors.includes(message));
  return {
    ...identityOf(given.object),
    fields: given.fields(unknown),
    allowed: refusal === undefined,
    message: refusal?.message,
    causes: refusal?.details?.causes ?? [],
    warnings: [...new Set(warnings)],
    object: stored && toPlain(stored),
  };
}

function unknownKind(object: JsonObject, apiVersion: string, kind: string): CheckedManifest {
  return refused(object, `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
}

function refused(object: JsonObject, message: string): CheckedManifest {
  return { ...identityOf(object), allowed: false, message, causes: [], warnings: [], fields: [], object: undefined };
}

function identityOf(object: JsonObject): Pick<CheckedManifest, "apiVersion" | "kind" | "namespace" | "name"> {
  return {
    apiVersion: textOf(object["apiVersion"]),
    kind: textOf(object["kind"]),
    namespace: metaText(object, "namespace"),
    name: metaText(object, "name"),
  };
}

/** A manifest, and what its text says beside it. */
interface Given {
  readonly object: JsonObject;
  /** Duplicate keys, as the API server reports them. */
  readonly strictErrors: readonly string[];
  readonly fields: (unknown: readonly string[]) => readonly FieldFinding[];
}

function objectsIn(manifests: Manifests): JsonObject[] {
  return documentsIn(manifests).map(({ object }) => object);
}

/** Empty documents are skipped. */
function documentsIn(manifests: Manifests): Given[] {
  if (typeof manifests !== "string") {
    const objects = (Array.isArray(manifests) ? manifests : [manifests]).map(fromPlain).filter(isObject);
    return objects.map((object) => ({ object, strictErrors: [], fields: (unknown) => alignFindings({}, unknown) }));
  }
  const lines = new LineIndex(manifests);
  return decodeDocuments(manifests, { duplicates: true, positions: true }).flatMap(({ document, offset }) => {
    if (document.error !== undefined) {
      const { line, column } = lines.locate(offset + (document.offset ?? 0));
      throw new Error(`${document.error} (line ${line}, column ${column})`);
    }
    const { value, strictErrors } = document;
    const place = { document, offset, lines };
    return isObject(value) ? [{ object: value, strictErrors, fields: (unknown) => alignFindings(place, unknown) }] : [];
  });
}

/**
 * Manifests in place of a cluster: policies, bindings, params and namespaces picked from a list of objects, for callers
 * without a server.
 */
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { objectOf, objectsOf, textOf } from "../value/read.ts";
import type { GroupVersionKind } from "./attributes.ts";
import { loadBinding, loadMutatingBinding } from "./binding.ts";
import { loadMutatingPolicy, type MutatingPolicy } from "./mutating/policy.ts";
import { policyVersionOf } from "./objects/decode.ts";
import { nameOf, type ParamResource, type ParamSource } from "./params.ts";
import { loadPolicy } from "./policy.ts";
import { PolicySet } from "./policy-set.ts";

/** The policies and bindings among the objects, of any version. */
export function policySetFrom(objects: readonly JsonObject[]): PolicySet {
  const ofKind = policyKindsIn(objects);
  return new PolicySet(
    ofKind("ValidatingAdmissionPolicy").map(loadPolicy),
    ofKind("ValidatingAdmissionPolicyBinding").map(loadBinding),
  );
}

/** The mutating policies and their bindings among the objects. */
export function mutatingPolicySetFrom(objects: readonly JsonObject[]): PolicySet<MutatingPolicy> {
  const ofKind = policyKindsIn(objects);
  return new PolicySet(
    ofKind("MutatingAdmissionPolicy").map(loadMutatingPolicy),
    ofKind("MutatingAdmissionPolicyBinding").map(loadMutatingBinding),
  );
}

/** By list of objects: callers ask for both sets of one list, and a list does not change. */
const indexes = new WeakMap<readonly JsonObject[], ReadonlyMap<unknown, readonly JsonObject[]>>();

/** The objects of the policy API, by kind. */
function policyKindsIn(objects: readonly JsonObject[]): (kind: string) => readonly JsonObject[] {
  const index = indexes.get(objects) ?? groupBy(objects.filter(isOfPolicyApi), (object) => object["kind"]);
  indexes.set(objects, index);
  return (kind) => index.get(kind) ?? [];
}

function isOfPolicyApi(object: JsonObject): boolean {
  return policyVersionOf(object) !== undefined;
}

function groupBy<Key>(objects: readonly JsonObject[], keyOf: (object: JsonObject) => Key): Map<Key, JsonObject[]> {
  const groups = new Map<Key, JsonObject[]>();
  for (const object of objects) {
    const key = keyOf(object);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [object]);
    else group.push(object);
  }
  return groups;
}

/** Other namespaces exist too, with no label but their name. */
export function namespacesFrom(objects: readonly JsonObject[]): (name: string) => JsonObject {
  const known = new Map(objects.filter(isNamespace).map((object) => [nameOf(object), storedNamespace(object)]));
  return (name) => known.get(name) ?? storedNamespace({ metadata: { name } });
}

function isNamespace({ apiVersion, kind }: JsonObject): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

/** With what the server sets in every namespace, unless it is given. */
export function storedNamespace(namespace: JsonObject): JsonObject {
  const { metadata: given, spec, status } = namespace;
  const metadata = Object.assign(newObject(), SERVER_METADATA, objectOf(given));
  const labels = Object.assign(newObject(), objectOf(metadata["labels"]));
  labels["kubernetes.io/metadata.name"] = nameOf(namespace);
  const phase = metadata["deletionTimestamp"] === undefined ? "Active" : "Terminating";
  return Object.assign(newObject(), namespace, {
    metadata: Object.assign(metadata, { labels }),
    spec: Object.assign(newObject(), { finalizers: ["kubernetes"] }, objectOf(spec)),
    status: Object.assign(newObject(), { phase }, objectOf(status)),
  });
}

const SERVER_METADATA = {
  uid: "00000000-0000-0000-0000-000000000000",
  resourceVersion: "1",
  creationTimestamp: "1970-01-01T00:00:00Z",
};

export interface ManifestParamOptions {
  /** Whether a kind is namespaced; undefined if it is not known. Definitions among the objects count first. */
  readonly isNamespaced?: ((kind: GroupVersionKind) => boolean | undefined) | undefined;
}

/**
 * A kind is served if its scope is known or an object of it exists; an object with a namespace decides the scope. Every
 * evaluation of a policy asks, so objects are found by kind and name.
 */
export function paramsFrom(objects: readonly JsonObject[], options: ManifestParamOptions = {}): ParamSource {
  const byKind = groupBy(objects, ({ apiVersion, kind }) => kindKey(textOf(apiVersion), textOf(kind)));
  const definitions = objects.filter((object) => object["kind"] === "CustomResourceDefinition");
  const known = new Map<string, ParamResource | undefined>();
  const find = (kind: GroupVersionKind, key: string): ParamResource | undefined => {
    const found = byKind.get(key) ?? [];
    const declared = definedScope(kind, definitions) ?? options.isNamespaced?.(kind);
    if (declared === undefined && found.length === 0) return undefined;
    return resource(found, declared ?? found.some((object) => namespaceOf(object) !== ""));
  };
  return {
    find(kind) {
      const key = kindKey(kind.group === "" ? kind.version : `${kind.group}/${kind.version}`, kind.kind);
      if (!known.has(key)) known.set(key, find(kind, key));
      return known.get(key);
    },
  };
}

function kindKey(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

/** Whether a definition among the objects says that the kind is namespaced. */
function definedScope(
  { group, version, kind }: GroupVersionKind,
  definitions: readonly JsonObject[],
): boolean | undefined {
  const spec = definitions
    .filter((object) => isObject(object["spec"]))
    .map((object) => objectOf(object["spec"]))
    .find((each) => each["group"] === group && objectOf(each["names"])["kind"] === kind);
  const isServed = spec && objectsOf(spec["versions"]).some((each) => each["name"] === version);
  return isServed === true ? spec?.["scope"] === "Namespaced" : undefined;
}

/** Objects of a namespaced kind that name no namespace are in `default`, where kubectl would put them. */
function resource(objects: readonly JsonObject[], namespaced: boolean): ParamResource {
  const byNamespace = groupBy(objects, (object) => (namespaced ? namespaceOf(object) || "default" : ""));
  const byName = new Map([...byNamespace].map(([namespace, found]) => [namespace, groupBy(found, nameOf)]));
  const placeOf = (namespace: string): string => (namespaced ? namespace : "");
  return {
    namespaced,
    get: (namespace, name) => byName.get(placeOf(namespace))?.get(name)?.[0],
    list: (namespace) => byNamespace.get(placeOf(namespace)) ?? [],
  };
}

function namespaceOf(object: JsonObject): string {
  return textOf(objectOf(object["metadata"])["namespace"]);
}

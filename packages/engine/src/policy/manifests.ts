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
  const ours = objects.filter((object) => policyVersionOf(object) !== undefined);
  const ofKind = (kind: string): JsonObject[] => ours.filter((object) => object["kind"] === kind);
  return new PolicySet(
    ofKind("ValidatingAdmissionPolicy").map(loadPolicy),
    ofKind("ValidatingAdmissionPolicyBinding").map(loadBinding),
  );
}

/** The mutating policies and their bindings among the objects. */
export function mutatingPolicySetFrom(objects: readonly JsonObject[]): PolicySet<MutatingPolicy> {
  const ours = objects.filter((object) => policyVersionOf(object) !== undefined);
  const ofKind = (kind: string): JsonObject[] => ours.filter((object) => object["kind"] === kind);
  return new PolicySet(
    ofKind("MutatingAdmissionPolicy").map(loadMutatingPolicy),
    ofKind("MutatingAdmissionPolicyBinding").map(loadMutatingBinding),
  );
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

/** A kind is served if its scope is known or an object of it exists; an object with a namespace decides the scope. */
export function paramsFrom(objects: readonly JsonObject[], options: ManifestParamOptions = {}): ParamSource {
  return {
    find(kind) {
      const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
      const found = objects.filter((object) => object["apiVersion"] === apiVersion && object["kind"] === kind.kind);
      const declared = definedScope(kind, objects) ?? options.isNamespaced?.(kind);
      if (declared === undefined && found.length === 0) return undefined;
      return resource(found, declared ?? found.some((object) => namespaceOf(object) !== ""));
    },
  };
}

/** Whether a definition among the objects says that the kind is namespaced. */
function definedScope({ group, version, kind }: GroupVersionKind, objects: readonly JsonObject[]): boolean | undefined {
  const spec = objects
    .filter((object) => object["kind"] === "CustomResourceDefinition" && isObject(object["spec"]))
    .map((object) => objectOf(object["spec"]))
    .find((each) => each["group"] === group && objectOf(each["names"])["kind"] === kind);
  const isServed = spec && objectsOf(spec["versions"]).some((each) => each["name"] === version);
  return isServed === true ? spec?.["scope"] === "Namespaced" : undefined;
}

/** Objects of a namespaced kind that name no namespace are in `default`, where kubectl would put them. */
function resource(objects: readonly JsonObject[], namespaced: boolean): ParamResource {
  const within = (namespace: string): JsonObject[] =>
    objects.filter((object) => !namespaced || (namespaceOf(object) || "default") === namespace);
  return {
    namespaced,
    get: (namespace, name) => within(namespace).find((object) => nameOf(object) === name),
    list: within,
  };
}

function namespaceOf(object: JsonObject): string {
  return textOf(objectOf(object["metadata"])["namespace"]);
}

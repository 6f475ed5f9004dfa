/**
 * The cluster as far as files and the log show it: kinds, policies, and what policies read. It follows the changes in the
 * log.
 */
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { AuthorizationAttributes, Authorizer } from "@portcullis/engine/internal/kubecel/library/authz";
import type { EquivalentResources, GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import { mutatingPolicySetFrom, policySetFrom } from "@portcullis/engine/internal/policy/manifests";
import type { MutatingPolicy } from "@portcullis/engine/internal/policy/mutating/policy";
import type { ParamResource } from "@portcullis/engine/internal/policy/params";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { rbacSource, serverAuthorizer } from "@portcullis/engine/internal/rbac/authorizer";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf } from "@portcullis/engine/internal/value/read";
import { equivalentResources } from "../policy/equivalents.ts";
import { gvkOf, type KindCatalog, kindCatalog } from "../policy/kinds.ts";
import { type Known, KnownObjects, type ObjectKey, presentAs } from "./known-objects.ts";
import { JsonText } from "./log/json-text.ts";
import { Timeline } from "./timeline.ts";

/** Policies and bindings take effect within about a second, everything else at once but for the time of a watch. */
const POLICY_DELAY = 1_200_000;
const OBJECT_DELAY = 60_000;

/** How many known objects must have been found before an unknown one is taken for missing. */
const FOUND_ENOUGH = 3;

const POLICY_GROUP = "admissionregistration.k8s.io";
const RBAC_GROUP = "rbac.authorization.k8s.io";

/** The policies that are in force together. */
export interface Policies {
  readonly validating: PolicySet;
  readonly mutating: PolicySet<MutatingPolicy>;
}

export interface ReplayClusterOptions {
  readonly engine: EngineOptions;
  /** Bytes for objects of the log. */
  readonly memory: number;
  /** Whether policies change as they did in the log. */
  readonly followsPolicies: boolean;
}

export class ReplayCluster {
  readonly objects: KnownObjects;
  readonly #engine: EngineOptions;
  readonly #followsPolicies: boolean;
  /** Objects of kinds that decide how the log is read, which never leave memory. */
  readonly #special = new Map<string, JsonObject>();
  #memory: MemoryCluster;
  #catalog: KindCatalog;
  equivalents: EquivalentResources;
  readonly #policies: Timeline<Policies>;
  readonly #authorizer: Timeline<Authorizer | undefined>;
  /** Why the policies in force are not known; undefined if they are. */
  policiesUncertain: string | undefined;
  policyChanges = 0;
  /** When a policy, a role or a definition last changed. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #found = 0;
  #strangers = 0;
  readonly #namespaces: string;

  constructor(given: readonly JsonObject[], { engine, memory, followsPolicies }: ReplayClusterOptions) {
    this.#engine = engine;
    this.#followsPolicies = followsPolicies;
    this.objects = new KnownObjects(memory);
    this.#memory = this.#newMemory(given);
    this.#namespaces = this.place("", "v1", "namespaces");
    this.#catalog = kindCatalog(given, engine);
    this.equivalents = cachedEquivalents(equivalentResources(this.#catalog));
    for (const object of given) this.#give(object);
    this.#policies = new Timeline(this.#readPolicies(), POLICY_DELAY);
    this.#authorizer = new Timeline(this.#readAuthorizer(), OBJECT_DELAY);
  }

  get memory(): MemoryCluster {
    return this.#memory;
  }

  /** Counts objects that writes found, known before or not. */
  countFound(isKnown: boolean): void {
    if (isKnown) this.#found += 1;
    else this.#strangers += 1;
  }

  /** Whether every object that a write found so far was known: one that is not known then did not exist. */
  get isComplete(): boolean {
    return this.#strangers === 0 && this.#found >= FOUND_ENOUGH;
  }

  kind(group: string, version: string, resource: string): ResourceKind | undefined {
    return this.#memory.kinds.find(group, version, resource);
  }

  /** The place of a resource's objects, the same for all its versions. */
  place(group: string, version: string, resource: string): string {
    return this.kind(group, version, resource)?.storagePrefix ?? `/${group}/${resource}/`;
  }

  /** Whether objects of a version are stored in another one, with another schema. */
  isStoredOtherwise(group: string, version: string, resource: string): boolean {
    const definition = [...this.#special.values()].find(
      (object) => object["kind"] === "CustomResourceDefinition" && metaText(object, "name") === `${resource}.${group}`,
    );
    const versions = objectsOf(objectOf(definition?.["spec"])["versions"]);
    const own = versions.find((each) => each["name"] === version);
    const stored = versions.find((each) => each["storage"] === true);
    return own !== undefined && stored !== undefined && !deepEqual(own["schema"] ?? null, stored["schema"] ?? null);
  }

  policies(from: number, to: number): readonly Policies[] {
    return this.#policies.during(from, to);
  }

  /** Whether policies changed since, and are no longer known as they were. */
  isOutOfOrder(from: number): boolean {
    return this.#policies.isDropped(from) || this.#authorizer.isDropped(from);
  }

  authorizers(from: number, to: number): readonly (Authorizer | undefined)[] {
    return this.#authorizer.during(from, to);
  }

  /** What an answer of the log says of an object. */
  learn(key: ObjectKey, group: string, known: Known, at: number): void {
    this.objects.set(key, known, at, group === POLICY_GROUP || group === RBAC_GROUP);
    const isDefinition = group === "apiextensions.k8s.io";
    if (group === POLICY_GROUP && !this.#followsPolicies) return;
    if (group !== POLICY_GROUP && group !== RBAC_GROUP && !isDefinition) return;
    const text = `${key.place}${key.name}\n${key.namespace}`;
    const object = known.state === "present" ? known.object.object() : undefined;
    // A new status changes nothing.
    if (object !== undefined && isSame(this.#special.get(text), object)) return;
    if (object === undefined) this.#special.delete(text);
    else this.#special.set(text, object);
    if (known.state === "uncertain" && group === POLICY_GROUP) this.policiesUncertain = known.why;
    if (at < this.#changedAt) this.policiesUncertain = "policies changed in an event that is too far out of order";
    this.#changedAt = Math.max(this.#changedAt, at);
    if (group === POLICY_GROUP) {
      this.policyChanges += 1;
      this.#policies.add(this.#readPolicies(), at);
    }
    if (group === RBAC_GROUP) this.#authorizer.add(this.#readAuthorizer(), at);
    if (isDefinition) this.#readKinds();
  }

  /** Undefined if nothing is known of it. */
  namespace(name: string, time: number): Known | undefined {
    return this.objects.at(this.#namespaceKey(name), time);
  }

  #namespaceKey(name: string): ObjectKey {
    return { place: this.#namespaces, namespace: "", name };
  }

  /** Whether the namespace changed so lately that the server may not have noticed. */
  isNamespaceFresh(name: string, time: number): boolean {
    return this.objects.since(this.#namespaceKey(name)) > time - OBJECT_DELAY;
  }

  /** The parameters of a kind at a time; a text says why they are not known. */
  params(kind: GroupVersionKind, time: number, onFresh: () => void): ParamResource | string {
    const served = this.#catalog.ofKind(kind);
    if (served === undefined) return `the definition of ${kind.kind} is not among the objects`;
    const place = this.place(served.group, served.version, served.resource);
    if (!this.objects.has(place)) return `no ${kind.kind} is among the objects`;
    if (this.objects.isForgetful(place)) return `objects of kind ${kind.kind} were dropped from memory`;
    const read = (key: ObjectKey): JsonObject | undefined => {
      if (this.objects.since(key) > time - OBJECT_DELAY) onFresh();
      const known = this.objects.at(key, time);
      if (known?.state === "uncertain") throw new UnknownParameter(known.why);
      return known?.state === "present" ? known.object.object() : undefined;
    };
    return {
      namespaced: served.namespaced,
      get: (namespace, name) => read({ place, namespace: served.namespaced ? namespace : "", name }),
      list: (namespace) =>
        this.objects
          .keys(place, served.namespaced ? namespace : undefined)
          .map(read)
          .filter((object) => object !== undefined),
    };
  }

  keyOf(object: JsonObject): ObjectKey | undefined {
    const served = this.#catalog.ofKind(gvkOf(object));
    if (served === undefined) return undefined;
    const place = this.place(served.group, served.version, served.resource);
    const namespace = served.namespaced ? metaText(object, "namespace") || "default" : "";
    return { place, namespace, name: metaText(object, "name") };
  }

  /** The resource that serves an object; undefined if its kind is not known. */
  resourceOf(object: JsonObject): string | undefined {
    return this.#catalog.ofKind(gvkOf(object))?.resource;
  }

  #give(object: JsonObject): void {
    const key = this.keyOf(object);
    if (key === undefined) return;
    const group = gvkOf(object).group;
    const isSpecial = group === POLICY_GROUP || group === RBAC_GROUP || group === "apiextensions.k8s.io";
    if (isSpecial) this.#special.set(`${key.place}${key.name}\n${key.namespace}`, object);
    this.objects.set(key, presentAs(JsonText.of(this.#asStored(object)), false), Number.NEGATIVE_INFINITY, true);
  }

  /** A manifest has neither defaults nor the fields of the server. */
  #asStored(object: JsonObject): JsonObject {
    if (metaText(object, "resourceVersion") !== "") return object;
    const kind = this.#memory.kinds.findKind(textOf(object["apiVersion"]), textOf(object["kind"]));
    const stored = kind && this.#memory.assumeStored(object, kind);
    // What is made up must not be taken for that of the cluster.
    const made = { uid: metaText(object, "uid") || undefined, resourceVersion: undefined };
    return isObject(stored) ? withMeta(stored, made) : object;
  }

  #newMemory(objects: readonly JsonObject[]): MemoryCluster {
    const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
    return new MemoryCluster(definitions, { engine: this.#engine });
  }

  #readPolicies(): Policies {
    const all = [...this.#special.values()];
    return { validating: policySetFrom(all), mutating: mutatingPolicySetFrom(all) };
  }

  #readAuthorizer(): Authorizer | undefined {
    const all = [...this.#special.values()].filter((object) => gvkOf(object).group === RBAC_GROUP);
    return all.length === 0 ? undefined : serverAuthorizer(rbacSource(all));
  }

  #readKinds(): void {
    const all = [...this.#special.values()];
    this.#memory = this.#newMemory(all);
    this.#catalog = kindCatalog(all, this.#engine);
    this.equivalents = cachedEquivalents(equivalentResources(this.#catalog));
  }
}

function isSame(before: JsonObject | undefined, after: JsonObject): boolean {
  if (before === undefined) return false;
  return ["spec", "rules", "subjects", "roleRef", "aggregationRule"].every((key) =>
    deepEqual(before[key] ?? null, after[key] ?? null),
  );
}

/** Thrown while a policy is evaluated: its parameter exists, but its content is not in the log. */
export class UnknownParameter extends Error {}

/** For where it is not known who may do what. */
export const NO_AUTHORIZER: Authorizer = {
  authorize: (_question: AuthorizationAttributes) => ({ decision: "noOpinion", reason: "", error: undefined }),
};

/** The same questions are asked for every event. */
function cachedEquivalents(source: EquivalentResources): EquivalentResources {
  const found = new Map<string, ReturnType<EquivalentResources["equivalents"]>>();
  return {
    equivalents(resource, subresource) {
      const key = `${resource.group}/${resource.version}/${resource.resource}/${subresource}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const made = source.equivalents(resource, subresource);
      found.set(key, made);
      return made;
    },
    kindFor: (resource, subresource) => source.kindFor(resource, subresource),
    convert: (object, kind) => source.convert(object, kind),
  };
}

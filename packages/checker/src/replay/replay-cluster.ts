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
import { cachedEquivalents } from "./cached-equivalents.ts";
import { type Following, followsPolicy } from "./following.ts";
import { type Doubt, type Known, KnownObjects, type ObjectKey, presentAs } from "./known-objects.ts";
import { JsonText } from "./log/json-text.ts";
import type { Scope } from "./log/remains.ts";
import { SpecialObjects } from "./special-objects.ts";
import { Timeline } from "./timeline.ts";

/** Policies and bindings take effect within about a second, everything else at once but for the time of a watch. */
const POLICY_DELAY = 1_200_000;
const OBJECT_DELAY = 60_000;

/** How many known objects must have been found before an unknown one is taken for missing. */
const FOUND_ENOUGH = 3;

const POLICY_GROUP = "admissionregistration.k8s.io";
const RBAC_GROUP = "rbac.authorization.k8s.io";
const DEFINITION_GROUP = "apiextensions.k8s.io";

const OUT_OF_ORDER = "policies changed in an event that is too far out of order";

/** The policies that are in force together. */
export interface Policies {
  readonly validating: PolicySet;
  readonly mutating: PolicySet<MutatingPolicy>;
  /** Why they may not be those in force; undefined if they are. */
  readonly uncertain?: string | undefined;
}

export interface ReplayClusterOptions {
  readonly engine: EngineOptions;
  /** Bytes for objects of the log. */
  readonly memory: number;
  /** Which policies change as they did in the log. */
  readonly follows: Following;
}

export class ReplayCluster {
  readonly objects: KnownObjects;
  readonly #engine: EngineOptions;
  readonly #following: Following;
  readonly #special = new SpecialObjects();
  #memory: MemoryCluster;
  #catalog: KindCatalog;
  equivalents: EquivalentResources;
  readonly #policies: Timeline<Policies>;
  readonly #authorizer: Timeline<Authorizer | undefined>;
  policyChanges = 0;
  /** When a policy, a role or a definition last changed. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #found = 0;
  #strangers = 0;
  readonly #namespaces: string;
  readonly #definitions: string;

  constructor(given: readonly JsonObject[], { engine, memory, follows }: ReplayClusterOptions) {
    this.#engine = engine;
    this.#following = follows;
    this.objects = new KnownObjects(memory);
    this.#memory = this.#newMemory(given);
    this.#namespaces = this.place("", "v1", "namespaces");
    this.#definitions = this.place(DEFINITION_GROUP, "v1", "customresourcedefinitions");
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

  /** The places of what a definition defines. */
  placesOf(definition: JsonObject): string[] {
    const spec = objectOf(definition["spec"]);
    const plural = textOf(objectOf(spec["names"])["plural"]);
    return objectsOf(spec["versions"]).map((each) => this.place(textOf(spec["group"]), textOf(each["name"]), plural));
  }

  /** Whether objects of a version are stored in another one, with another schema. */
  isStoredOtherwise(group: string, version: string, resource: string): boolean {
    const definition = this.#special
      .all()
      .find(
        (object) =>
          object["kind"] === "CustomResourceDefinition" && metaText(object, "name") === `${resource}.${group}`,
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
    if (!this.#follows(group, key.place, key.name)) return;
    if (this.#special.learn(key, group, known)) this.#changed(group, at);
  }

  /** Whether changes of an object decide how the log is read. An undefined part may be anything. */
  #follows(group: string, place: string | undefined, name: string | undefined): boolean {
    if (group === RBAC_GROUP || group === DEFINITION_GROUP) return true;
    return group === POLICY_GROUP && followsPolicy(this.#following, place, name);
  }

  #changed(group: string, at: number): void {
    if (at < this.#changedAt) this.#special.doubt(POLICY_GROUP, OUT_OF_ORDER);
    this.#changedAt = Math.max(this.#changedAt, at);
    if (group === POLICY_GROUP) {
      this.policyChanges += 1;
      this.#policies.add(this.#readPolicies(), at);
    }
    if (group === RBAC_GROUP) this.#authorizer.add(this.#readAuthorizer(), at);
    if (group === DEFINITION_GROUP) this.#readKinds();
  }

  /** A write that the log does not show as a whole may have changed any of these objects. */
  doubt(scope: Scope, doubt: Pick<Doubt, "until" | "why" | "isCreation">, from: number): void {
    const { group, version, resource, namespace, name } = scope;
    const isPlaced = group !== undefined && version !== undefined && resource !== undefined;
    const place = isPlaced ? this.place(group, version, resource) : undefined;
    const isCluster = isPlaced && this.kind(group, version, resource)?.namespaced === false;
    this.objects.doubt({ place, namespace: isCluster ? "" : namespace, name, ...doubt });
    for (const each of [POLICY_GROUP, RBAC_GROUP, DEFINITION_GROUP]) {
      // Only roles and their bindings are in namespaces.
      const isAbout = (group ?? each) === each && (each === RBAC_GROUP || namespace === undefined);
      if (!isAbout || !this.#follows(each, place, name)) continue;
      const key = place === undefined || name === undefined ? undefined : { place, namespace: namespace ?? "", name };
      this.#special.doubt(each, doubt.why, key);
      this.#changed(each, Math.max(from, this.#changedAt));
    }
  }

  /** Why the definition of a kind may not be what it was; undefined if it is. */
  whyRedefined(group: string, resource: string): string | undefined {
    const key = { place: this.#definitions, namespace: "", name: `${resource}.${group}` };
    return this.#special.whyUncertain(DEFINITION_GROUP, key);
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
    const listed = (namespace: string): void => {
      const why = this.objects.whyIncomplete(place, served.namespaced ? namespace : undefined);
      if (why !== undefined) throw new UnknownParameter(why);
    };
    const read = (key: ObjectKey): JsonObject | undefined => {
      if (this.objects.since(key) > time - OBJECT_DELAY) onFresh();
      const known = this.objects.at(key, time);
      if (known?.state === "uncertain") throw new UnknownParameter(known.why);
      return known?.state === "present" ? known.object.object() : undefined;
    };
    return {
      namespaced: served.namespaced,
      get: (namespace, name) => read({ place, namespace: served.namespaced ? namespace : "", name }),
      list: (namespace) => {
        listed(namespace);
        return this.objects
          .keys(place, served.namespaced ? namespace : undefined)
          .map(read)
          .filter((object) => object !== undefined);
      },
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
    const isSpecial = group === POLICY_GROUP || group === RBAC_GROUP || group === DEFINITION_GROUP;
    if (isSpecial) this.#special.set(key, object);
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
    const all = this.#special.all();
    const uncertain = this.#special.whyUncertain(POLICY_GROUP);
    return { validating: policySetFrom(all), mutating: mutatingPolicySetFrom(all), uncertain };
  }

  /** Undefined if permissions are not known. */
  #readAuthorizer(): Authorizer | undefined {
    if (this.#special.whyUncertain(RBAC_GROUP) !== undefined) return undefined;
    const all = this.#special.all().filter((object) => gvkOf(object).group === RBAC_GROUP);
    return all.length === 0 ? undefined : serverAuthorizer(rbacSource(all));
  }

  #readKinds(): void {
    const all = this.#special.all();
    this.#memory = this.#newMemory(all);
    this.#catalog = kindCatalog(all, this.#engine);
    this.equivalents = cachedEquivalents(equivalentResources(this.#catalog));
  }
}

/** Thrown while a policy is evaluated: its parameter exists, but its content is not in the log. */
export class UnknownParameter extends Error {}

/** For where it is not known who may do what. */
export const NO_AUTHORIZER: Authorizer = {
  authorize: (_question: AuthorizationAttributes) => ({ decision: "noOpinion", reason: "", error: undefined }),
};

/** Requests that satisfy the assumptions of an execution path, evaluated by the policies themselves. */
import type { Value } from "@portcullis/cel/internal";
import type { UserInfo } from "../kubecel/library/authz.ts";
import type { AdmissionAttributes } from "../policy/attributes.ts";
import { evaluatePolicies, type PolicyContext, type PolicyVerdict } from "../policy/dispatch.ts";
import { storedNamespace } from "../policy/manifests.ts";
import type { ParamSource } from "../policy/params.ts";
import type { PolicySet } from "../policy/policy-set.ts";
import { deepCopy } from "../value/copy.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { Builder } from "./build.ts";
import { exampleOf } from "./evaluate/example.ts";
import type { State } from "./evaluate/state.ts";
import type { Pool } from "./pool.ts";
import { repaired } from "./repair.ts";
import { aliasesOf } from "./request-model.ts";
import { apiVersionOf, isNamespaceKind, type Scenario } from "./sorts/kinds.ts";
import { objectSort } from "./sorts/object-sorts.ts";
import { immutablePaths } from "./sorts/premises.ts";
import { sampleOf } from "./sorts/sample.ts";
import { skeletonOf } from "./sorts/skeletons.ts";
import { isAllowed } from "./theory/text-theory.ts";
import { tick } from "./theory/time.ts";
import { usersOf } from "./witness-users.ts";

/** A request before the API server has processed it. */
export interface ProofRequest {
  readonly scenario: Scenario;
  readonly name: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Set if the namespace is not one of the given ones. */
  readonly namespaceObject: JsonObject | undefined;
  /** Additional params that must exist. */
  readonly params: readonly JsonObject[];
  /** CreateOptions and the like, if they matter. */
  readonly options?: JsonObject | undefined;
  /** Set if objects that are not valid must not be corrected: the request would no longer do what it is for. */
  readonly isExact?: boolean | undefined;
}

/** Runs the steps of the API server before policies; undefined if it refuses the request. */
export type Admit = (request: ProofRequest) => AdmissionAttributes | undefined;

/** A request as policies see it. */
export interface Witness {
  readonly attributes: AdmissionAttributes;
  /** An additional namespace that must exist. */
  readonly namespace: JsonObject | undefined;
  /** Additional params that must exist. */
  readonly params: readonly JsonObject[];
}

export interface Replay {
  readonly admit: Admit;
  /** The given namespaces. */
  readonly namespaces: readonly JsonObject[];
  readonly users: readonly UserInfo[];
  readonly pool: Pool;
}

/** The requests of an execution path that reach the policies. */
export function* witnessesOf(state: State, scenario: Scenario, replay: Replay): Generator<Witness, void, void> {
  for (const request of requestsOf(state, scenario, replay)) {
    tick();
    const attributes = replay.admit(request);
    if (attributes !== undefined) yield { attributes, namespace: request.namespaceObject, params: request.params };
  }
}

export function verdictOf(policies: PolicySet, context: PolicyContext, witness: Witness): PolicyVerdict {
  const { attributes, params } = witness;
  const namespace = witness.namespace ?? ownNamespace(attributes);
  if (namespace === undefined && params.length === 0) return evaluatePolicies(policies, attributes, context);
  const own = namespace && metaOf(namespace)["name"];
  const lookup = (name: string): JsonObject | undefined => (name === own ? namespace : context.namespace(name));
  return evaluatePolicies(policies, attributes, {
    ...context,
    namespace: lookup,
    params: withParams(context.params, params),
  });
}

/** The namespace that a request is about exists. */
function ownNamespace({ resource, oldObject }: AdmissionAttributes): JsonObject | undefined {
  return resource.group === "" && resource.resource === "namespaces" ? oldObject : undefined;
}

function withParams(given: ParamSource, more: readonly JsonObject[]): ParamSource {
  return {
    find: (kind) => {
      const resource = given.find(kind);
      const own = more.filter((each) => each["kind"] === kind.kind && each["apiVersion"] === apiVersionOf(kind));
      if (resource === undefined || own.length === 0) return resource;
      const within = (namespace: string): JsonObject[] =>
        own.filter((each) => (asText(metaOf(each)["namespace"]) ?? "") === namespace);
      return {
        ...resource,
        get: (namespace, name) =>
          within(namespace).find((each) => metaOf(each)["name"] === name) ?? resource.get(namespace, name),
        list: (namespace) => [...resource.list(namespace), ...within(namespace)],
      };
    },
  };
}

function* requestsOf(state: State, scenario: Scenario, replay: Replay): Generator<ProofRequest, void, void> {
  const values = exampleOf(state, replay.pool);
  const builder = new Builder(state, values);
  const aliases = aliasesOf(scenario);
  const textAt = (id: string): string | undefined => asText(values.get(aliases(id)));
  const name = textAt("request.name") ?? "example";
  const dryRun = values.get("request.dryRun") === true;
  for (const { object, oldObject } of objectPairs(builder, scenario, name)) {
    for (const place of placesOf(state, scenario, builder, { replay, chosen: textAt("request.namespace") })) {
      for (const user of usersOf(builder, replay.users, state)) {
        yield {
          scenario,
          name,
          ...place,
          object,
          oldObject,
          user,
          dryRun,
          params: paramsOf(state, builder, place.namespace),
          options: optionsOf(state, builder),
        };
      }
    }
  }
}

function optionsOf(state: State, builder: Builder): JsonObject | undefined {
  return state.kinds.has("request.options")
    ? objectOr(builder.build("request.options", undefined), newObject())
    : undefined;
}

/** Params that the execution path mentions and that are not given. */
function paramsOf(state: State, builder: Builder, requestNamespace: string): JsonObject[] {
  return [...state.params].map(([id, { apiVersion, kind, namespace, name }]) => {
    const built = objectOr(builder.build(id, undefined), newObject());
    const place = namespace || requestNamespace;
    const metadata = Object.assign(newObject(), metaOf(built), { name }, place === "" ? {} : { namespace: place });
    return Object.assign(newObject(), built, { apiVersion, kind, metadata });
  });
}

interface Objects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** An update keeps values without a requirement. */
function* objectPairs(builder: Builder, scenario: Scenario, name: string): Generator<Objects, void, void> {
  const template = templateOf(scenario, name);
  const make = (root: string, from: JsonObject): JsonObject =>
    repaired(withName(objectOr(builder.build(root, deepCopy(from)), from), name));
  const { operation, kind } = scenario;
  if (operation === "DELETE") yield { object: undefined, oldObject: make("oldObject", template) };
  else if (operation !== "UPDATE") yield { object: make("object", template), oldObject: undefined };
  else {
    const fixed = immutablePaths(kind.group, kind.kind);
    const object = make("object", template);
    yield { object, oldObject: make("oldObject", object) };
    const oldObject = make("oldObject", template);
    yield {
      object: keepFixed(make("object", oldObject), object, fixed),
      oldObject: keepFixed(oldObject, object, fixed),
    };
  }
}

function keepFixed(to: JsonObject, from: JsonObject, paths: readonly string[]): JsonObject {
  const made = deepCopy(to);
  if (!isObject(made)) return to;
  for (const path of paths) {
    const [top = "", next] = path.split(".");
    const [source, target] = [from[top], made[top]];
    if (next === undefined) {
      if (source !== undefined) made[top] = source;
    } else if (isObject(source) && isObject(target) && source[next] !== undefined) target[next] = source[next];
  }
  return made;
}

/** A small object that is valid. */
export function templateOf(scenario: Scenario, name: string): JsonObject {
  const { kind, objectKind } = scenario;
  const skeleton = skeletonOf(objectKind);
  if (kind.shape !== undefined || scenario.subresource === "scale") return withName(skeleton, name);
  return withName(objectOr(merged(sampleOf(objectSort(scenario)), skeleton), skeleton), name);
}

function merged(sample: JsonValue | undefined, skeleton: JsonObject): JsonObject | undefined {
  return isObject(sample) ? Object.assign(newObject(), sample, skeleton) : undefined;
}

/** Without the fields that the server sets, and with this name. */
export function withName(object: JsonObject, name: string): JsonObject {
  if (asText(object["kind"])?.endsWith("Options") === true) return withoutMetadata(object);
  const metadata = Object.assign(newObject(), metaOf(object), { name });
  delete metadata["namespace"];
  delete metadata["uid"];
  delete metadata["creationTimestamp"];
  return Object.assign(newObject(), object, { metadata });
}

function withoutMetadata(object: JsonObject): JsonObject {
  const made = Object.assign(newObject(), object);
  delete made["metadata"];
  return made;
}

interface Place {
  readonly namespace: string;
  readonly namespaceObject: JsonObject | undefined;
}

const MAX_PLACES = 6;

/** The given namespaces come first: an example in one of them needs nothing else. */
function placesOf(
  state: State,
  { kind }: Scenario,
  builder: Builder,
  more: { replay: Replay; chosen: string | undefined },
): Place[] {
  if (!kind.namespaced || isNamespaceKind(kind)) return [{ namespace: "", namespaceObject: undefined }];
  const domain = state.texts.get("request.namespace");
  const given = more.replay.namespaces.map((each) => asText(metaOf(each)["name"]) ?? "");
  const names = [...given, "default"].filter(
    (name) => name !== "" && (domain === undefined || isAllowed(domain, name)),
  );
  const places: Place[] = names.slice(0, MAX_PLACES).map((namespace) => ({ namespace, namespaceObject: undefined }));
  if (!state.kinds.has("namespaceObject") && more.chosen === undefined) return places.slice(0, 1);
  const name = more.chosen ?? "somewhere";
  return given.includes(name) && domain !== undefined
    ? places
    : [...places, { namespace: name, namespaceObject: namespaceNamed(builder, name) }];
}

/** A namespace is being deleted if and only if its phase says so. */
function namespaceNamed(builder: Builder, name: string): JsonObject {
  const built = objectOr(builder.build("namespaceObject", undefined), newObject());
  const spec = objectOr(built["spec"], newObject());
  const status = Object.assign(newObject(), objectOr(built["status"], newObject()));
  const metadata = Object.assign(newObject(), metaOf(built), { name });
  if (status["phase"] === "Terminating") metadata["deletionTimestamp"] ??= "1970-01-01T00:00:00Z";
  delete status["phase"];
  const stored = storedNamespace({ apiVersion: "v1", kind: "Namespace", metadata, status });
  return Object.assign(stored, { spec });
}

function asText(value: JsonValue | Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function objectOr(value: JsonValue | undefined, otherwise: JsonObject): JsonObject {
  return isObject(value) ? value : otherwise;
}

function metaOf(object: JsonObject): JsonObject {
  const { metadata } = object;
  return isObject(metadata) ? metadata : newObject();
}

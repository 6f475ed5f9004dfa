/**
 * Likely gaps in a policy. A request that a validation denies is changed into one with the same effect: in an init
 * container, by an update, as another kind. If the policies admit it, that is a gap.
 */
import type { Operation } from "../policy/attributes.ts";
import { compiledPolicy } from "../policy/compile.ts";
import type { PolicyHook } from "../policy/policy-set.ts";
import { fromPlain } from "../value/copy.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import type { ComparedSide, CompareOptions } from "./compare-policies.ts";
import { matchedScenarios } from "./difference.ts";
import { type About, decideFor, decisionsOf, denies } from "./facts.ts";
import { readsOf } from "./pool.ts";
import { type ProofKind, type Scenario, scenariosOf } from "./sorts/kinds.ts";
import { podPathOf } from "./sorts/pod-path.ts";
import { skeletonOf } from "./sorts/skeletons.ts";
import { type ProofRequest, templateOf, verdictOf, type Witness, withName } from "./witness.ts";

export type GapKind =
  | "delete"
  | "ephemeral-containers"
  | "init-containers"
  | "kind"
  | "subresource"
  | "update"
  | "version";

export interface Gap {
  readonly policy: string;
  readonly validation: number;
  readonly gap: GapKind;
  readonly text: string;
  /** The request that is admitted, or that fails. */
  readonly witness: Witness;
}

/** A request that may be admitted. */
interface Attempt {
  readonly gap: GapKind;
  readonly text: string;
  readonly request: ProofRequest;
}

export function policyGaps(side: ComparedSide, options: CompareOptions): Gap[] {
  return side.policies.hooks.flatMap((hook) =>
    hook.policy.validations.flatMap((_, validation) => validationGaps({ hook, validation, side, options })),
  );
}

function validationGaps(about: About): Gap[] {
  const { hook, validation, options, side } = about;
  const named = { policy: hook.policy.name, validation };
  const found: Gap[] = [];
  for (const { gap, text, request } of attempts(about)) {
    const attributes = options.replay.admit(request);
    if (attributes === undefined) continue;
    const witness = { attributes, namespace: undefined, params: request.params };
    if (verdictOf(side.policies, side.context, witness).allowed) found.push({ ...named, gap, text, witness });
  }
  const failing = failingDelete(about);
  if (failing !== undefined) found.push({ ...named, gap: "delete", text: deleteText(hook), witness: failing });
  return found;
}

function attempts(about: About): Attempt[] {
  const verdict = denies(about);
  if (verdict.verdict !== "some") return [];
  const { attributes, params } = verdict.witness;
  const { object } = attributes;
  const kind = about.options.kinds.find(
    ({ group, version, resource }) =>
      group === attributes.resource.group &&
      version === attributes.resource.version &&
      resource === attributes.resource.resource,
  );
  if (object === undefined || kind === undefined || attributes.subresource !== "") return [];
  const base: Base = {
    about,
    kind,
    object,
    request: { ...plainRequest(attributes.name, attributes.namespace), params },
  };
  return [
    ...podAttempts(base),
    ...updateAttempts(base),
    ...scaleAttempts(base),
    ...versionAttempts(base),
    ...kindAttempts(base),
  ];
}

interface Base {
  readonly about: About;
  readonly kind: ProofKind;
  /** The object that the validation denies. */
  readonly object: JsonObject;
  readonly request: Omit<ProofRequest, "object" | "oldObject" | "scenario">;
}

function plainRequest(name: string, namespace: string): Omit<ProofRequest, "object" | "oldObject" | "scenario"> {
  const user = { name: "alice", uid: "", groups: ["system:authenticated"], extra: new Map() };
  return { name: name || "example", namespace, user, dryRun: false, namespaceObject: undefined, params: [] };
}

function scenarioOf(kind: ProofKind, operation: Operation, subresource = ""): Scenario | undefined {
  return scenariosOf(kind).find(
    (each) =>
      each.operation === operation && each.subresource === subresource && !each.isCollection && !each.isGenerated,
  );
}

function attempt(
  { request }: Base,
  scenario: Scenario | undefined,
  gap: GapKind,
  text: string,
  objects: Partial<Pick<ProofRequest, "object" | "oldObject">>,
): Attempt[] {
  if (scenario === undefined) return [];
  const own = (object: JsonObject | undefined): JsonObject | undefined =>
    object && withName(withoutStatus(object), request.name);
  return [
    { gap, text, request: { ...request, scenario, object: own(objects.object), oldObject: own(objects.oldObject) } },
  ];
}

function withoutStatus(object: JsonObject): JsonObject {
  const made = Object.assign(newObject(), object);
  if (made["kind"] !== "Scale") delete made["status"];
  return made;
}

/** Whether the validation reads something below a place. */
function reads({ about }: Base, place: readonly string[]): boolean {
  const paths = readsOf(compiledPolicy(about.hook.policy), about.validation);
  return paths.some((path) => path.length > place.length && place.every((key, at) => path[at] === key));
}

/** The containers that are denied, in other lists of the same pod. */
function podAttempts(base: Base): Attempt[] {
  const path = podPathOf(base.kind);
  const spec = path?.read(base.object);
  if (path !== undefined && !reads(base, [...path.path, "containers"])) return [];
  if (path === undefined || spec === undefined || !isArray(spec["containers"])) return [];
  const bad = spec["containers"].filter(isObject);
  const good = goodContainers();
  const moved = path.write(
    base.object,
    record({ ...spec, containers: good, initContainers: bad.map((each) => renamed(each, "init")) }),
  );
  const init = attempt(base, scenarioOf(base.kind, "CREATE"), "init-containers", "init containers are not checked", {
    object: moved,
  });
  if (base.kind.kind !== "Pod") return init;
  const debug = bad.map((each) => ephemeral(renamed(each, "debug")));
  // An ephemeral container has fewer fields: it is only a gap if the rest would be denied in a plain container.
  const plain = path.write(base.object, record({ ...spec, containers: debug }));
  if (!isDenied(base, plain)) return init;
  const pod = path.write(base.object, record({ ...spec, containers: good, ephemeralContainers: debug }));
  const scenario = scenarioOf(base.kind, "UPDATE", "ephemeralcontainers");
  return [
    ...init,
    ...attempt(base, scenario, "ephemeral-containers", "ephemeral containers are not checked", { object: pod }),
  ];
}

/** Whether the policies deny this object on create. */
function isDenied(base: Base, object: JsonObject): boolean {
  const { side, options } = base.about;
  return attempt(base, scenarioOf(base.kind, "CREATE"), "kind", "", { object }).some(({ request }) => {
    const attributes = options.replay.admit(request);
    if (attributes === undefined) return false;
    const { params } = request;
    return !verdictOf(side.policies, side.context, { attributes, namespace: undefined, params }).allowed;
  });
}

function goodContainers(): JsonValue {
  const { spec } = skeletonOf({ group: "", version: "v1", kind: "Pod" });
  return isObject(spec) ? (spec["containers"] ?? []) : [];
}

const NOT_EPHEMERAL = ["ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "resources"];

function ephemeral(container: JsonObject): JsonObject {
  const made = Object.assign(newObject(), container);
  for (const key of NOT_EPHEMERAL) delete made[key];
  return made;
}

function renamed(container: JsonObject, prefix: string): JsonObject {
  const { name } = container;
  return Object.assign(newObject(), container, {
    name: `${prefix}-${typeof name === "string" ? name : "c"}`.slice(0, 60),
  });
}

/** First a harmless object, then an update to the object that is denied on create. */
function updateAttempts(base: Base): Attempt[] {
  const scenario = scenarioOf(base.kind, "UPDATE");
  if (scenario === undefined) return [];
  const oldObject = templateOf(scenario, base.request.name);
  return attempt(base, scenario, "update", `updates of ${base.kind.resource} are not checked`, {
    object: base.object,
    oldObject,
  });
}

function scaleAttempts(base: Base): Attempt[] {
  const { spec } = base.object;
  const replicas = isObject(spec) ? spec["replicas"] : undefined;
  const scenario = scenarioOf(base.kind, "UPDATE", "scale");
  if (replicas === undefined || scenario === undefined) return [];
  const scale = (count: JsonValue): JsonObject =>
    record({
      ...skeletonOf({ group: "autoscaling", version: "v1", kind: "Scale" }),
      spec: record({ replicas: count }),
    });
  const text = `${base.kind.resource}/scale is not checked`;
  return attempt(base, scenario, "subresource", text, { object: scale(replicas), oldObject: scale(1) });
}

/** The same object through another version of its kind. */
function versionAttempts(base: Base): Attempt[] {
  const { kinds } = base.about.options;
  const others = kinds.filter((each) => each.family === base.kind.family && each !== base.kind);
  return others.flatMap((other) => {
    const object = base.about.side.equivalents.convert(base.object, other);
    if (typeof object === "string") return [];
    return attempt(base, scenarioOf(other, "CREATE"), "version", `${other.resource} ${other.version} are not checked`, {
      object,
    });
  });
}

/** The same pod in kinds that create pods. */
function kindAttempts(base: Base): Attempt[] {
  const own = podPathOf(base.kind);
  const spec = own?.read(base.object);
  if (own === undefined || spec === undefined || !reads(base, own.path)) return [];
  return base.about.options.kinds.flatMap((other) => {
    const path = podPathOf(other);
    if (path === undefined || other.kind === base.kind.kind || other.kind === "PodTemplate") return [];
    const restart = path.isJob ? { restartPolicy: "Never" } : { restartPolicy: "Always" };
    const pod = record({ ...spec, ...restart });
    const object = path.write(skeletonOf(other), path.isPod ? pod : withoutPodFields(pod));
    const text = `${other.resource} carry the same pod template and are not checked`;
    return attempt(base, scenarioOf(other, "CREATE"), "kind", text, { object });
  });
}

function withoutPodFields(spec: JsonObject): JsonObject {
  const made = Object.assign(newObject(), spec);
  delete made["ephemeralContainers"];
  delete made["enableServiceLinks"];
  return made;
}

function record(members: Readonly<Record<string, JsonValue>>): JsonObject {
  const copied = fromPlain(members);
  return isObject(copied) ? copied : newObject();
}

/** `object` is null on delete. */
function failingDelete(about: About): Witness | undefined {
  const isDeletion = ({ operation }: Scenario): boolean => operation === "DELETE";
  const hasDeletions = about.hook.bindings.some((bound) =>
    matchedScenarios({ hook: about.hook, bound }, about.side, about.options.kinds).some(isDeletion),
  );
  if (!hasDeletions) return undefined;
  const verdict = decideFor(about, {
    ask: (run, source, scenario) =>
      isDeletion(scenario) && run.outcomes(source.hook, source.bound, source.index).includes("E"),
    shows: (bound, decided, witness) =>
      witness.attributes.operation === "DELETE" &&
      decisionsOf(about, bound, decided).some(({ evaluation }) => evaluation === "error"),
  });
  return verdict.verdict === "some" ? verdict.witness : undefined;
}

function deleteText({ policy }: PolicyHook): string {
  const effect = policy.failurePolicy === "Ignore" ? "the validation has no effect" : "every such deletion is denied";
  return `object is null when something is deleted, so the expression fails: ${effect}`;
}

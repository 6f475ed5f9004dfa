/** Subresources that change a part of an object, or delete it, without a write to the object itself. */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { type About, passes } from "../facts.ts";
import type { Scenario } from "../sorts/kinds.ts";
import { skeletonOf } from "../sorts/skeletons.ts";
import { templateOf, type Witness } from "../witness.ts";
import { attempt, type Base, baseOf, type GapAttempt, isDenied, reads, record, scenarioOf } from "./gap-base.ts";

/** Of an object that is denied. */
export function partAttempts(base: Base): GapAttempt[] {
  return [...scalesOf(base), ...resizeAttempts(base), ...statusAttempts(base), ...bindingAttempts(base)];
}

/** The replicas of an object that is denied, through the scale subresource. */
export function scaleAttempts(about: About, denied: Witness): GapAttempt[] {
  const base = baseOf(about, denied);
  return base === undefined ? [] : scalesOf(base);
}

function scalesOf(base: Base): GapAttempt[] {
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

/** The pod starts with small resources of the same names, which keep its quality of service. */
function resizeAttempts(base: Base): GapAttempt[] {
  const { spec } = base.object;
  const scenario = scenarioOf(base.kind, "UPDATE", "resize");
  if (scenario === undefined || !isObject(spec) || !reads(base, ["spec", "containers"])) return [];
  const small = record({
    ...base.object,
    spec: record({ ...spec, containers: containersOf(spec).map((each) => withSmallResources(each)) }),
  });
  if (isDenied(base, small)) return [];
  return partAttempt(base, scenario, { object: base.object, oldObject: small });
}

function containersOf({ containers }: JsonObject): JsonObject[] {
  return isArray(containers) ? containers.filter(isObject) : [];
}

const SMALL: Readonly<Record<string, string>> = { cpu: "1m", memory: "1Mi" };

function withSmallResources(container: JsonObject): JsonObject {
  const { resources } = container;
  if (!isObject(resources)) return container;
  const small = Object.assign(newObject(), resources);
  for (const key of ["limits", "requests"]) {
    const given = resources[key];
    if (!isObject(given)) continue;
    small[key] = record(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, SMALL[name] ?? value])));
  }
  return Object.assign(newObject(), container, { resources: small });
}

/** A write to the status of a built-in kind can change labels and annotations too. */
function statusAttempts(base: Base): GapAttempt[] {
  const scenario = scenarioOf(base.kind, "UPDATE", "status");
  if (scenario === undefined || !reads(base, ["metadata"])) return [];
  const oldObject = admittedStart(base, scenario);
  if (oldObject === undefined) return [];
  return partAttempt(base, scenario, { object: base.object, oldObject });
}

/** An object that the policies admit: the one that is denied without its metadata, the smallest one, or any other. */
function admittedStart(base: Base, scenario: Scenario): JsonObject | undefined {
  const { name } = base.request;
  const harmless = record({ ...base.object, metadata: record({ name }) });
  const plain = [harmless, templateOf(scenario, name)].find((each) => !isDenied(base, each));
  if (plain !== undefined) return plain;
  const isCreate = ({ kind, operation, subresource }: Scenario): boolean =>
    kind === base.kind && operation === "CREATE" && subresource === "";
  const found = passes(base.about, isCreate);
  const object = found.verdict === "some" ? found.witness.attributes.object : undefined;
  return object === undefined || isDenied(base, object) ? undefined : object;
}

/** The result is only a gap if it would be denied as a new object. */
function partAttempt(
  base: Base,
  scenario: Scenario,
  objects: { readonly object: JsonObject; readonly oldObject: JsonObject },
): GapAttempt[] {
  const text = `${base.kind.resource}/${scenario.subresource} is not checked`;
  return attempt(base, scenario, "subresource", text, objects).map((made) => ({
    ...made,
    isHarmful: ({ object }) => object !== undefined && isDenied(base, object),
  }));
}

/** The scheduler assigns a pod to a node without a write to the pod. */
function bindingAttempts(base: Base): GapAttempt[] {
  const { spec } = base.object;
  const node = isObject(spec) ? spec["nodeName"] : undefined;
  if (typeof node !== "string" || !isObject(spec)) return [];
  const open = Object.assign(newObject(), spec);
  delete open["nodeName"];
  if (isDenied(base, record({ ...base.object, spec: open }))) return [];
  const target = { kind: "Node", name: node };
  return attempt(base, scenarioOf(base.kind, "CREATE", "binding"), "subresource", "pods/binding is not checked", {
    object: record({ ...skeletonOf({ group: "", version: "v1", kind: "Binding" }), target: record(target) }),
  });
}

/** An eviction deletes a pod. */
export function deleteAttempts(about: About, denied: Witness): GapAttempt[] {
  const base = baseOf(about, denied);
  if (base === undefined) return [];
  const scenario = scenarioOf(base.kind, "CREATE", "eviction");
  const text = `${base.kind.resource}/eviction deletes ${base.kind.resource} and is not checked`;
  const object = scenario && skeletonOf(scenario.objectKind);
  return attempt(base, scenario, "subresource", text, { object });
}

const CONNECTED: Readonly<Record<string, string>> = { attach: "exec", exec: "attach" };

/** Both give access to the processes of a container. */
export function connectAttempts(about: About, denied: Witness): GapAttempt[] {
  const base = baseOf(about, denied);
  const other = CONNECTED[denied.attributes.subresource];
  const scenario = base && other && scenarioOf(base.kind, "CONNECT", other);
  if (!base || !scenario) return [];
  const text = `${base.kind.resource}/${other} is not checked`;
  return attempt(base, scenario, "subresource", text, { object: optionsFor(scenario, base.object) });
}

/** The same container and streams. */
function optionsFor({ objectKind }: Scenario, options: JsonObject): JsonObject {
  const shared = ["container", "stdin", "stdout", "stderr", "tty"];
  const kept = shared.flatMap((key): [string, JsonValue][] => {
    const value = options[key];
    return value === undefined ? [] : [[key, value]];
  });
  return record({ ...skeletonOf(objectKind), ...Object.fromEntries(kept) });
}

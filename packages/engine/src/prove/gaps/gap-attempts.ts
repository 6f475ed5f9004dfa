/** Requests with the effect of one that a validation denies: in an init container, by an update, as another kind. */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { About } from "../facts.ts";
import { podPathOf } from "../sorts/pod-path.ts";
import { skeletonOf } from "../sorts/skeletons.ts";
import { templateOf, type Witness } from "../witness.ts";
import { attempt, type Base, baseOf, type GapAttempt, isDenied, reads, record, scenarioOf } from "./gap-base.ts";
import { partAttempts } from "./gap-parts.ts";

/** Other ways to create or to change an object that is denied. */
export function gapAttempts(about: About, denied: Witness): GapAttempt[] {
  const base = baseOf(about, denied);
  return base === undefined
    ? []
    : [
        ...podAttempts(base),
        ...updateAttempts(base),
        ...partAttempts(base),
        ...versionAttempts(base),
        ...kindAttempts(base),
      ];
}

/** The containers that are denied, in other lists of the same pod. */
function podAttempts(base: Base): GapAttempt[] {
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
function updateAttempts(base: Base): GapAttempt[] {
  const scenario = scenarioOf(base.kind, "UPDATE");
  if (scenario === undefined) return [];
  const oldObject = templateOf(scenario, base.request.name);
  return attempt(base, scenario, "update", `updates of ${base.kind.resource} are not checked`, {
    object: base.object,
    oldObject,
  });
}

/** The same object through another version of its kind. */
function versionAttempts(base: Base): GapAttempt[] {
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
function kindAttempts(base: Base): GapAttempt[] {
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

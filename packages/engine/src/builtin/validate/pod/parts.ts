/** What writes to parts of a pod may change. Follows core/validation: ephemeral containers and resizing. */
import { type FieldError, forbidden, invalid } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import { isObject, type JsonObject, newObject } from "../../../value/json.ts";
import { copyObject } from "../../../value/rewrite.ts";
import { internalDifference } from "../../internal/difference.ts";
import { metaOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { qosClass } from "../../strategies/pod.ts";
import * as messages from "./messages.ts";
import { validatePodCommon } from "./pod.ts";

const ROOT = newPath("");
const SPEC = newPath("spec");
const MIRROR = "kubernetes.io/config.mirror";

export function validateEphemeralContainers(pod: JsonObject, old: JsonObject): FieldError[] {
  if (isMirror(old)) return [forbidden(ROOT, messages.staticEphemeral())];
  const spec = specOf(pod);
  const at = SPEC.child("ephemeralContainers");
  const now = new Map(objectsOf(spec, "ephemeralContainers").map((each) => [textOf(each, "name"), each]));
  return [
    ...validatePodCommon(pod, spec),
    ...objectsOf(specOf(old), "ephemeralContainers").flatMap((each) => keptContainer(each, now, at)),
  ];
}

function keptContainer(old: JsonObject, now: ReadonlyMap<string, JsonObject>, at: FieldPath): FieldError[] {
  const name = textOf(old, "name");
  const found = now.get(name);
  if (found === undefined) return [forbidden(at, messages.ephemeralRemoved(name))];
  if (semanticEqual(found, old)) return [];
  const diff = internalDifference("core.EphemeralContainer", old, found);
  return [forbidden(at, messages.ephemeralChanged(name, diff))];
}

export function validateResize(pod: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(pod), specOf(old)];
  if (isMirror(old)) return [forbidden(ROOT, messages.staticResize())];
  if (textOf(objectOf(before, "os"), "name") === "windows") return [forbidden(ROOT, messages.windowsResize())];
  const errors = [...validatePodCommon(pod, spec), ...keptClass(pod, old, spec), ...supported(old)];
  const order = LISTS.flatMap((key) => keptOrder(spec, before, key));
  if (order.length > 0) return [...errors, ...order];
  const found = [
    ...errors,
    ...objectsOf(before, "initContainers").flatMap((_, index) => nothingRemoved(spec, before, "initContainers", index)),
    ...objectsOf(before, "containers").flatMap((_, index) => nothingRemoved(spec, before, "containers", index)),
    ...objectsOf(spec, "containers").flatMap((each, index) =>
      isResized(each, objectsOf(before, "containers")[index]) ? [] : [forbidden(SPEC, messages.onlyCompute())],
    ),
    ...objectsOf(spec, "initContainers").flatMap((each, index) => keptInit(each, before, index)),
  ];
  return found;
}

const LISTS = ["containers", "initContainers"];

function keptClass(pod: JsonObject, old: JsonObject, spec: JsonObject): FieldError[] {
  const before = textOf(objectOf(old, "status"), "qosClass");
  if (before === qosClass(spec)) return [];
  return [invalid(SPEC, textOf(objectOf(pod, "status"), "qosClass"), messages.qosChanged())];
}

/** A running container without resources in its status runs on a node that cannot resize it. */
function supported(old: JsonObject): FieldError[] {
  const running = objectsOf(objectOf(old, "status"), "containerStatuses").find((each) =>
    isObject(objectOf(each, "state")?.["running"]),
  );
  return running === undefined || isObject(running["resources"]) ? [] : [forbidden(SPEC, messages.noResizeOnNode())];
}

function keptOrder(spec: JsonObject, before: JsonObject, key: string): FieldError[] {
  const [now, then] = [objectsOf(spec, key), objectsOf(before, key)];
  if (now.length !== then.length) return [forbidden(SPEC.child(key), messages.resizeCount(key))];
  return then.flatMap((each, index) =>
    textOf(each, "name") === textOf(now[index], "name")
      ? []
      : [forbidden(SPEC.child(key).index(index).child("name"), messages.resizeOrder(key))],
  );
}

function isSidecar(container: JsonObject | undefined): boolean {
  return textOf(container, "restartPolicy") === "Always";
}

function nothingRemoved(spec: JsonObject, before: JsonObject, key: string, index: number): FieldError[] {
  const at = SPEC.child(key).index(index).child("resources");
  const listOf = (from: JsonObject, kind: string): JsonObject =>
    objectOf(objectOf(objectsOf(from, key)[index], "resources"), kind) ?? newObject();
  return ["requests", "limits"].flatMap((kind) => {
    const [now, then] = [listOf(spec, kind), listOf(before, kind)];
    const isRemoved = Object.keys(then).some((name) => now[name] === undefined);
    return isRemoved ? [forbidden(at.child(kind), messages.resourcesRemoved(kind))] : [];
  });
}

/** Whether the containers differ in cpu and memory only. */
function isResized(now: JsonObject, before: JsonObject | undefined): boolean {
  return before !== undefined && semanticEqual(withoutCompute(now), withoutCompute(before));
}

function withoutCompute(container: JsonObject): JsonObject {
  const copy = copyObject(container);
  const resources = copyObject(objectOf(container, "resources") ?? newObject());
  for (const kind of ["requests", "limits"]) {
    const { cpu: __, memory: ___, ...others } = objectOf(resources, kind) ?? newObject();
    if (Object.keys(others).length === 0) delete resources[kind];
    else resources[kind] = others;
  }
  copy["resources"] = resources;
  return copy;
}

function keptInit(now: JsonObject, before: JsonObject, index: number): FieldError[] {
  const old = objectsOf(before, "initContainers")[index];
  const at = SPEC.child("initContainers").index(index);
  const isRestarted = objectsOf(now, "resizePolicy").some((each) => each["restartPolicy"] === "RestartContainer");
  const isRefused = !semanticEqual(now, old ?? null) && !isSidecar(now) && isRestarted;
  return [
    ...(isResized(now, old) ? [] : [forbidden(at, messages.onlyComputeOfSidecars())]),
    ...(isRefused ? [forbidden(at, messages.noRestartingResize())] : []),
  ];
}

function isMirror(pod: JsonObject): boolean {
  return objectOf(metaOf(pod), "annotations")?.[MIRROR] !== undefined;
}

function specOf(pod: JsonObject): JsonObject {
  return objectOf(pod, "spec") ?? newObject();
}

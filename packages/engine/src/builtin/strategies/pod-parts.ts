/**
 * Writes to parts of a pod: its ephemeral containers, and the resources of its containers. Everything else stays as it
 * is, metadata included. Follows kubernetes pkg/registry/core/pod/strategy.go.
 */
import { deepCopy } from "../../value/copy.ts";
import { semanticEqual } from "../../value/equal.ts";
import { type JsonObject, newObject } from "../../value/json.ts";
import { copyObject, withMember } from "../../value/rewrite.ts";
import { completePodResources, keepPodResources } from "../defaults/pod-resources.ts";
import { metaOf, numberOf, objectOf, objectsOf, textOf } from "../object.ts";

export function prepareEphemeralContainers(pod: JsonObject, old: JsonObject): JsonObject {
  const added = objectOf(pod, "spec")?.["ephemeralContainers"];
  const spec = copyObject(objectOf(old, "spec") ?? newObject());
  if (added === undefined) delete spec["ephemeralContainers"];
  else spec["ephemeralContainers"] = added;
  return withSpec(pod, old, spec);
}

/** Containers that were added, removed or renamed are left to validation. */
export function prepareResize(pod: JsonObject, old: JsonObject): JsonObject {
  const [spec, before] = [objectOf(pod, "spec") ?? newObject(), objectOf(old, "spec") ?? newObject()];
  const isSame = LISTS.every((key) => objectsOf(spec, key).length === objectsOf(before, key).length);
  if (!isSame) return pod;
  const resized = copyObject(before);
  if (spec["resources"] === undefined) delete resized["resources"];
  else resized["resources"] = deepCopy(spec["resources"]);
  keepPodResources(resized, before);
  for (const key of LISTS) if (before[key] !== undefined) resized[key] = resizedContainers(spec, before, key);
  completePodResources(resized);
  return withSpec(pod, old, resized);
}

const LISTS = ["containers", "initContainers"];

function resizedContainers(spec: JsonObject, before: JsonObject, key: string): JsonObject[] {
  const [now, then] = [objectsOf(spec, key), objectsOf(before, key)];
  if (now.some((each, index) => textOf(each, "name") !== textOf(then[index], "name"))) return now;
  return then.map((each, index) => {
    const container = copyObject(each);
    for (const field of ["resources", "resizePolicy"]) {
      const value = now[index]?.[field];
      if (value === undefined) delete container[field];
      else container[field] = value;
    }
    return container;
  });
}

function withSpec(pod: JsonObject, old: JsonObject, spec: JsonObject): JsonObject {
  const { managedFields, resourceVersion } = metaOf(pod);
  const metadata = copyObject(metaOf(old));
  for (const [key, value] of Object.entries({ managedFields, resourceVersion })) {
    if (value === undefined) delete metadata[key];
    else metadata[key] = value;
  }
  if (!semanticEqual(spec, old["spec"] ?? null)) metadata["generation"] = numberOf(metadata, "generation") + 1;
  return withMember(withMember(old, "spec", spec), "metadata", metadata);
}

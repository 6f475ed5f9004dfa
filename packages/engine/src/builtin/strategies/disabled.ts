/** Fields of pods whose features are off: what a new object says in them is dropped. Follows pkg/api/pod/util.go. */
import { isArray, isObject, type JsonObject } from "../../value/json.ts";
import type { Draft } from "../defaults/draft.ts";
import { has, objectOf, objectsOf } from "../object.ts";

const CONTAINERS = ["containers", "initContainers", "ephemeralContainers"];
const PROJECTIONS = ["clusterTrustBundle", "podCertificate"];

/** What the old pod used may stay. */
export function dropDisabledPodFields(spec: Draft | undefined, old: JsonObject | undefined): void {
  if (spec === undefined) return;
  if (has(spec, "schedulingGroup") && !has(old, "schedulingGroup")) delete spec["schedulingGroup"];
  for (const key of PROJECTIONS) if (!projects(old, key)) for (const source of sourcesOf(spec)) delete source[key];
  if (!hasStopSignal(old)) dropStopSignals(spec);
}

function sourcesOf(spec: JsonObject | undefined): JsonObject[] {
  const volumes = spec?.["volumes"];
  if (!isArray(volumes)) return [];
  return volumes.filter(isObject).flatMap((volume) => objectsOf(objectOf(volume, "projected"), "sources"));
}

function projects(spec: JsonObject | undefined, key: string): boolean {
  return sourcesOf(spec).some((source) => has(source, key));
}

function hasStopSignal(spec: JsonObject | undefined): boolean {
  return CONTAINERS.some((key) => objectsOf(spec, key).some((each) => has(objectOf(each, "lifecycle"), "stopSignal")));
}

/** A lifecycle that says nothing else goes with it. */
function dropStopSignals(spec: Draft): void {
  for (const key of CONTAINERS) {
    for (const container of objectsOf(spec, key)) {
      const lifecycle = objectOf(container, "lifecycle");
      if (lifecycle === undefined || !has(lifecycle, "stopSignal")) continue;
      delete lifecycle["stopSignal"];
      if (Object.keys(lifecycle).length === 0) delete container["lifecycle"];
    }
  }
}

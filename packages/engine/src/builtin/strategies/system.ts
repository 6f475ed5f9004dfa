/** What the server and its own admission set in namespaces, nodes and volumes. */
import { isArray, type JsonObject, newObject } from "../../value/json.ts";
import { type Draft, fill, inner } from "../defaults/draft.ts";
import { has, metaOf, objectFrom, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import type { PrepareContext } from "./strategy.ts";

export function prepareNamespace(namespace: Draft): void {
  namespace["status"] = objectFrom({ phase: "Active" });
  const spec = inner(namespace, "spec");
  const finalizers = textsOf(spec, "finalizers");
  if (!finalizers.includes("kubernetes")) spec["finalizers"] = [...finalizers, "kubernetes"];
  const metadata = inner(namespace, "metadata");
  inner(metadata, "labels")["kubernetes.io/metadata.name"] = textOf(metadata, "name");
}

/** A node is not ready until it says so. */
export function prepareNode(node: Draft): void {
  const key = "node.kubernetes.io/not-ready";
  const spec = inner(node, "spec");
  delete spec["configSource"];
  const taints = isArray(spec["taints"]) ? spec["taints"] : [];
  if (objectsOf(spec, "taints").some((taint) => taint["key"] === key && taint["effect"] === "NoSchedule")) return;
  spec["taints"] = [...taints, objectFrom({ key, effect: "NoSchedule" })];
}

export function prepareVolume(volume: Draft, { now }: PrepareContext): void {
  volume["status"] = objectFrom({ phase: "Pending", lastPhaseTransitionTime: now() });
  addFinalizer(volume, "kubernetes.io/pv-protection");
}

/** When a volume came into its phase. */
export function prepareVolumeStatus(volume: Draft, old: JsonObject, { now }: PrepareContext): void {
  const [status, before] = [inner(volume, "status"), objectOf(old, "status")];
  const key = "lastPhaseTransitionTime";
  const isSame = textOf(status, "phase") === textOf(before, "phase");
  if (!isSame && (!has(status, key) || status[key] === before?.[key])) status[key] = now();
  else if (isSame && before?.[key] !== undefined) fill(status, key, before[key]);
}

/** Configuration by the server is gone; what was there may stay. */
export function prepareNodeUpdate(node: Draft, old: JsonObject): void {
  node["status"] = old["status"] ?? newObject();
  if (!has(objectOf(old, "spec"), "configSource")) delete inner(node, "spec")["configSource"];
}

/** A field of an older version, which is read but not written any more. */
export function dropTopology(slice: Draft): void {
  for (const endpoint of objectsOf(slice, "endpoints")) delete endpoint["deprecatedTopology"];
}

export function addFinalizer(object: Draft, name: string): void {
  const finalizers = textsOf(metaOf(object), "finalizers");
  if (!finalizers.includes(name)) inner(object, "metadata")["finalizers"] = [...finalizers, name];
}

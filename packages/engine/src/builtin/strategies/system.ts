/** What the server and its own admission set in namespaces, nodes and volumes. */
import { isArray } from "../../value/json.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import { metaOf, objectFrom, objectsOf, textOf, textsOf } from "../object.ts";
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
  const taints = isArray(spec["taints"]) ? spec["taints"] : [];
  if (objectsOf(spec, "taints").some((taint) => taint["key"] === key && taint["effect"] === "NoSchedule")) return;
  spec["taints"] = [...taints, objectFrom({ key, effect: "NoSchedule" })];
}

export function prepareVolume(volume: Draft, { now }: PrepareContext): void {
  volume["status"] = objectFrom({ phase: "Pending", lastPhaseTransitionTime: now() });
  addFinalizer(volume, "kubernetes.io/pv-protection");
}

export function addFinalizer(object: Draft, name: string): void {
  const finalizers = textsOf(metaOf(object), "finalizers");
  if (!finalizers.includes(name)) inner(object, "metadata")["finalizers"] = [...finalizers, name];
}

/** Claims to volumes: where their first contents come from. Follows pkg/api/persistentvolumeclaim/util.go. */
import type { JsonObject } from "../../value/json.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import { has, objectFrom, objectOf, textOf } from "../object.ts";
import { addFinalizer } from "./system.ts";

export function prepareClaim(claim: Draft): void {
  claim["status"] = objectFrom({ phase: "Pending" });
  addFinalizer(claim, "kubernetes.io/pvc-protection");
  settleSources(inner(claim, "spec"), undefined);
}

export function prepareClaimUpdate(claim: Draft, old: JsonObject): void {
  settleSources(inner(claim, "spec"), objectOf(old, "spec"));
}

/** Sources that were never supported in the old field are dropped; then each field says what the other does. */
function settleSources(spec: Draft, old: JsonObject | undefined): void {
  const isOther = textOf(objectOf(spec, "dataSourceRef"), "namespace") !== "";
  if (isOther && !has(old, "dataSourceRef")) delete spec["dataSourceRef"];
  const source = objectOf(spec, "dataSource");
  const isOpen = !has(old, "dataSource") && !has(old, "dataSourceRef") && !has(spec, "dataSourceRef");
  if (isOpen && source !== undefined && !isSupported(source)) delete spec["dataSource"];
  mirror(spec, "dataSource", "dataSourceRef");
  mirror(spec, "dataSourceRef", "dataSource");
}

function isSupported(source: JsonObject): boolean {
  const [group, kind] = [textOf(source, "apiGroup"), textOf(source, "kind")];
  if (kind === "PersistentVolumeClaim") return group === "";
  return kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io";
}

function mirror(spec: Draft, from: string, to: string): void {
  const source = objectOf(spec, from);
  if (source === undefined || has(spec, to) || textOf(source, "namespace") !== "") return;
  const { apiGroup, kind, name } = source;
  spec[to] = objectFrom({ apiGroup, kind, name });
}

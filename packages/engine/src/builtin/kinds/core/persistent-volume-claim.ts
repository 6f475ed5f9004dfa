/** PersistentVolumeClaim. Sources of first contents follow pkg/api/persistentvolumeclaim/util.go. */
import { type JsonObject, newObject } from "../../../value/json.ts";
import { AGE, NAME, spec, specText, status, text } from "../../columns/column.ts";
import { accessModes, volumePhase } from "../../columns/volumes.ts";
import { type Draft, inner } from "../../defaults/draft.ts";
import { fillClaimPhase, fillClaimSpec } from "../../defaults/volumes.ts";
import { has, objectFrom, objectOf, textOf } from "../../object.ts";
import { addFinalizer } from "../../strategies/finalizers.ts";
import type { PrepareContext } from "../../strategies/strategy.ts";
import { validateClaim, validateClaimStatus, validateClaimUpdate } from "../../validate/storage/claim.ts";
import { claimWarnings } from "../../warnings/storage.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const persistentVolumeClaim = defineKind("v1", "PersistentVolumeClaim", {
  defaults: { "v1.PersistentVolumeClaim": fillClaimPhase, "v1.PersistentVolumeClaimSpec": fillClaimSpec },
  metadata: { update: "both" },
  validatedTwiceBefore: "1.35",
  ownsStatus: true,
  prepareCreate: prepareClaim,
  prepareUpdate: (draft, old) => prepareSources(inner(draft, "spec"), objectOf(old, "spec")),
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  validateStatusUpdate: validateClaimStatus,
  warnings: onEveryWrite(claimWarnings),
  columns: [
    NAME,
    text("Status", volumePhase),
    specText("Volume", "volumeName"),
    text("Capacity", (claim) => (isBound(claim) ? textOf(objectOf(status(claim), "capacity"), "storage") : "")),
    text("Access Modes", (claim) => (isBound(claim) ? accessModes(status(claim)) : "")),
    specText("StorageClass", "storageClassName"),
    specText("VolumeAttributesClass", "volumeAttributesClassName", "<unset>"),
    AGE,
    text("VolumeMode", (claim) => textOf(spec(claim), "volumeMode") || "<unset>", 1),
  ],
  returnsDeletedObject: true,
});

function prepareClaim(draft: Draft, { setsPluginValues }: PrepareContext): void {
  // The phase is a default of reading, after admission.
  draft["status"] = newObject();
  if (setsPluginValues === true) addFinalizer(draft, "kubernetes.io/pvc-protection");
  prepareSources(inner(draft, "spec"), undefined);
}

/** Sources that were never supported in the old field are dropped; then each field is filled from the other. */
function prepareSources(claimSpec: Draft, old: JsonObject | undefined): void {
  const isElsewhere = textOf(objectOf(claimSpec, "dataSourceRef"), "namespace") !== "";
  if (isElsewhere && !has(old, "dataSourceRef")) delete claimSpec["dataSourceRef"];
  const source = objectOf(claimSpec, "dataSource");
  const isOpen = !has(old, "dataSource") && !has(old, "dataSourceRef") && !has(claimSpec, "dataSourceRef");
  if (isOpen && source !== undefined && !isSupported(source)) delete claimSpec["dataSource"];
  mirror(claimSpec, "dataSource", "dataSourceRef");
  mirror(claimSpec, "dataSourceRef", "dataSource");
}

function isSupported(source: JsonObject): boolean {
  const [group, kind] = [textOf(source, "apiGroup"), textOf(source, "kind")];
  if (kind === "PersistentVolumeClaim") return group === "";
  return kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io";
}

function mirror(claimSpec: Draft, from: string, to: string): void {
  const source = objectOf(claimSpec, from);
  if (source === undefined || has(claimSpec, to) || textOf(source, "namespace") !== "") return;
  const { apiGroup, kind, name } = source;
  claimSpec[to] = objectFrom({ apiGroup, kind, name });
}

function isBound(claim: JsonObject): boolean {
  return textOf(spec(claim), "volumeName") !== "";
}

/** PersistentVolume. */
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, spec, specText, status, text } from "../../columns/column.ts";
import { accessModes, volumePhase } from "../../columns/volumes.ts";
import { type Draft, fill, fillZero, inner } from "../../defaults/draft.ts";
import { fillHostPath } from "../../defaults/volumes.ts";
import { has, objectFrom, objectOf, textOf } from "../../object.ts";
import { addFinalizer } from "../../strategies/finalizers.ts";
import type { PrepareContext } from "../../strategies/strategy.ts";
import { validateFinalizerNames } from "../../validate/finalizers.ts";
import { validateVolume, validateVolumeUpdate } from "../../validate/storage/persistent-volume.ts";
import { goneVolumes } from "../../warnings/pod.ts";
import { volumeWarnings } from "../../warnings/storage.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const persistentVolume = defineKind("v1", "PersistentVolume", {
  defaults: {
    "v1.PersistentVolume": (draft) => fillZero(inner(draft, "status"), "phase", "Pending"),
    "v1.PersistentVolumeSpec": fillSpec,
    "v1.HostPathVolumeSource": fillHostPath,
  },
  metadata: { update: "whole" },
  ownsStatus: true,
  prepareCreate: prepareVolume,
  prepareStatusUpdate: prepareVolumeStatus,
  validate: validateVolume,
  // Upstream checks a changed volume like a new one twice, finalizers included.
  validateUpdate: (volume, old) => [
    ...validateFinalizerNames(volume),
    ...validateVolume(volume),
    ...validateVolumeUpdate(volume, old),
  ],
  warnings: onEveryWrite((volume) => volumeWarnings(volume, removedTypes(volume))),
  columns: [
    NAME,
    text("Capacity", (volume) => textOf(objectOf(spec(volume), "capacity"), "storage")),
    text("Access Modes", (volume) => accessModes(spec(volume))),
    specText("Reclaim Policy", "persistentVolumeReclaimPolicy"),
    text("Status", volumePhase),
    text("Claim", (volume) => claimText(objectOf(spec(volume), "claimRef"))),
    specText("StorageClass", "storageClassName"),
    specText("VolumeAttributesClass", "volumeAttributesClassName", "<unset>"),
    text("Reason", (volume) => textOf(status(volume), "reason")),
    AGE,
    text("VolumeMode", (volume) => textOf(spec(volume), "volumeMode") || "<unset>", 1),
  ],
  returnsDeletedObject: true,
});

function fillSpec(draft: Draft): void {
  fillZero(draft, "persistentVolumeReclaimPolicy", "Retain");
  fill(draft, "volumeMode", "Filesystem");
}

function prepareVolume(draft: Draft, { now, setsPluginValues }: PrepareContext): void {
  draft["status"] = objectFrom({ phase: "Pending", lastPhaseTransitionTime: now() });
  if (setsPluginValues === true) addFinalizer(draft, "kubernetes.io/pv-protection");
}

/** Records when a volume came into its phase. */
function prepareVolumeStatus(draft: Draft, old: JsonObject, { now }: PrepareContext): void {
  const [after, before] = [inner(draft, "status"), objectOf(old, "status")];
  const key = "lastPhaseTransitionTime";
  const isSame = textOf(after, "phase") === textOf(before, "phase");
  if (!isSame && (!has(after, key) || after[key] === before?.[key])) after[key] = now();
  else if (isSame && before?.[key] !== undefined) fill(after, key, before[key]);
}

function removedTypes(volume: JsonObject): string[] {
  return goneVolumes(objectOf(volume, "spec") ?? {}, newPath("spec"), ["flocker", "quobyte"]);
}

function claimText(claim: JsonObject | undefined): string {
  return claim === undefined ? "" : `${textOf(claim, "namespace")}/${textOf(claim, "name")}`;
}

/** Volumes, claims and storage classes. Follows pkg/api/{persistentvolume,persistentvolumeclaim,storage}/util.go. */

import { type FieldPath, newPath } from "../../field/path.ts";
import { semanticEqual } from "../../value/equal.ts";
import { hasKey, type JsonObject } from "../../value/json.ts";
import { formatQuantity } from "../../value/quantity.ts";
import { since } from "../../value/server-version.ts";
import { has, metaOf, objectOf, objectsOf, textOf } from "../object.ts";
import { milliValue, quantityOf } from "../validate/quantities.ts";
import * as messages from "./messages.ts";
import { nodeSelectorWarnings, nodeTermWarnings, oldLabelOf } from "./nodes.ts";

const { about } = messages;
const SPEC = newPath("spec");
const ANNOTATIONS = newPath("metadata", "annotations");
const OLD_CLASS = "volume.beta.kubernetes.io/storage-class";

/** `gone` are warnings about kinds of volumes that no longer work. */
export function volumeWarnings(volume: JsonObject, gone: readonly string[]): string[] {
  const spec = objectOf(volume, "spec");
  const annotations = objectOf(metaOf(volume), "annotations") ?? {};
  const terms = objectsOf(objectOf(objectOf(spec, "nodeAffinity"), "required"), "nodeSelectorTerms");
  const at = SPEC.child("nodeAffinity", "required", "nodeSelectorTerms");
  return [
    ...Object.entries(messages.OLD_VOLUME_ANNOTATIONS).flatMap(([key, advice]) =>
      hasKey(annotations, key) ? [about(ANNOTATIONS.key(key), advice)] : [],
    ),
    ...(textOf(spec, "persistentVolumeReclaimPolicy") === "Recycle"
      ? [about(SPEC.child("persistentVolumeReclaimPolicy"), messages.recycle())]
      : []),
    ...terms.flatMap((term, index) => nodeTermWarnings(term, at.index(index), false)),
    ...gone,
  ];
}

export function claimWarnings(claim: JsonObject): string[] {
  const isOld = has(objectOf(metaOf(claim), "annotations"), OLD_CLASS);
  return [
    ...(isOld ? [about(ANNOTATIONS.key(OLD_CLASS), messages.OLD_VOLUME_ANNOTATIONS[OLD_CLASS] ?? "")] : []),
    ...claimSpecWarnings(objectOf(claim, "spec") ?? {}, SPEC),
  ];
}

export function claimSpecWarnings(spec: JsonObject, path: FieldPath): string[] {
  return ["requests", "limits"].flatMap((key) => {
    const amount = quantityOf(objectOf(objectOf(spec, "resources"), key), "storage");
    if (amount === undefined || milliValue(amount) % 1000n === 0n) return [];
    return [about(path.child("resources", key).key("storage"), messages.fractional(formatQuantity(amount)))];
  });
}

export function storageClassWarnings(storageClass: JsonObject): string[] {
  return objectsOf(storageClass, "allowedTopologies").flatMap((term, index) =>
    objectsOf(term, "matchLabelExpressions").flatMap((expression, place) => {
      const advice = oldLabelOf(textOf(expression, "key"));
      const at = newPath("allowedTopologies").index(index).child("matchLabelExpressions").index(place);
      return advice === undefined ? [] : [about(at.child("key"), advice)];
    }),
  );
}

export function capacityWarnings(capacity: JsonObject): string[] {
  return nodeSelectorWarnings(objectOf(capacity, "nodeTopology"), newPath("nodeTopology"));
}

export function driverWarnings(driver: JsonObject, old?: JsonObject): string[] {
  const spec = objectOf(driver, "spec");
  const requests = spec?.["tokenRequests"];
  const isKept = old !== undefined && semanticEqual(requests, objectOf(old, "spec")?.["tokenRequests"]);
  const isOpen =
    since("1.35") && objectsOf(spec, "tokenRequests").length > 0 && !has(spec, "serviceAccountTokenInSecrets");
  return isOpen && !isKept ? [messages.tokenInSecrets()] : [];
}

/** What claims count for: themselves and their storage, by storage class too. Follows persistent_volume_claims.go. */

import { type Amounts, amountsOf, resourcesOf } from "../builtin/limits/pod-resources.ts";
import { objectOf, textOf } from "../builtin/object.ts";
import { type JsonObject, newObject } from "../value/json.ts";
import { compareQuantities, type Quantity, quantityAt } from "../value/quantity.ts";
import { countOf } from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";
import { matchesName, type ScopeRequirement } from "./scopes.ts";

const COUNT = "count/persistentvolumeclaims";
const CLAIMS = "persistentvolumeclaims";
const STORAGE = "requests.storage";
const BY_CLASS = ".storageclass.storage.k8s.io/";
/** How the class was named before there was a field for it. */
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

export const claimEvaluator: Evaluator = {
  handles: ({ operation, subresource, object, old }) => {
    if (subresource === "") return operation === "CREATE" || operation === "UPDATE";
    return subresource === "status" && old !== undefined && isReplenished(object, old);
  },
  matchingResources: (names) => names.filter(isClaimResource),
  matchesScope,
  usage: claimUsage,
};

function isClaimResource(name: string): boolean {
  if (name === COUNT || name === CLAIMS || name === STORAGE) return true;
  return name.endsWith(BY_CLASS + CLAIMS) || name.endsWith(BY_CLASS + STORAGE);
}

function claimUsage(claim: JsonObject): Amounts {
  const usage = new Map([
    [CLAIMS, countOf(1)],
    [COUNT, countOf(1)],
  ]);
  const className = classOf(claim);
  const storage = storageOf(claim);
  if (className !== "") usage.set(className + BY_CLASS + CLAIMS, countOf(1));
  if (storage !== undefined) usage.set(STORAGE, storage);
  if (storage !== undefined && className !== "") usage.set(className + BY_CLASS + STORAGE, storage);
  return usage;
}

function classOf(claim: JsonObject): string {
  const annotations = objectOf(objectOf(claim, "metadata"), "annotations");
  return textOf(annotations, CLASS_ANNOTATION) || textOf(objectOf(claim, "spec"), "storageClassName");
}

/** In whole bytes. What was allocated counts where it is more than what is asked for. */
function storageOf(claim: JsonObject): Quantity | undefined {
  const asked = resourcesOf(objectOf(claim, "spec") ?? newObject()).requests.get("storage");
  const allocated = amountsOf(objectOf(claim, "status")?.["allocatedResources"]).get("storage");
  if (asked === undefined) return undefined;
  const isMore = allocated !== undefined && compareQuantities(allocated, asked) > 0;
  return rounded(isMore ? allocated : asked);
}

function rounded(quantity: Quantity): Quantity {
  if (quantity.exponent >= 0) return quantity;
  return { unscaled: quantityAt(quantity, 0), exponent: 0, decimal: false, format: quantity.format };
}

function isReplenished(claim: JsonObject, old: JsonObject): boolean {
  const allocated = (each: JsonObject): unknown =>
    objectOf(objectOf(each, "status"), "allocatedResources")?.["storage"];
  return allocated(claim) !== allocated(old) || attributeClasses(claim).join() !== attributeClasses(old).join();
}

function matchesScope(scope: ScopeRequirement, claim: JsonObject): boolean {
  if (scope.scopeName !== "VolumeAttributesClass") return false;
  const names = attributeClasses(claim);
  if (names.length === 0) return matchesName(scope, undefined);
  return names.some((name) => matchesName(scope, name));
}

function attributeClasses(claim: JsonObject): string[] {
  const status = objectOf(claim, "status");
  const names = [
    textOf(objectOf(claim, "spec"), "volumeAttributesClassName"),
    textOf(status, "currentVolumeAttributesClassName"),
    textOf(objectOf(status, "modifyVolumeStatus"), "targetVolumeAttributesClassName"),
  ];
  return [...new Set(names.filter((name) => name !== ""))].sort();
}

/**
 * Why an error of an update was not forgiven, in terms a person can act on. Upstream does not say.
 */
import type { RatchetReason } from "../../rules/ratchet.ts";
import type { Correlation } from "../../schema/correlate.ts";
import { type Place, placeSteps } from "../../schema/finding.ts";
import { isArray, isObject } from "../../value/json.ts";

export type KeptReason =
  /** The value differs from the old one. */
  | "changed"
  /** The old object has no such field or key. */
  | "added"
  /** An item of a list that is not of type map: items cannot be matched with old ones, and the list changed. */
  | "list-not-correlatable"
  /** An item whose keys no old item has. */
  | "item-added"
  /** The object has fields that no schema describes, so it can never be shown to be unchanged. */
  | "fields-without-schema"
  /** kind and apiVersion of the resource are never forgiven. */
  | "type-meta"
  /** A rule that compares with oldSelf. */
  | "transition-rule"
  /** A rule that could not be evaluated, or ran out of budget. */
  | "evaluation-error"
  /** Nothing to compare with. */
  | "no-old-value";

/** Follows the path of an error through the correlation until it breaks. */
export function explainKept(root: Correlation, place: Place | undefined): KeptReason {
  let at: Correlation = root;
  for (const [depth, step] of placeSteps(place).entries()) {
    if (depth === 0 && (step === "kind" || step === "apiVersion")) return "type-meta";
    const next = typeof step === "number" ? at.index(step) : at.key(step);
    if (next === undefined) return typeof step === "number" ? explainItem(at) : explainMember(at, step);
    at = next;
  }
  return hasFieldsWithoutSchema(at) ? "fields-without-schema" : "changed";
}

export function explainRule(reason: RatchetReason): KeptReason {
  switch (reason) {
    case "transition":
      return "transition-rule";
    case "evaluation":
      return "evaluation-error";
    case "changed":
      return "changed";
    default:
      return "no-old-value";
  }
}

function explainItem(list: Correlation): KeptReason {
  if (!isArray(list.oldValue)) return "added";
  return list.schema.listType === "map" ? "item-added" : "list-not-correlatable";
}

function explainMember(object: Correlation, name: string): KeptReason {
  return object.hasOldKey(name) ? "fields-without-schema" : "added";
}

const explained = new WeakMap<Correlation, boolean>();

/**
 * An object equal to its old self in all that is compared, but with members that are not. Remembered, because all that is
 * wrong with one large object asks for it.
 */
function hasFieldsWithoutSchema(at: Correlation): boolean {
  let known = explained.get(at);
  if (known === undefined) {
    known = hasStrangeKey(at);
    explained.set(at, known);
  }
  return known;
}

function hasStrangeKey({ value, schema }: Correlation): boolean {
  if (!isObject(value) || schema.additionalProperties?.schema !== undefined) return false;
  return Object.keys(value).some((name) => !schema.properties.has(name));
}

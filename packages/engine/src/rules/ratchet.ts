/**
 * Whether a failed rule is forgiven on an update: the value it speaks of, or the nearest ancestor that has an old value,
 * did not change.
 *
 * Follows ratchetingOptions of apiextensions pkg/apiserver/schema/cel/validation.go. Worked out only when a rule fails,
 * from the steps that led to it, so that a valid object is never compared.
 */
import type { Correlation } from "../schema/correlate.ts";

/** The steps from the root to a node, innermost first. */
export interface Trail {
  readonly parent: Trail | undefined;
  readonly step: TrailStep;
}

export type TrailStep =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "item"; readonly index: number }
  | { readonly kind: "allOf" }
  /** A key of the map at the parent, as a value. */
  | { readonly kind: "keyName"; readonly name: string };

/** Why a failed rule is forgiven or kept. */
export type RatchetReason =
  | "unchanged"
  | "unchanged-ancestor"
  | "old-key"
  | "changed"
  | "no-old-value"
  | "create"
  | "transition"
  | "evaluation";

interface Standing {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

export function ratchetReason(root: Correlation | undefined, trail: Trail | undefined): RatchetReason {
  if (root === undefined) return "create";
  if (trail?.step.kind === "keyName") return keyReason(standing(root, trail.parent), trail.step.name);
  const { current, nearest } = standing(root, trail);
  if (current !== undefined) return current.isUnchanged() ? "unchanged" : "changed";
  return nearest?.isUnchanged() === true ? "unchanged-ancestor" : "no-old-value";
}

export function isForgiven(reason: RatchetReason): boolean {
  return reason === "unchanged" || reason === "unchanged-ancestor" || reason === "old-key";
}

function keyReason({ current, nearest }: Standing, key: string): RatchetReason {
  if (current !== undefined) return current.hasOldKey(key) ? "old-key" : "no-old-value";
  return nearest?.isUnchanged() === true ? "unchanged-ancestor" : "no-old-value";
}

function standing(root: Correlation, trail: Trail | undefined): Standing {
  if (trail === undefined) return { current: root, nearest: undefined };
  const before = standing(root, trail.parent);
  const { step } = trail;
  if (step.kind === "allOf") return { current: undefined, nearest: before.nearest };
  if (before.current === undefined) return before;
  if (step.kind === "item") return { current: before.current.index(step.index), nearest: before.current };
  // Both sides of the root's kind and apiVersion were converted to one version, so a change would not show.
  const isRootType = before.nearest === undefined && (step.name === "apiVersion" || step.name === "kind");
  if (isRootType) return { current: undefined, nearest: undefined };
  return { current: before.current.key(step.name), nearest: before.current };
}

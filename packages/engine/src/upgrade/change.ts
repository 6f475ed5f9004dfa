/** The result of comparing two versions of a schema. */
import type { JsonObject } from "../value/json.ts";
import type { UnknownReason } from "./contain/proof.ts";
import type { SchemaStep } from "./pairs.ts";
import type { Witness } from "./witness/witness-check.ts";

export type Verdict = "safe" | "unsafe" | "unknown" | "noop";

/** One change of one keyword at one node, with its verdict on one axis. */
export interface Change {
  readonly axis: ChangeAxis;
  readonly keyword: string;
  /** The name of a required or removed field, or the text of a rule. */
  readonly detail: string;
  readonly path: readonly SchemaStep[];
  readonly verdict: Verdict;
  /** The argument of a proof, or what is not known. */
  readonly why: string;
  readonly reason: UnknownReason | undefined;
  /** The value of the keyword before and after; undefined if it was or is absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly witness: Witness | undefined;
  readonly effect: Effect | undefined;
  /** Set if an attack refuted a proof: a bug in the proof. */
  readonly isContradicted?: boolean;
}

export type ChangeAxis =
  /** Whether accepted objects stay accepted. */
  | "validity"
  /** Whether data is dropped. */
  | "loss"
  /** Whether values appear or change without a write. */
  | "value"
  /** Which manager owns what under server-side apply. */
  | "ownership";

/** Data that the new CRD changes: always demonstrated, never assumed. */
export interface Effect {
  readonly object: JsonObject;
  /** The result with the old CRD and with the new one. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** How two versions of a schema are compared. */
export interface CompareOptions {
  /** The minor number of the Kubernetes version. */
  readonly minor: number;
  /** The maximum number of objects to try for each open question. */
  readonly budget?: number;
  /** Whether the time for the comparison is over: the remaining questions are then unknown. */
  readonly isOver?: (() => boolean) | undefined;
  /** Only check validity; used when the sides are swapped. */
  readonly validityOnly?: boolean;
  /** Only check whether data is lost or changed. */
  readonly dataOnly?: boolean;
  /** Only ask about stored objects. A manifest may also have fields that the old CRD drops. */
  readonly storedOnly?: boolean;
}

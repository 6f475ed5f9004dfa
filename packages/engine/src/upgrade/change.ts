/** What comparing two versions of a schema finds. */
import type { JsonObject } from "../value/json.ts";
import type { UnknownReason } from "./contain/proof.ts";
import type { SchemaStep } from "./pairs.ts";
import type { Witness } from "./witness/witness.ts";

export type Verdict = "safe" | "unsafe" | "unknown" | "noop";

/** One change of one keyword at one node, judged on one axis. */
export interface Change {
  readonly axis: ChangeAxis;
  readonly keyword: string;
  /** The name of a required or removed field, the text of a rule. */
  readonly detail: string;
  readonly path: readonly SchemaStep[];
  readonly verdict: Verdict;
  /** The argument of a proof, or what is not known. */
  readonly why: string;
  readonly reason: UnknownReason | undefined;
  /** What the keyword said before and says now; undefined where it was or is absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly witness: Witness | undefined;
  readonly effect: Effect | undefined;
  /** Set where a proof was refuted by an attack: a fault of the proof. */
  readonly isContradicted?: boolean;
}

export type ChangeAxis =
  /** Whether accepted objects stay accepted. */
  | "validity"
  /** Whether data is dropped. */
  | "loss"
  /** Whether values appear or change by themselves. */
  | "value"
  /** Who owns what under server-side apply. */
  | "ownership";

/** Data that the new definition changes: demonstrated, never assumed. */
export interface Effect {
  readonly object: JsonObject;
  /** What the old definition makes of it, and the new. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** A proof obligation for one node, and the result of the proof. */
import type { Structural } from "../../schema/structural.ts";
import type { Model } from "../../symbolic/facts.ts";
import type { JsonValue } from "../../value/json.ts";

/** Why a question stays open. */
export type UnknownReason =
  /** The search or the automaton exceeded its limit. */
  | "budget"
  /** The format is not a known regular language. */
  | "opaque-format"
  /** The rule neither follows from the old ones nor could be shown to refuse anything. */
  | "cel-undecided"
  /** The same for combinators. */
  | "combinator-undecided"
  /** A value alone is refused, but no whole object with it was found that the old CRD accepts. */
  | "no-witness"
  /** The time for the comparison was over. */
  | "time"
  /** By the server's estimate, the rules may cost more than a request is allowed. */
  | "cost"
  /** The proof does not support this sort of change. */
  | "not-modelled"
  /** The schema of a CRD is not structural. */
  | "not-structural";

export type Proof =
  | {
      readonly verdict: "holds";
      readonly why: string;
      /** Every possible value was validated. */
      readonly isExhaustive?: boolean;
    }
  | { readonly verdict: "open"; readonly reason: UnknownReason };

/** One requirement of the new schema for values that the old one accepts. */
export interface Obligation {
  readonly keyword: string;
  /** The name of a required field, or the text of a rule. */
  readonly detail: string;
  readonly proof: Proof;
  /** The values that the solver could not rule out. */
  readonly model?: Model | undefined;
  /** Whether only whole objects can be tried, because what holds the value decides about it. */
  readonly isInPlace?: boolean;
  /** Values of the node to try, the most likely to be refused first. */
  readonly candidates: () => Iterable<JsonValue>;
}

export function holds(why: string): Proof {
  return { verdict: "holds", why };
}

export function triedAll(why: string): Proof {
  return { verdict: "holds", why, isExhaustive: true };
}

export function open(reason: UnknownReason = "no-witness"): Proof {
  return { verdict: "open", reason };
}

/** A schema and what its `allOf` adds to it. */
export function conjuncts(schema: Structural): readonly Structural[] {
  return [schema, ...schema.allOf.flatMap(conjuncts)];
}

/** The largest of the given values; undefined values are ignored. */
export function largest(values: readonly (number | undefined)[], otherwise: number): number {
  return Math.max(otherwise, ...values.filter((value) => value !== undefined));
}

export function smallest(values: readonly (number | undefined)[], otherwise: number): number {
  return Math.min(otherwise, ...values.filter((value) => value !== undefined));
}

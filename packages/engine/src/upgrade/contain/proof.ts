/** What has to be shown of one node, and how far that went by reasoning alone. */
import type { Structural } from "../../schema/structural.ts";
import type { Model } from "../../symbolic/facts.ts";
import type { JsonValue } from "../../value/json.ts";

/** Why a question stays open. */
export type UnknownReason =
  /** The search or the automaton grew beyond its bound. */
  | "budget"
  /** A format that is no regular language we know. */
  | "opaque-format"
  /** Rules that neither follow from the old ones nor could be shown to refuse anything. */
  | "cel-undecided"
  /** Combinators, likewise. */
  | "combinator-undecided"
  /** A value is refused by itself, but no whole object with it was found that the old definition accepts. */
  | "no-witness"
  /** The time for the comparison was up. */
  | "time"
  /** The rules may cost more than a request may, by what the server estimates. */
  | "cost"
  /** The proof has no rule for a change of this sort. */
  | "not-modelled"
  /** A definition whose schema is not structural cannot be reasoned about. */
  | "not-structural";

export type Proof =
  | {
      readonly verdict: "holds";
      readonly why: string;
      /** Every value there is was put to the validator itself. */
      readonly isExhaustive?: boolean;
    }
  | { readonly verdict: "open"; readonly reason: UnknownReason };

/** One demand of the new schema on values that the old one accepts. */
export interface Obligation {
  readonly keyword: string;
  /** The name of a required field, the text of a rule. */
  readonly detail: string;
  readonly proof: Proof;
  /** What the core could not rule out. */
  readonly model?: Model | undefined;
  /** Values of the node to try: those most likely to be refused first. */
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

/** The largest of the given ones; undefined counts as none. */
export function largest(values: readonly (number | undefined)[], otherwise: number): number {
  return Math.max(otherwise, ...values.filter((value) => value !== undefined));
}

export function smallest(values: readonly (number | undefined)[], otherwise: number): number {
  return Math.min(otherwise, ...values.filter((value) => value !== undefined));
}

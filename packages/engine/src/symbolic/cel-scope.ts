/** Types that the parts of the translation share. */
import type { Expr } from "@portcullis/cel/internal";
import type { Formula } from "./formula.ts";
import type { IntRange } from "./linear.ts";
import type { BoolTerm, Place, Term, Terms } from "./term.ts";

/** The meaning of an identifier. */
export interface Binding {
  readonly terms: Terms;
  /** The place in the data, if it is data: for names. */
  readonly place: Place | undefined;
  readonly label: string;
}

export type Scope = ReadonlyMap<string, Binding>;

export interface Translator {
  /** The least and the greatest value of names, where they are known. */
  readonly bounds: Map<string, IntRange>;
  /** Facts about names that the translation introduced. */
  readonly facts: Formula[];
  terms(expr: Expr, scope: Scope): Terms;
  bool(expr: Expr, scope: Scope): BoolTerm;
  /** The kind of the expression's type, `dyn` if it is not known. */
  typeOf(expr: Expr): string;
  /** Whether this many items of constant lists may still be translated one by one: nested loops multiply them. */
  canExpand(items: number): boolean;
  /** A value of the expression's type that is known by name only. */
  named(expr: Expr, name: string): Term;
}

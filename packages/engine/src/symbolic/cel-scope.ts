/** What the parts of the translation share. */
import type { Expr } from "@portcullis/cel/internal";
import type { Formula } from "./formula.ts";
import type { BoolTerm, Place, Term, Terms } from "./term.ts";

/** What an identifier stands for. */
export interface Binding {
  readonly terms: Terms;
  /** The data, where it is a piece of data: for names. */
  readonly place: Place | undefined;
  readonly label: string;
}

export type Scope = ReadonlyMap<string, Binding>;

export interface Translator {
  /** What holds for the names that the translation made up. */
  readonly facts: Formula[];
  terms(expr: Expr, scope: Scope): Terms;
  bool(expr: Expr, scope: Scope): BoolTerm;
  /** A value of the expression's type that is known by name only. */
  named(expr: Expr, name: string): Term;
}

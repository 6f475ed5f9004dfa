/** What an expression is evaluated with. */
import type { CheckedAst, Expr } from "@portcullis/cel/internal";
import type { State } from "./state.ts";
import type { Sym } from "./symbolic.ts";

/** The values of names: loop variables, and variables that the policy declares. Undefined if a name is not bound. */
export type Scope = (name: string) => Sym | undefined;

export interface Context {
  readonly state: State;
  readonly ast: CheckedAst;
  readonly scope: Scope;
  /** Identifies the variables and the params that a part reads: equal texts of equal units have equal values. */
  readonly unit: (part: Expr) => string;
  /** Distinguishes evaluations that see the request in another version, or less of it. */
  readonly view: string;
  /** The names that enclosing loops and macros bind, with their current values. */
  readonly bound: string;
}

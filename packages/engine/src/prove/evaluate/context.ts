/** What an expression is evaluated with. */
import type { CheckedAst } from "@portcullis/cel/internal";
import type { State } from "./state.ts";
import type { Sym } from "./symbolic.ts";

/** The values of names: loop variables, and variables that the policy declares. Undefined if a name is not bound. */
export type Scope = (name: string) => Sym | undefined;

export interface Context {
  readonly state: State;
  readonly ast: CheckedAst;
  readonly scope: Scope;
  /** Distinguishes policies whose variables and params may differ. */
  readonly unit: string;
  /** The current elements of the enclosing loops. */
  readonly loops: string;
}

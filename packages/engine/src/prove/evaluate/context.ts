/** What an expression is evaluated with. */
import type { CheckedAst } from "@portcullis/cel/internal";
import type { State } from "./state.ts";
import type { Sym } from "./symbolic.ts";

/** What names stand for: variables of loops, and what the policy declares. Undefined where a name is not bound. */
export type Scope = (name: string) => Sym | undefined;

export interface Context {
  readonly state: State;
  readonly ast: CheckedAst;
  readonly scope: Scope;
  /** Distinguishes policies whose variables and params may differ. */
  readonly unit: string;
  /** The elements that the loops around are at. */
  readonly loops: string;
}

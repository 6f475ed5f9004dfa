import type { FunctionDecl, VariableDecl } from "./types/decl.ts";
import type { Macro } from "./types/macro.ts";
import type { Type } from "./types/type.ts";

/** A named bundle of declarations that can be added to an environment. Example: `{ name: "my.lib", functions: [fn(…)] }`. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDecl[];
  readonly variables?: readonly VariableDecl[];
  readonly macros?: readonly Macro[];
  /** Abstract types whose names expressions may use. */
  readonly types?: readonly Type[];
  /** Turns on the syntax `a.?b`, `a[?b]`, `[?a]`, `{?a: b}`. */
  readonly optionalSyntax?: boolean;
}

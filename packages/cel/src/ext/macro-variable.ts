/** Checks the variable names in macro calls. */
import type { Expr } from "../ast/expr.ts";
import { notASimpleName, overwritesAccumulator } from "../parse/messages.ts";
import type { MacroBuilder, MacroProblem } from "../types/macro.ts";

/** The accumulator's name in older trees; still reserved. */
const OLD_ACCUMULATOR = "__result__";

export function simpleName(arg: Expr | undefined, problem: string = notASimpleName): string | MacroProblem {
  return arg?.kind === "ident" ? arg.name : { problem, at: arg?.id ?? 0 };
}

export function accumulatorClash(build: MacroBuilder, name: string, arg: Expr | undefined): MacroProblem | undefined {
  if (name !== build.accumulatorName && name !== OLD_ACCUMULATOR) return undefined;
  return { problem: overwritesAccumulator, at: arg?.id ?? 0 };
}

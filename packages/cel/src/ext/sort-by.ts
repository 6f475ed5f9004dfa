/**
 * The macro `list.sortBy(e, key)`: the list is bound to a variable once, and sorted by the keys of its elements.
 *
 * INVARIANT: nodes are made in upstream's order, so that ids agree.
 */
import type { Expr } from "../ast/expr.ts";
import { notAnIdentifier } from "../parse/messages.ts";
import type { Macro, MacroBuilder, MacroProblem } from "../types/macro.ts";
import { accumulatorClash, simpleName } from "./macro-variable.ts";
import { sortByTarget } from "./messages.ts";

const INPUT = "@__sortBy_input__";
const SORTABLE: ReadonlySet<Expr["kind"]> = new Set(["list", "select", "ident", "comprehension", "call"] as const);

export const sortByMacro: Macro = {
  name: "sortBy",
  receiver: true,
  argCount: 2,
  receiverText: "list",
  signature: "(x, key) → list",
  doc: "returns the elements in the order of the keys computed from them",
  example: "[3, 1, 2].sortBy(x, -x) == [3, 2, 1]",
  expand: expandSortBy,
};

function expandSortBy(build: MacroBuilder, target: Expr | undefined, args: readonly Expr[]): Expr | MacroProblem {
  const input = build.ident(INPUT);
  if (target === undefined || !SORTABLE.has(target.kind)) return { problem: sortByTarget, at: target?.id ?? 0 };
  const keys = mapElements(build, build.copy(input), args);
  if ("problem" in keys) return keys;
  const sorted = build.memberCall("@sortByAssociatedKeys", build.copy(input), keys);
  return build.comprehension({
    range: build.list(),
    iterVar: "#unused",
    accuVar: INPUT,
    accuInit: target,
    loopCondition: build.literal(false),
    loopStep: input,
    result: sorted,
  });
}

/** What `range.map(variable, value)` expands to. */
function mapElements(build: MacroBuilder, range: Expr, [variable, value]: readonly Expr[]): Expr | MacroProblem {
  const iterVar = simpleName(variable, notAnIdentifier);
  if (typeof iterVar !== "string") return iterVar;
  const clash = accumulatorClash(build, iterVar, variable);
  if (clash !== undefined || value === undefined) return clash ?? { problem: notAnIdentifier, at: 0 };
  return build.comprehension({
    range,
    iterVar,
    accuVar: build.accumulatorName,
    accuInit: build.list(),
    loopCondition: build.literal(true),
    loopStep: build.call("_+_", build.accumulator(), build.list(value)),
    result: build.accumulator(),
  });
}

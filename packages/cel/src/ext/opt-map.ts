/**
 * The macros `optMap` and `optFlatMap`: the value of an optional bound to a variable, if there is one.
 *
 * INVARIANT: nodes are made in upstream's order, so that ids agree.
 */
import type { Expr } from "../ast/expr.ts";
import type { Macro, MacroBuilder, MacroProblem } from "../types/macro.ts";
import { simpleName } from "./macro-variable.ts";
import { optFlatMapVariable, optMapVariable } from "./messages.ts";

export const optMapMacro: Macro = {
  name: "optMap",
  receiver: true,
  argCount: 2,
  receiverText: "optional",
  signature: "(x, value) → optional",
  doc: "computes a value from the one that the optional holds; none if it holds none",
  example: "optional.of(1).optMap(x, x + 1) == optional.of(2)",
  expand: (build, target, args) =>
    ifPresent(build, target, args, optMapVariable, (computed) => build.call("optional.of", computed)),
};

export const optFlatMapMacro: Macro = {
  name: "optFlatMap",
  receiver: true,
  argCount: 2,
  receiverText: "optional",
  signature: "(x, optional) → optional",
  doc: "computes an optional from the value that the optional holds; none if it holds none",
  example: "!optional.of(1).optFlatMap(x, optional.none()).hasValue()",
  expand: (build, target, args) => ifPresent(build, target, args, optFlatMapVariable, (computed) => computed),
};

function ifPresent(
  build: MacroBuilder,
  target: Expr | undefined,
  [variable, computation]: readonly Expr[],
  problem: string,
  wrap: (computed: Expr) => Expr,
): Expr | MacroProblem | undefined {
  const name = simpleName(variable, problem);
  if (typeof name !== "string") return name;
  if (target === undefined || computation === undefined) return undefined;
  const condition = build.memberCall("hasValue", target);
  const computed = wrap(bind(build, name, target, computation));
  return build.call("_?_:_", condition, computed, build.call("optional.none"));
}

/** A comprehension over nothing, whose accumulator is the variable. */
function bind(build: MacroBuilder, name: string, optional: Expr, result: Expr): Expr {
  return build.comprehension({
    range: build.list(),
    iterVar: "#unused",
    accuVar: name,
    accuInit: build.memberCall("value", build.copy(optional)),
    loopCondition: build.literal(false),
    loopStep: build.ident(name),
    result,
  });
}

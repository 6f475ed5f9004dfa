/** Follows cel-go parser/macro.go: the macros of the language itself. */
import type { Expr } from "../ast/expr.ts";
import type { Macro, MacroBuilder, MacroProblem } from "../types/macro.ts";
import { invalidHasArgument, notAnIdentifier, notASimpleName, overwritesAccumulator } from "./messages.ts";

type Expand = Macro["expand"];
type Loop = Omit<Parameters<MacroBuilder["comprehension"]>[0], "range" | "iterVar" | "accuVar">;

/** The default macros of an environment. */
// biome-ignore format: a table
export const standardMacros: readonly Macro[] = [
  {
    name: "has", receiver: false, argCount: 1, expand: expandHas,
    signature: "(e.f) → bool",
    doc: "returns true if the field is set",
    example: "has({'a': 1}.a)",
  },
  {
    name: "all", receiver: true, argCount: 2, expand: quantifier(allLoop),
    signature: "(x, predicate) → bool",
    doc: "returns true if the predicate is true for all elements of a list or keys of a map",
    example: "[1, 2].all(x, x > 0)",
  },
  {
    name: "exists", receiver: true, argCount: 2, expand: quantifier(existsLoop),
    signature: "(x, predicate) → bool",
    doc: "returns true if the predicate is true for any element of a list or key of a map",
    example: "[1, 2].exists(x, x > 1)",
  },
  {
    name: "exists_one", receiver: true, argCount: 2, expand: quantifier(existsOneLoop),
    signature: "(x, predicate) → bool",
    doc: "returns true if the predicate is true for exactly one element of a list or key of a map",
    example: "[1, 2].exists_one(x, x > 1)",
  },
  {
    name: "map", receiver: true, argCount: 2, expand: transform(([, value]) => ({ value })),
    signature: "(x, value) → list",
    doc: "returns the list of values computed from the elements of a list or the keys of a map",
    example: "[1, 2].map(x, x * 2) == [2, 4]",
  },
  {
    name: "map", receiver: true, argCount: 3, expand: transform(([, filter, value]) => ({ filter, value })),
    signature: "(x, predicate, value) → list",
    doc: "returns the list of values computed from the elements or keys for which the predicate is true",
    example: "[1, 2].map(x, x > 1, x * 2) == [4]",
  },
  {
    name: "filter", receiver: true, argCount: 2, expand: transform(([item, filter]) => ({ filter, value: item })),
    signature: "(x, predicate) → list",
    doc: "returns the list of elements or keys for which the predicate is true",
    example: "[1, 2].filter(x, x > 1) == [2]",
  },
];

/**
 * Those and the newer spelling of `exists_one`: the default of cel-go's parser. Its environments omit that one,
 * so `existsOne` with two arguments is not a macro in Kubernetes.
 */
export const allMacros: readonly Macro[] = [
  ...standardMacros,
  { name: "existsOne", receiver: true, argCount: 2, expand: quantifier(existsOneLoop) },
];

function expandHas(build: MacroBuilder, _target: Expr | undefined, args: readonly Expr[]): Expr | MacroProblem {
  const [field] = args;
  if (field?.kind !== "select") return { problem: invalidHasArgument, at: field?.id ?? 0 };
  return build.presenceTest(field.operand, field.field);
}

function quantifier(loop: (build: MacroBuilder, predicate: Expr) => Loop): Expand {
  return (build, range, [variable, predicate]) => {
    if (range === undefined || predicate === undefined) return undefined;
    const iterVar = iterationVariable(build, variable, notASimpleName);
    if (typeof iterVar !== "string") return iterVar;
    return build.comprehension({ range, iterVar, accuVar: build.accumulatorName, ...loop(build, predicate) });
  };
}

function allLoop(build: MacroBuilder, predicate: Expr): Loop {
  return {
    accuInit: build.literal(true),
    loopCondition: build.call("@not_strictly_false", build.accumulator()),
    loopStep: build.call("_&&_", build.accumulator(), predicate),
    result: build.accumulator(),
  };
}

function existsLoop(build: MacroBuilder, predicate: Expr): Loop {
  return {
    accuInit: build.literal(false),
    loopCondition: build.call("@not_strictly_false", build.call("!_", build.accumulator())),
    loopStep: build.call("_||_", build.accumulator(), predicate),
    result: build.accumulator(),
  };
}

function existsOneLoop(build: MacroBuilder, predicate: Expr): Loop {
  const accuInit = build.literal(0);
  const loopCondition = build.literal(true);
  const increment = build.call("_+_", build.accumulator(), build.literal(1));
  return {
    accuInit,
    loopCondition,
    loopStep: build.call("_?_:_", predicate, increment, build.accumulator()),
    result: build.call("_==_", build.accumulator(), build.literal(1)),
  };
}

/** `map` and `filter`: a list of one value for each element that passes. */
function transform(parts: (args: readonly Expr[]) => { filter?: Expr | undefined; value: Expr | undefined }): Expand {
  return (build, range, args) => {
    const { filter, value } = parts(args);
    if (range === undefined || value === undefined) return undefined;
    const iterVar = iterationVariable(build, args[0], notAnIdentifier);
    if (typeof iterVar !== "string") return iterVar;
    const accuInit = build.list();
    const loopCondition = build.literal(true);
    const append = build.call("_+_", build.accumulator(), build.list(value));
    const loopStep = filter === undefined ? append : build.call("_?_:_", filter, append, build.accumulator());
    const result = build.accumulator();
    return build.comprehension({
      range,
      iterVar,
      accuVar: build.accumulatorName,
      accuInit,
      loopCondition,
      loopStep,
      result,
    });
  };
}

function iterationVariable(build: MacroBuilder, arg: Expr | undefined, problem: string): string | MacroProblem {
  if (arg?.kind !== "ident") return { problem, at: arg?.id ?? 0 };
  if (arg.name === build.accumulatorName || arg.name === "__result__") {
    return { problem: overwritesAccumulator, at: arg.id };
  }
  return arg.name;
}

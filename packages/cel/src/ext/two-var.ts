/**
 * Comprehensions with two variables: index and element of a list, key and value of a map.
 *
 * INVARIANT: nodes are made in upstream's order, so that ids agree. Follows cel-go ext/comprehensions.go.
 */
import type { Expr } from "../ast/expr.ts";
import type { Library } from "../library.ts";
import { typed } from "../stdlib/typed.ts";
import { fn, global } from "../types/decl.ts";
import type { Macro, MacroBuilder, MacroProblem } from "../types/macro.ts";
import { mapOf, typeParam } from "../types/type.ts";
import { insertEntry } from "../values/map.ts";
import { CelError, type MapValue, type Value } from "../values/value.ts";
import { accumulatorClash, simpleName } from "./macro-variable.ts";
import { duplicateVariable } from "./messages.ts";

const K = typeParam("K");
const V = typeParam("V");
const MAP = mapOf(K, V);
const INSERT = "cel.@mapInsert";

type Loop = Pick<Parameters<MacroBuilder["comprehension"]>[0], "accuInit" | "loopCondition" | "loopStep" | "result">;
/** Makes a loop from the caller's expressions and the name of the first variable. */
type MakeLoop = (build: MacroBuilder, parts: readonly Expr[], firstVariable: string) => Loop | undefined;

/**
 * Macros with two variables, such as `map.all(k, v, …)`.
 * @example new Environment({ libraries: [twoVarLibrary] }).compile("{1: 2}.all(k, v, k < v)").ok // true
 */
export const twoVarLibrary: Library = {
  name: "cel.lib.ext.comprev2",
  macros: [
    twoVar("all", 3, allLoop, {
      signature: "(key, value, predicate) → bool",
      doc: "returns true if the predicate is true for all indices and elements of a list or entries of a map",
      example: "{'a': 1}.all(k, v, v > 0)",
    }),
    twoVar("exists", 3, existsLoop, {
      signature: "(key, value, predicate) → bool",
      doc: "returns true if the predicate is true for any index and element of a list or entry of a map",
      example: "{'a': 1}.exists(k, v, k == 'a')",
    }),
    twoVar("existsOne", 3, existsOneLoop, {
      signature: "(key, value, predicate) → bool",
      doc: "returns true if the predicate is true for exactly one index and element of a list or entry of a map",
      example: "[1, 2].existsOne(i, x, i == 0 && x == 1)",
    }),
    twoVar("exists_one", 3, existsOneLoop, {
      signature: "(key, value, predicate) → bool",
      doc: "returns true if the predicate is true for exactly one index and element of a list or entry of a map",
      example: "[1, 2].exists_one(i, x, i == 0 && x == 1)",
    }),
    twoVar("transformList", 3, transformListLoop, {
      signature: "(key, value, result) → list",
      doc: "returns the list of results computed from the entries of a map or the indices and elements of a list",
      example: "{'a': 1}.transformList(k, v, k) == ['a']",
    }),
    twoVar("transformList", 4, transformListLoop, {
      signature: "(key, value, predicate, result) → list",
      doc: "returns the list of results computed from the entries for which the predicate is true",
      example: "[1, 2].transformList(i, x, i > 0, x * 2) == [4]",
    }),
    twoVar("transformMap", 3, transformMapLoop, {
      signature: "(key, value, result) → map",
      doc: "returns a map with the same keys, or the indices of a list, and the computed values",
      example: "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
    }),
    twoVar("transformMap", 4, transformMapLoop, {
      signature: "(key, value, predicate, result) → map",
      doc: "returns a map of the keys for which the predicate is true and the computed values",
      example: "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v) == {'b': 2}",
    }),
    twoVar("transformMapEntry", 3, transformMapEntryLoop, {
      signature: "(key, value, entries) → map",
      doc: "returns the map of all entries of the computed maps; the same key twice is an error",
      example: "{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'}",
    }),
    twoVar("transformMapEntry", 4, transformMapEntryLoop, {
      signature: "(key, value, predicate, entries) → map",
      doc: "returns the map of all entries of the maps computed where the predicate is true; the same key twice is an error",
      example: "{'a': 1, 'b': 2}.transformMapEntry(k, v, v > 1, {v: k}) == {2: 'b'}",
    }),
  ],
  functions: [
    fn(INSERT, [
      global("@mapInsert_map_key_value", [MAP, K, V], MAP, typed(insertEntry)),
      global("@mapInsert_map_map", [MAP, MAP], MAP, typed(insertEntries)),
    ]),
  ],
};

type Documentation = Required<Pick<Macro, "signature" | "doc" | "example">>;

function twoVar(name: string, argCount: number, makeLoop: MakeLoop, documentation: Documentation): Macro {
  const expandMacro: Macro["expand"] = (build, target, args) => expand(build, target, args, makeLoop);
  return { ...documentation, name, receiver: true, argCount, expand: expandMacro };
}

function expand(
  build: MacroBuilder,
  range: Expr | undefined,
  args: readonly Expr[],
  makeLoop: MakeLoop,
): Expr | MacroProblem | undefined {
  const variables = iterationVariables(build, args);
  if ("problem" in variables) return variables;
  const [iterVar, iterVar2] = variables;
  const loop = makeLoop(build, args.slice(2), iterVar);
  if (range === undefined || loop === undefined) return undefined;
  return build.comprehension({ range, iterVar, iterVar2, accuVar: build.accumulatorName, ...loop });
}

function iterationVariables(
  build: MacroBuilder,
  [firstArg, secondArg]: readonly Expr[],
): readonly [string, string] | MacroProblem {
  const first = simpleName(firstArg);
  if (typeof first !== "string") return first;
  const second = simpleName(secondArg);
  if (typeof second !== "string") return second;
  if (first === second) return { problem: duplicateVariable(first), at: secondArg?.id ?? 0 };
  return accumulatorClash(build, first, firstArg) ?? accumulatorClash(build, second, secondArg) ?? [first, second];
}

function allLoop(build: MacroBuilder, [predicate]: readonly Expr[]): Loop | undefined {
  if (predicate === undefined) return undefined;
  return {
    accuInit: build.literal(true),
    loopCondition: build.call("@not_strictly_false", build.accumulator()),
    loopStep: build.call("_&&_", build.accumulator(), predicate),
    result: build.accumulator(),
  };
}

function existsLoop(build: MacroBuilder, [predicate]: readonly Expr[]): Loop | undefined {
  if (predicate === undefined) return undefined;
  return {
    accuInit: build.literal(false),
    loopCondition: build.call("@not_strictly_false", build.call("!_", build.accumulator())),
    loopStep: build.call("_||_", build.accumulator(), predicate),
    result: build.accumulator(),
  };
}

function existsOneLoop(build: MacroBuilder, [predicate]: readonly Expr[]): Loop | undefined {
  if (predicate === undefined) return undefined;
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

function transformListLoop(build: MacroBuilder, parts: readonly Expr[]): Loop | undefined {
  return collecting(build, parts, {
    empty: () => build.list(),
    add: (value) => build.call("_+_", build.accumulator(), build.list(value)),
  });
}

function transformMapLoop(build: MacroBuilder, parts: readonly Expr[], key: string): Loop | undefined {
  return collecting(build, parts, {
    empty: () => build.map(),
    add: (value) => build.call(INSERT, build.accumulator(), build.ident(key), value),
  });
}

function transformMapEntryLoop(build: MacroBuilder, parts: readonly Expr[]): Loop | undefined {
  return collecting(build, parts, {
    empty: () => build.map(),
    add: (value) => build.call(INSERT, build.accumulator(), value),
  });
}

interface Collection {
  readonly empty: () => Expr;
  readonly add: (value: Expr) => Expr;
}

/** One part is the value; two parts are a filter and the value. */
function collecting(build: MacroBuilder, parts: readonly Expr[], collection: Collection): Loop | undefined {
  const value = parts.at(-1);
  const filter = parts.length === 2 ? parts[0] : undefined;
  if (value === undefined) return undefined;
  const added = collection.add(value);
  const loopStep = filter === undefined ? added : build.call("_?_:_", filter, added, build.accumulator());
  return {
    accuInit: collection.empty(),
    loopCondition: build.literal(true),
    loopStep,
    result: build.accumulator(),
  };
}

function insertEntries(target: MapValue, update: MapValue): Value {
  let map = target;
  for (const key of update.keys()) {
    const extended = insertEntry(map, key, update.get(key) ?? null);
    if (extended instanceof CelError) return extended;
    map = extended;
  }
  return map;
}

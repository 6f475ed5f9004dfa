/** Macros: loops over lists and maps, and names bound without a loop. */
import type { ComprehensionExpr, Expr } from "@portcullis/cel/internal";
import { intDomain } from "../theory/int-theory.ts";
import { Unmodeled } from "../theory/path-search.ts";
import type { Context, Scope } from "./context.ts";
import { bodyText } from "./expression-text.ts";
import { keyOf } from "./keys.ts";
import { type Loop, loopOf } from "./loops.ts";
import { isCountAtLeast, quantify, withStep } from "./quantify.ts";
import { plainList } from "./relate.ts";
import { intScalar } from "./scalars.ts";
import { partsOf } from "./sets.ts";
import type { State } from "./state.ts";
import { constant, ERROR, NULL_SYM, type Sym, truth } from "./symbolic.ts";

type Evaluate = (expr: Expr, context: Context) => Sym;

/** `evaluate` evaluates the subexpressions. */
export function comprehension(expr: ComprehensionExpr, context: Context, evaluate: Evaluate): Sym {
  const { state } = context;
  const bound = bindingOf(expr, context, evaluate);
  if (bound !== undefined) return bound;
  const loop = loopOf(expr);
  if (loop === undefined) throw new Unmodeled("a macro that is none of the usual ones");
  const range = state.resolve(evaluate(expr.range, context));
  if (range.k === "error") return ERROR;
  const parts = rangeParts(range);
  if (parts === undefined) return ERROR;
  if (range.k === "entries" && expr.iterVar2 !== undefined)
    throw new Unmodeled("a loop over keys and values of a constant map");
  const at = (body: Expr) => (element: readonly Sym[]) => {
    const seen = withIndex(expr, range, element, state);
    const bound = `${context.bound}/${namesOf(expr)}=${seen.map(keyOf).join()}`;
    return evaluate(body, { ...context, bound, scope: loopScope(expr, seen, context) });
  };
  const key = `${loop.kind} ${keyOf(range)} ${bodyKey(expr, expr.loopStep, context)}`;
  const known = state.loops.get(key);
  if (known !== undefined) return known;
  const result = runLoop(loop, { expr, context, parts, at });
  state.loops.set(key, result);
  return result;
}

/** `optMap` and the like bind a name without a loop. */
function bindingOf(expr: ComprehensionExpr, context: Context, evaluate: Evaluate): Sym | undefined {
  if (expr.range.kind !== "list" || expr.range.elements.length > 0 || expr.iterVar !== "#unused") return undefined;
  const value = evaluate(expr.accuInit, context);
  const scope: Scope = (name) => (name === expr.accuVar ? value : context.scope(name));
  return evaluate(expr.result, { ...context, scope, bound: `${context.bound}/${expr.accuVar}=${keyOf(value)}` });
}

function rangeParts(range: Sym) {
  if (range.k === "mapnode")
    return [{ source: { k: "keys" as const, node: range.node, alternative: range.alternative }, steps: [] }];
  if (range.k !== "entries") return partsOf(range);
  return partsOf({ k: "items", items: [...range.entries.keys()].map(constant) });
}

/**
 * One variable is the element of a list or the key of a map; two are index and element, or key and value. The position
 * of an element of a list is known by the element. The same value may be at several positions of a computed list, so
 * each evaluation there has an index of its own.
 */
function withIndex({ iterVar2 }: ComprehensionExpr, range: Sym, element: readonly Sym[], state: State): readonly Sym[] {
  if (iterVar2 === undefined || range.k === "mapnode") return element;
  const [first = NULL_SYM] = element;
  const place = plainList(range) === undefined ? String(state.ints.size) : keyOf(first);
  const id = `index(${place})`;
  if (!state.ints.has(id)) state.setInt(id, intDomain({ min: 0n }));
  return [intScalar(id, "int"), first];
}

function loopScope({ iterVar, iterVar2 }: ComprehensionExpr, element: readonly Sym[], { scope }: Context): Scope {
  const [first = NULL_SYM, second] = element;
  return (name) => (name === iterVar2 ? second : name === iterVar ? first : scope(name));
}

interface Running {
  readonly expr: ComprehensionExpr;
  readonly context: Context;
  readonly parts: NonNullable<ReturnType<typeof partsOf>>;
  /** Evaluates a part of the body for an element. */
  readonly at: (body: Expr) => (element: readonly Sym[]) => Sym;
}

function runLoop(loop: Loop, running: Running): Sym {
  const { expr, context, parts, at } = running;
  const { state } = context;
  switch (loop.kind) {
    case "all":
      return quantify(state, parts, at(loop.predicate), "F");
    case "exists":
      return quantify(state, parts, at(loop.predicate), "T");
    case "exists_one": {
      const passing = withStep(state, parts, {
        kind: "filter",
        apply: at(loop.predicate),
        key: bodyKey(expr, loop.predicate, context),
      });
      const views = partsOf(passing);
      return views === undefined ? ERROR : truth(isCountAtLeast(state, views, 1) && !isCountAtLeast(state, views, 2));
    }
    default:
      return collect(loop, running);
  }
}

function collect({ predicate, value }: Loop & { kind: "collect" }, { expr, context, parts, at }: Running): Sym {
  const { state } = context;
  const filtered: Sym =
    predicate === undefined
      ? { k: "view", parts }
      : withStep(state, parts, { kind: "filter", apply: at(predicate), key: bodyKey(expr, predicate, context) });
  const views = partsOf(filtered);
  if (views === undefined) return ERROR;
  return value === undefined
    ? filtered
    : withStep(state, views, { kind: "map", apply: at(value), key: bodyKey(expr, value, context) });
}

/** Identifies the body of a loop: its names and its text, and the values of all other names in it. */
function bodyKey(loop: ComprehensionExpr, body: Expr, { unit, view, bound }: Context): string {
  return `${namesOf(loop)}: ${bodyText(body)}@${bound}@${view}${unit(body)}`;
}

function namesOf({ iterVar, iterVar2 = "" }: ComprehensionExpr): string {
  return `${iterVar},${iterVar2}`;
}

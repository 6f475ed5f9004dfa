/** A macro rewrites a call while it is parsed. */
import type { Expr, MapEntry } from "../ast/expr.ts";
import type { Constant } from "../values/value.ts";

export interface Macro {
  readonly name: string;
  /** `a.f(…)` rather than `f(…)`. */
  readonly receiver: boolean;
  /** Undefined takes any number. */
  readonly argCount: number | undefined;
  /** A new tree; undefined to leave the call as it is; or a problem at a node. */
  readonly expand: (
    build: MacroBuilder,
    target: Expr | undefined,
    args: readonly Expr[],
  ) => Expr | MacroProblem | undefined;
  /** For documentation: what it is called on, if that is not a list or map. */
  readonly receiverText?: string;
  /** The arguments and the result, such as `(x, predicate) → bool`. */
  readonly signature?: string;
  /** What it does, in one sentence. */
  readonly doc?: string;
  /** An expression that uses the macro and evaluates to true. */
  readonly example?: string;
}

export interface MacroProblem {
  readonly problem: string;
  readonly at: number;
}

/** Makes nodes with fresh ids at the position of the macro call. */
export interface MacroBuilder {
  literal(value: Constant): Expr;
  ident(name: string): Expr;
  /** The accumulator variable's name (`@result` or `__result__`). */
  readonly accumulatorName: string;
  accumulator(): Expr;
  select(operand: Expr, field: string): Expr;
  presenceTest(operand: Expr, field: string): Expr;
  call(functionName: string, ...args: Expr[]): Expr;
  memberCall(functionName: string, target: Expr, ...args: Expr[]): Expr;
  list(...elements: Expr[]): Expr;
  map(...entries: MapEntry[]): Expr;
  mapEntry(key: Expr, value: Expr, optional: boolean): MapEntry;
  comprehension(parts: {
    range: Expr;
    iterVar: string;
    iterVar2?: string | undefined;
    accuVar: string;
    accuInit: Expr;
    loopCondition: Expr;
    loopStep: Expr;
    result: Expr;
  }): Expr;
  /** A copy of a tree with fresh ids. */
  copy(expr: Expr): Expr;
}

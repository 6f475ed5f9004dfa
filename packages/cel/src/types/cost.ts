/**
 * The cost of a function: its estimate before evaluation, and its actual cost.
 *
 * Estimates are uint64 in cel-go and saturate at its maximum; here they are bigints with the same
 * saturation, so the numbers printed for unbounded rules agree to the last digit.
 */
import type { Expr } from "../ast/expr.ts";
import type { Value } from "../values/value.ts";
import type { Type } from "./type.ts";

export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

/** The minimum and maximum size of a value. Example: `{ min: 0n, max: 63n }`. */
export type SizeEstimate = Range;
/** The minimum and maximum cost of an expression. Example: `environment.estimateCost(ast).max`. */
export type CostEstimate = Range;

/** The estimated cost of a call, and the size of its result if known. Example: `{ cost: { min: 1n, max: 1n } }`. */
export interface CallEstimate {
  readonly cost: CostEstimate;
  readonly resultSize?: SizeEstimate | undefined;
}

/** An argument as the estimator sees it. Example: `({ path }) => path.join(".") === "self.name"`. */
export interface CostNode {
  /** From a variable through fields, `@items`, `@keys`, `@values`, `@indices`; empty where not reachable from one. */
  readonly path: readonly string[];
  readonly type: Type;
  readonly expr: Expr;
  /** Known from the expression itself (literals, concatenations, results of calls). */
  readonly computedSize: SizeEstimate | undefined;
}

/** The sizes of inputs. Example: `{ estimateSize: () => ({ min: 0n, max: 63n }) }`. */
export interface SizeHints {
  /** The size of what a path leads to, or undefined if it is not known. */
  estimateSize(node: CostNode): SizeEstimate | undefined;
}

/** The costs that an embedder (Kubernetes) defines for calls, before the language's own. */
export interface CostModel {
  estimateCall(
    functionName: string,
    overloadId: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
    hints: SizeHints,
  ): CallEstimate | undefined;
  /** The actual cost of calls; looked up once, during planning. Undefined means the language's own cost. */
  callPrice(functionName: string, overloadId: string): ActualCost | undefined;
}

/** The cost of one call. The receiver is the first of `args`. Undefined means the language's own cost. */
export type CallPrice = (args: readonly Value[], result: Value) => number | undefined;

/** The cost of calls: a number if it is constant, which is faster to charge than the result of a function. */
export type ActualCost = CallPrice | number;

/** The cost of one overload; takes precedence over the cost model's. Example: `{ actual: ([text]) => 10 }`. */
export interface OverloadCost {
  readonly estimate?: (
    hints: SizeHints,
    target: CostNode | undefined,
    args: readonly CostNode[],
  ) => CallEstimate | undefined;
  readonly actual?: ActualCost;
}

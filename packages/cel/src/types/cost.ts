/**
 * What cost estimation before a run and cost counting during one need to know of a function.
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

export type SizeEstimate = Range;
export type CostEstimate = Range;

export interface CallEstimate {
  readonly cost: CostEstimate;
  readonly resultSize?: SizeEstimate | undefined;
}

/** An argument as the estimator sees it. */
export interface CostNode {
  /** From a variable through fields, `@items`, `@keys`, `@values`, `@indices`; empty where not reachable from one. */
  readonly path: readonly string[];
  readonly type: Type;
  readonly expr: Expr;
  /** Known from the expression itself (literals, concatenations, results of calls). */
  readonly computedSize: SizeEstimate | undefined;
}

export interface SizeHints {
  /** The size of what a path leads to, or undefined where it is not known. */
  estimateSize(node: CostNode): SizeEstimate | undefined;
}

/** How an embedder (Kubernetes) prices calls, by function name, ahead of the language's own prices. */
export interface CostModel {
  estimateCall(
    functionName: string,
    overloadId: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
    hints: SizeHints,
  ): CallEstimate | undefined;
  /** How to price calls that took place; asked once, while planning. Undefined leaves them to the language. */
  callPrice(functionName: string, overloadId: string): CallPrice | undefined;
}

/** The price of one call. `args` has the receiver first. Undefined means the language's own price. */
export type CallPrice = (args: readonly Value[], result: Value) => number | undefined;

/** Prices that a library attaches to one overload; they win over the model's. */
export interface OverloadCost {
  readonly estimate?: (
    hints: SizeHints,
    target: CostNode | undefined,
    args: readonly CostNode[],
  ) => CallEstimate | undefined;
  readonly actual?: CallPrice;
}

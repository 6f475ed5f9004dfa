/** Counts how often an expression reads a path such as `self.spec.items`, to decide which to cache. */
import type { Expr } from "../../ast/expr.ts";
import { children } from "../../ast/visit.ts";

export type Reads = ReadonlyMap<string, number>;

/** The separator cannot occur in names. */
export function pathKey(variable: string, names: readonly string[]): string {
  return [variable, ...names].join("\0");
}

/**
 * The number of additional reads of a path, times its steps, from which caching its target is faster than taking the
 * steps every time. Typed values are slow to read; of plain data, only objects with further steps are worth caching.
 */
export function worthwhile(isPlain: boolean, isWhole: boolean): number {
  if (!isPlain) return 1;
  return isWhole ? 6 : 3;
}

export function extraSteps(reads: Reads, key: string, steps: number): number {
  return ((reads.get(key) ?? 0) - 1) * steps;
}

/** A read within a loop counts as this many. */
const LOOP_WEIGHT = 10;

/** Shadowed names are not distinguished: a count that is too high does no harm. */
export function countReads(expr: Expr): Reads {
  const reads = new Map<string, number>();
  visit(expr, 1);
  return reads;

  function visit(node: Expr, weight: number): void {
    const key = node.kind === "select" && !node.testOnly ? keyOf(node) : undefined;
    if (key !== undefined) reads.set(key, (reads.get(key) ?? 0) + weight);
    for (const child of children(node))
      visit(child, node.kind === "comprehension" && child !== node.range ? LOOP_WEIGHT : weight);
  }
}

function keyOf(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.testOnly) return undefined;
  const operand = keyOf(expr.operand);
  return operand === undefined ? undefined : pathKey(operand, [expr.field]);
}

/** Counts how often an expression reads a path such as `self.spec.items`, to see which are worth remembering. */
import type { Expr } from "../../ast/expr.ts";
import { children } from "../../ast/visit.ts";

export type Reads = ReadonlyMap<string, number>;

/** Names may hold any character, so the key keeps them apart with one they cannot. */
export function pathKey(variable: string, names: readonly string[]): string {
  return [variable, ...names].join("\0");
}

/**
 * How many times more a path must be read than once, times the steps it takes, for remembering where it leads to take
 * less time than taking the steps every time. Values behind a type are slow to read; of plain data it is rather objects
 * to step further into that are worth it.
 */
export function worthwhile(isPlain: boolean, isWhole: boolean): number {
  if (!isPlain) return 1;
  return isWhole ? 6 : 3;
}

export function extraSteps(reads: Reads, key: string, steps: number): number {
  return ((reads.get(key) ?? 0) - 1) * steps;
}

/** A read within a loop counts as many. */
const LOOP_WEIGHT = 10;

/** Shadowed names are not told apart: a count too high does no harm. */
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

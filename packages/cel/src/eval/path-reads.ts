/** Counts how often an expression reads a path such as `self.spec.items`, to see which are worth remembering. */
import type { Expr } from "../ast/expr.ts";
import { children } from "../ast/visit.ts";

export type Reads = ReadonlyMap<string, number>;

/** Names may hold any character, so the key keeps them apart with one they cannot. */
export function pathKey(variable: string, names: readonly string[]): string {
  return [variable, ...names].join("\0");
}

/** Whether remembering what is at the end of so many steps takes less time than taking them every time. */
export function isWorthKeeping(reads: Reads, key: string, steps: number, isWhole: boolean): boolean {
  return ((reads.get(key) ?? 0) - 1) * steps >= (isWhole ? 2 * WORTHWHILE : WORTHWHILE);
}

const WORTHWHILE = 3;
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

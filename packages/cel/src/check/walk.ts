/** Visits a checked tree from the leaves up, children from left to right, as cel-go's validators do. */
import type { Expr } from "../ast/expr.ts";
import { children } from "../ast/visit.ts";

export interface Walk<Inherited> {
  /** What the children of a node inherit, given what the node inherited. */
  readonly enter: (expr: Expr, inherited: Inherited) => Inherited;
  /** Called once the children are done. */
  readonly leave: (expr: Expr, inherited: Inherited) => void;
}

export function walkExpr<Inherited>(expr: Expr, inherited: Inherited, walk: Walk<Inherited>): void {
  const passedOn = walk.enter(expr, inherited);
  for (const child of children(expr)) walkExpr(child, passedOn, walk);
  walk.leave(expr, inherited);
}

/** Every node, from the leaves up. */
export function visitExprs(expr: Expr, visit: (expr: Expr) => void): void {
  walkExpr(expr, undefined, { enter: () => undefined, leave: visit });
}

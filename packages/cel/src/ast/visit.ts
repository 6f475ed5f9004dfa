/** Walking a syntax tree. */
import type { Expr } from "./expr.ts";

/** The expressions directly inside one, in the order they are written; those of a comprehension in the order they run. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.elements;
    case "map":
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case "struct":
      return expr.fields.map((field) => field.value);
    case "comprehension":
      return [expr.range, expr.accuInit, expr.loopCondition, expr.loopStep, expr.result];
  }
}

/** Calls `visit` for an expression and everything inside it, parents first. */
export function walk(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr);
  for (const child of children(expr)) walk(child, visit);
}

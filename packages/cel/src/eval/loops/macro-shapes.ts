/** Recognizes the expansions of `all`, `exists`, `exists_one`, `map` and `filter` and of their two-variable forms. */
import type { CallExpr, ComprehensionExpr, Expr, ListExpr } from "../../ast/expr.ts";

/** A read of the accumulator and a call at the usual cost. */
export const READ = 1;
export const CALL = 1;

/** `all` or `exists`. */
export interface QuantifierShape {
  readonly predicate: Expr;
  /** The result that ends the loop. */
  readonly decisive: boolean;
  /** The cost of the loop test: `@not_strictly_false(accu)` or `@not_strictly_false(!accu)`. */
  readonly testCost: number;
}

export function quantifierShape(expr: ComprehensionExpr): QuantifierShape | undefined {
  const { accuInit, accuVar, loopCondition, loopStep, result } = expr;
  if (accuInit.kind !== "literal" || typeof accuInit.value !== "boolean" || !isIdent(result, accuVar)) return undefined;
  const isAll = accuInit.value;
  const predicate = operandAfter(loopStep, isAll ? "_&&_" : "_||_", accuVar);
  if (predicate === undefined || !isCall(loopCondition, "@not_strictly_false", 1)) return undefined;
  const tested = loopCondition.args[0];
  if (isAll) return isIdent(tested, accuVar) ? { predicate, decisive: false, testCost: READ + CALL } : undefined;
  const negates = isCall(tested, "!_", 1) && isIdent(tested.args[0], accuVar);
  return negates ? { predicate, decisive: true, testCost: READ + CALL + CALL } : undefined;
}

/** The condition of `exists_one`. */
export function countShape(expr: ComprehensionExpr): Expr | undefined {
  const { accuInit, accuVar, loopCondition, loopStep, result } = expr;
  if (accuInit.kind !== "literal" || accuInit.value !== 0 || !isTrue(loopCondition)) return undefined;
  if (!isOne(operandAfter(result, "_==_", accuVar)) || !isCall(loopStep, "_?_:_", 3)) return undefined;
  const [condition, truthy, falsy] = loopStep.args;
  return isOne(operandAfter(truthy, "_+_", accuVar)) && isIdent(falsy, accuVar) ? condition : undefined;
}

/** `map` or `filter`. */
export interface CollectionShape {
  readonly condition: Expr | undefined;
  readonly element: Expr;
}

export function collectionShape(expr: ComprehensionExpr): CollectionShape | undefined {
  const { accuInit, accuVar, loopCondition, loopStep, result } = expr;
  if (accuInit.kind !== "list" || accuInit.elements.length > 0) return undefined;
  if (!isTrue(loopCondition) || !isIdent(result, accuVar)) return undefined;
  if (!isCall(loopStep, "_?_:_", 3)) return appending(undefined, loopStep, accuVar);
  const [condition, truthy, falsy] = loopStep.args;
  return isIdent(falsy, accuVar) ? appending(condition, truthy, accuVar) : undefined;
}

function appending(condition: Expr | undefined, step: Expr | undefined, accuVar: string): CollectionShape | undefined {
  const list = operandAfter(step, "_+_", accuVar);
  if (list === undefined || !isPlainList(list)) return undefined;
  const [element] = list.elements;
  return element === undefined ? undefined : { condition, element };
}

function isPlainList(expr: Expr): expr is ListExpr {
  return expr.kind === "list" && expr.elements.length === 1 && expr.optionalIndices.length === 0;
}

/** The second operand of a call whose first is the accumulator. */
function operandAfter(expr: Expr | undefined, functionName: string, accuVar: string): Expr | undefined {
  return isCall(expr, functionName, 2) && isIdent(expr.args[0], accuVar) ? expr.args[1] : undefined;
}

function isCall(expr: Expr | undefined, functionName: string, argCount: number): expr is CallExpr {
  return (
    expr?.kind === "call" &&
    expr.function === functionName &&
    expr.target === undefined &&
    expr.args.length === argCount
  );
}

export function isIdent(expr: Expr | undefined, name: string): boolean {
  return expr?.kind === "ident" && expr.name === name;
}

function isTrue(expr: Expr): boolean {
  return expr.kind === "literal" && expr.value === true;
}

function isOne(expr: Expr | undefined): boolean {
  return expr?.kind === "literal" && expr.value === 1;
}

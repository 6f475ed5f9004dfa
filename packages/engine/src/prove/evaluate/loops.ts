/** Which macro a comprehension was, by its shape. */
import type { ComprehensionExpr, Expr } from "@portcullis/cel/internal";

export type Loop =
  | { readonly kind: "all" | "exists" | "exists_one"; readonly predicate: Expr }
  /** `filter` and `map`; without a value the element itself is kept. */
  | { readonly kind: "collect"; readonly predicate: Expr | undefined; readonly value: Expr | undefined };

export function loopOf(expr: ComprehensionExpr): Loop | undefined {
  const { accuInit, loopStep, accuVar } = expr;
  if (loopStep.kind !== "call") return undefined;
  if (accuInit.kind === "literal") return quantifierOf(accuInit.value, loopStep, accuVar);
  return accuInit.kind === "list" && accuInit.elements.length === 0 ? collectionOf(expr, loopStep) : undefined;
}

type Call = Expr & { kind: "call" };

function quantifierOf(init: unknown, { function: name, args }: Call, accuVar: string): Loop | undefined {
  const [first, second] = args;
  if (first === undefined || second === undefined) return undefined;
  if (init === true && name === "_&&_" && isIdent(first, accuVar)) return { kind: "all", predicate: second };
  if (init === false && name === "_||_" && isIdent(first, accuVar)) return { kind: "exists", predicate: second };
  return init === 0 && name === "_?_:_" ? { kind: "exists_one", predicate: first } : undefined;
}

function collectionOf(expr: ComprehensionExpr, step: Call): Loop | undefined {
  if (step.function === "_+_") return appended(expr, step, undefined);
  const [predicate, append] = step.args;
  if (step.function !== "_?_:_" || append?.kind !== "call") return undefined;
  return appended(expr, append, predicate);
}

function appended(
  { accuVar, iterVar, iterVar2 }: ComprehensionExpr,
  { function: name, args }: Call,
  predicate: Expr | undefined,
): Loop | undefined {
  const [first, second] = args;
  if (name !== "_+_" || first === undefined || !isIdent(first, accuVar) || second?.kind !== "list") return undefined;
  const [value] = second.elements;
  if (value === undefined) return undefined;
  const isElement = iterVar2 === undefined && isIdent(value, iterVar);
  return { kind: "collect", predicate, value: isElement ? undefined : value };
}

function isIdent(expr: Expr, name: string): boolean {
  return expr.kind === "ident" && expr.name === name;
}

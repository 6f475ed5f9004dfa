/**
 * Texts of expressions in which what is known of every object is left out: two loops that differ only in a test that is
 * always true have the same text.
 */
import { children, type Expr, type SourceInfo, unparse } from "@portcullis/cel/internal";
import { pathOf, type Scope } from "./rule-reads.ts";

export interface Naming {
  readonly info: SourceInfo;
  readonly known: (expr: Expr, scope: Scope) => boolean | undefined;
}

export function canonicalText(expr: Expr, naming: Naming, scope: Scope): string {
  const known = naming.known(expr, scope);
  if (known !== undefined) return String(known);
  if (!hasLoop(expr)) return plainText(expr, naming, scope);
  if (expr.kind === "comprehension") return loopText(expr, naming, scope);
  return `${headOf(expr)}(${children(expr)
    .map((part) => canonicalText(part, naming, scope))
    .join(", ")})`;
}

/** Outside of loops the connectives are read as logic; inside, what decides nothing is left out here. */
function plainText(expr: Expr, naming: Naming, scope: Scope): string {
  const isConnective = expr.kind === "call" && (expr.function === "_&&_" || expr.function === "_||_");
  if (!isConnective) return unparse(expr, naming.info);
  return joined(
    expr.function,
    expr.args.map((part) => canonicalText(part, naming, scope)),
  );
}

function joined(operator: string, parts: readonly string[]): string {
  const idle = operator === "_&&_" ? "true" : "false";
  const left = parts.filter((part) => part !== idle);
  return left.length === 1 && left[0] !== undefined ? left[0] : `(${left.join(` ${operator} `)})`;
}

function loopText(expr: Extract<Expr, { kind: "comprehension" }>, naming: Naming, scope: Scope): string {
  const range = pathOf(expr.range, scope);
  const inner = new Map(scope).set(expr.iterVar, range && [...range, "*"]).set(expr.accuVar, undefined);
  const parts = [expr.accuInit, expr.loopCondition, expr.loopStep, expr.result].map((part) =>
    canonicalText(part, naming, inner),
  );
  return `loop ${expr.iterVar} ${expr.iterVar2 ?? ""} ${canonicalText(expr.range, naming, scope)} {${parts.join("; ")}}`;
}

function hasLoop(expr: Expr): boolean {
  return expr.kind === "comprehension" || children(expr).some(hasLoop);
}

function headOf(expr: Expr): string {
  if (expr.kind === "call") return expr.function;
  return expr.kind === "select" ? `${expr.testOnly ? "has " : ""}.${expr.field}` : `${expr.kind} ${expr.id}`;
}

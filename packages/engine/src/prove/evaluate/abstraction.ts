/**
 * Parts that two sides share, evaluated to any outcome, the same on both sides. A proof that needs no more of them holds
 * for their real outcomes too, and does not have to follow all cases inside them.
 */
import { type Ast, type CheckedAst, children, type Expr, walk } from "@portcullis/cel/internal";
import type { Context } from "./context.ts";
import { bodyText } from "./expression-text.ts";
import { ERROR, FALSE, type Sym, TRUE } from "./symbolic.ts";

/** Smaller parts are as easy to evaluate. */
const LEAST_PARTS = 5;

/** The texts of conditions that occur on both sides. */
export function sharedParts(left: readonly Ast[], right: readonly Ast[]): ReadonlySet<string> {
  const others = new Set(right.flatMap(partsOf));
  return new Set(left.flatMap(partsOf).filter((text) => others.has(text)));
}

const known = new WeakMap<Ast, readonly string[]>();

function partsOf(ast: Ast): readonly string[] {
  const made = known.get(ast) ?? makeParts(ast);
  known.set(ast, made);
  return made;
}

function makeParts({ checked }: Ast): string[] {
  const found: string[] = [];
  walk(checked.expr, (expr) => {
    if (isCondition(expr, checked) && sizeOf(expr) >= LEAST_PARTS) found.push(bodyText(expr));
  });
  return found;
}

function isCondition(expr: Expr, { types }: CheckedAst): boolean {
  return (expr.kind === "call" || expr.kind === "comprehension") && types.get(expr.id)?.kind === "bool";
}

function sizeOf(expr: Expr): number {
  return children(expr).reduce((sum, child) => sum + sizeOf(child), 1);
}

/** Undefined if the part is to be evaluated. */
export function abstractOutcome(expr: Expr, { state, ast, bound, view, unit }: Context): Sym | undefined {
  const { shared } = state;
  if (shared === undefined || !isCondition(expr, ast) || !shared.has(bodyText(expr))) return undefined;
  return OUTCOMES[state.fact(`part ${bodyText(expr)}@${bound}@${view}${unit(expr)}`, OUTCOMES.length)];
}

const OUTCOMES: readonly Sym[] = [TRUE, FALSE, ERROR];

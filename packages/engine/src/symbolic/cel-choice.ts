/** The conditional operator of CEL: its condition selects one of two values, and may be an error. */
import type { Expr } from "@portcullis/cel/internal";
import { nameOf } from "./cel-names.ts";
import type { Scope, Translator } from "./cel-scope.ts";
import { and, type Formula, named, not, or } from "./formula.ts";
import { always, andThen, type BoolTerm, NONE, type Terms, toBool } from "./term.ts";

export function choice(
  [condition, yes, no]: readonly [Expr, Expr, Expr],
  scope: Scope,
  within: Translator,
): Terms | undefined {
  const cases = within.terms(condition, scope);
  const asked = namedCondition(condition, toBool(cases), scope);
  const isFailed = failure(cases, asked);
  return andThen(
    [
      { when: asked.yes, is: within.terms(yes, scope) },
      { when: asked.no, is: within.terms(no, scope) },
      ...(isFailed.op === "false" ? [] : [{ when: isFailed, is: always(NONE) }]),
    ],
    (terms) => terms,
  );
}

/** The condition with a name: the same condition in another rule is then known as a whole. */
function namedCondition(condition: Expr, { yes, no }: BoolTerm, scope: Scope): BoolTerm {
  const name = nameOf(condition, scope);
  // What is short is looked at as it is.
  if (isShort(yes) && isShort(no)) return { sort: "bool", yes, no };
  const isYes = named(`yes ${name}`, yes);
  // A condition that cannot be an error has one name.
  return { sort: "bool", yes: isYes, no: isOpposite({ yes, no }) ? not(isYes) : named(`no ${name}`, no) };
}

/** When a condition is an error: exactly one case holds. */
function failure(cases: Terms, { yes, no }: BoolTerm): Formula {
  const areTotal = cases.every(({ is }) => is.sort === "none" || (is.sort === "bool" && isOpposite(is)));
  if (!areTotal) return and(not(yes), not(no));
  return or(...cases.flatMap(({ when, is }) => (is.sort === "none" ? [when] : [])));
}

/** Whether the evaluation cannot be an error. */
function isOpposite({ yes, no }: Pick<BoolTerm, "yes" | "no">): boolean {
  return (no.op === "not" && no.part === yes) || (yes.op === "not" && yes.part === no);
}

const MAX_LITERALS = 4;

/** Whether it has few parts, all of them literals. */
function isShort(formula: Formula): boolean {
  return literalsIn(formula) <= MAX_LITERALS;
}

function literalsIn(formula: Formula): number {
  if (formula.op === "not") return literalsIn(formula.part);
  if (formula.op === "and" || formula.op === "or")
    return formula.parts.length > MAX_LITERALS
      ? formula.parts.length
      : formula.parts.reduce((sum, part) => sum + literalsIn(part), 0);
  return formula.op === "literal" ? 1 : MAX_LITERALS + 1;
}

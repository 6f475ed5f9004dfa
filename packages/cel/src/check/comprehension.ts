/** Comprehensions, which macros expand to: a fold over the elements of a list or the keys of a map. */
import type { ComprehensionExpr, Expr } from "../ast/expr.ts";
import type { VariableDecl } from "../types/decl.ts";
import { BOOL, DYN, ERROR, INT, type Type } from "../types/type.ts";
import type { CheckContext, Descend } from "./context.ts";
import { notAComprehensionRange } from "./messages.ts";

export function checkComprehension(context: CheckContext, expr: ComprehensionExpr, descend: Descend): Expr {
  const range = descend(expr.range);
  const accuInit = descend(expr.accuInit);
  const accuType = context.typeOf(expr.accuInit);
  const variables = loopVariables(expr, elementTypes(context, expr));
  let { loopCondition, loopStep, result } = expr;
  context.hidesCrossTypeComparisons = false;
  context.withLocals([{ name: expr.accuVar, type: accuType }], () => {
    context.withLocals(variables, () => {
      loopCondition = descend(expr.loopCondition);
      context.expectType(expr.loopCondition, BOOL);
      loopStep = descend(expr.loopStep);
      context.expectType(expr.loopStep, accuType);
    });
    result = descend(expr.result);
  });
  context.setType(expr, context.knownTypeOf(expr.result));
  return rebuild(expr, { range, accuInit, loopCondition, loopStep, result });
}

interface ElementTypes {
  /** The type of a single variable. */
  readonly single: Type;
  /** The type of the first of two variables: an index or a key. */
  readonly key: Type;
  readonly value: Type;
}

function elementTypes(context: CheckContext, expr: ComprehensionExpr): ElementTypes {
  const type = context.knownTypeOf(expr.range);
  switch (type.kind) {
    case "list":
      return { single: type.element, key: INT, value: type.element };
    case "map":
      return { single: type.key, key: type.key, value: type.value };
    case "dyn":
    case "error":
    case "param":
      // Bound to dyn, so that a later use cannot bind it to a type without elements.
      context.unifier.isAssignable(DYN, type);
      return { single: DYN, key: DYN, value: DYN };
    default:
      context.report(expr.range.id, notAComprehensionRange(type));
      return { single: ERROR, key: ERROR, value: ERROR };
  }
}

/** If two variables have the same name, the first one counts. */
function loopVariables(expr: ComprehensionExpr, types: ElementTypes): readonly VariableDecl[] {
  if (expr.iterVar2 === undefined) return [{ name: expr.iterVar, type: types.single }];
  return [
    { name: expr.iterVar2, type: types.value },
    { name: expr.iterVar, type: types.key },
  ];
}

type Parts = Pick<ComprehensionExpr, "range" | "accuInit" | "loopCondition" | "loopStep" | "result">;

function rebuild(expr: ComprehensionExpr, parts: Parts): ComprehensionExpr {
  const unchanged =
    parts.range === expr.range &&
    parts.accuInit === expr.accuInit &&
    parts.loopCondition === expr.loopCondition &&
    parts.loopStep === expr.loopStep &&
    parts.result === expr.result;
  return unchanged ? expr : { ...expr, ...parts };
}

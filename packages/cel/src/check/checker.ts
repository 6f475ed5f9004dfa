/**
 * The type checker: gives every node a type and resolves every name, or reports issues.
 *
 * The tree that comes out has names resolved: a selection that turned out to be a qualified name is an
 * identifier, a call on a namespace is a plain call. Nodes that need no change are shared with the tree
 * that went in. Follows cel-go checker/checker.go.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { Expr, IdentExpr, ParsedAst, SelectExpr } from "../ast/expr.ts";
import type { Issue } from "../issue.ts";
import type { Source } from "../source.ts";
import { BOOL, BYTES, DOUBLE, ERROR, INT, NULL, STRING, type Type, UINT } from "../types/type.ts";
import { Bytes, type Constant, Double, Uint } from "../values/value.ts";
import { checkList, checkMap, checkStruct } from "./aggregate.ts";
import { checkCall } from "./call.ts";
import { checkComprehension } from "./comprehension.ts";
import { CheckContext, qualifiedName } from "./context.ts";
import { typeTooComplex, undeclaredReference } from "./messages.ts";
import type { CheckScope } from "./scope.ts";
import { checkSelection } from "./select.ts";

export type CheckResult =
  | { readonly ok: true; readonly checked: CheckedAst }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export function check(ast: ParsedAst, source: Source, scope: CheckScope): CheckResult {
  const context = new CheckContext(ast, source, scope);
  const expr = checkExpr(context, ast.expr);
  resolveTypes(context);
  if (context.unifier.exhausted) context.report(ast.expr.id, typeTooComplex());
  if (context.issues.length > 0) return { ok: false, issues: context.issues };
  const { types, references } = context;
  return { ok: true, checked: { expr, info: ast.info, types, references } };
}

/** Replaces type variables by the types they are bound to, or by dyn. */
function resolveTypes({ types, unifier }: CheckContext): void {
  for (const [id, type] of types) {
    const resolved = unifier.substitute(type, true);
    if (resolved !== type) types.set(id, resolved);
  }
}

function checkExpr(context: CheckContext, expr: Expr): Expr {
  const descend = (child: Expr) => checkExpr(context, child);
  switch (expr.kind) {
    case "literal":
      context.setType(expr, typeOfConstant(expr.value));
      return expr;
    case "ident":
      return checkIdent(context, expr);
    case "select":
      return checkSelect(context, expr);
    case "call":
      return checkCall(context, expr, descend);
    case "list":
      return checkList(context, expr, descend);
    case "map":
      return checkMap(context, expr, descend);
    case "struct":
      return checkStruct(context, expr, descend);
    case "comprehension":
      return checkComprehension(context, expr, descend);
  }
}

function typeOfConstant(value: Constant): Type {
  if (value === null) return NULL;
  if (value instanceof Double) return DOUBLE;
  if (value instanceof Uint) return UINT;
  if (value instanceof Bytes) return BYTES;
  switch (typeof value) {
    case "string":
      return STRING;
    case "boolean":
      return BOOL;
    default:
      return INT;
  }
}

function checkIdent(context: CheckContext, expr: IdentExpr): Expr {
  const variable = context.findIdentifier(expr.name);
  if (variable === undefined) {
    context.setType(expr, ERROR);
    context.report(expr.id, undeclaredReference(expr.name, context.container));
    return expr;
  }
  context.setType(expr, variable.type);
  context.referToVariable(expr.id, variable);
  return variable.name === expr.name ? expr : { kind: "ident", id: expr.id, name: variable.name };
}

/** A selection is a qualified name if there is one, the longest first; otherwise a field of its operand. */
function checkSelect(context: CheckContext, expr: SelectExpr): Expr {
  const name = qualifiedName(expr);
  const variable = name === undefined ? undefined : context.findIdentifier(name);
  if (variable !== undefined) {
    context.setType(expr, variable.type);
    context.referToVariable(expr.id, variable);
    return { kind: "ident", id: expr.id, name: variable.name };
  }
  const operand = checkExpr(context, expr.operand);
  const type = checkSelection(context, { expr, operand, field: expr.field, optional: false });
  context.setType(expr, expr.testOnly ? BOOL : context.unifier.substitute(type, false));
  return operand === expr.operand ? expr : { ...expr, operand };
}

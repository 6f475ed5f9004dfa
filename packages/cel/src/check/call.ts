/**
 * Calls: which function a name means and which of its overloads fit.
 *
 * Every overload that fits is recorded, in the order of declaration: with a dyn argument there can be
 * several, and evaluation chooses. If their results differ, the call is dyn.
 */
import type { CallExpr, Expr } from "../ast/expr.ts";
import type { FunctionDecl, Overload } from "../types/decl.ts";
import { BOOL, DYN, ERROR, type Type } from "../types/type.ts";
import { isExactType } from "./compare.ts";
import { type CheckContext, type Descend, qualifiedName } from "./context.ts";
import { mapUnchanged } from "./copy.ts";
import { CROSS_TYPE_COMPARISONS } from "./cross-type.ts";
import { instantiate } from "./instantiate.ts";
import {
  incorrectOptionalSignature,
  noMatchingOverload,
  typeMismatch,
  undeclaredReference,
  unsupportedOptionalSelection,
} from "./messages.ts";
import { checkSelection } from "./select.ts";

const OPTIONAL_SELECT = "_?._";
const SELECT_OPTIONAL_FIELD = ["select_optional_field"];

export function checkCall(context: CheckContext, expr: CallExpr, descend: Descend): Expr {
  if (expr.function === OPTIONAL_SELECT) return checkOptionalSelect(context, expr, descend);
  const args = mapUnchanged(expr.args, descend);
  const call = args === expr.args ? expr : { ...expr, args };
  return call.target === undefined ? checkGlobal(context, call) : checkOnTarget(context, call, call.target, descend);
}

function checkGlobal(context: CheckContext, call: CallExpr): Expr {
  const declaration = context.findFunction(call.function);
  if (declaration === undefined) return undeclared(context, call);
  resolve(context, call, declaration);
  return call.function === declaration.name ? call : { ...call, function: declaration.name };
}

/** `a.b.f(x)` is the function `a.b.f` if there is one, else the method `f` of `a.b`. */
function checkOnTarget(context: CheckContext, call: CallExpr, target: Expr, descend: Descend): Expr {
  const namespace = qualifiedName(target);
  const qualified = namespace === undefined ? undefined : context.findFunction(`${namespace}.${call.function}`);
  if (qualified !== undefined) {
    const global = { ...call, function: qualified.name, target: undefined };
    resolve(context, global, qualified);
    return global;
  }
  const checked = descend(target);
  const method = checked === target ? call : { ...call, target: checked };
  const declaration = context.findFunction(call.function);
  if (declaration === undefined) return undeclared(context, method);
  resolve(context, method, declaration);
  return method;
}

function undeclared(context: CheckContext, call: CallExpr): Expr {
  context.setType(call, ERROR);
  context.report(call.id, undeclaredReference(call.function, context.container));
  return call;
}

function resolve(context: CheckContext, call: CallExpr, declaration: FunctionDecl): void {
  const resolved = isLogical(declaration.name)
    ? resolveLogical(context, call, declaration)
    : resolveOverloads(context, call, declaration);
  context.setType(call, resolved?.type ?? ERROR);
  if (resolved !== undefined) context.referToOverloads(call.id, resolved.overloadIds);
}

interface Resolution {
  readonly type: Type;
  readonly overloadIds: readonly string[];
}

function isLogical(name: string): boolean {
  return name === "_&&_" || name === "_||_";
}

/** `&&` and `||` take any number of operands, and each one that is not a bool is reported separately. */
function resolveLogical(context: CheckContext, call: CallExpr, declaration: FunctionDecl): Resolution | undefined {
  const overload = declaration.overloads.find((candidate) => isCandidate(context, call, candidate));
  if (overload === undefined) return noMatch(context, call, declaration, argumentTypes(context, call));
  let agrees = true;
  for (const arg of call.args) {
    const type = context.typeOf(arg);
    if (context.unifier.isAssignable(type, BOOL)) continue;
    context.report(arg.id, typeMismatch(BOOL, type));
    agrees = false;
  }
  return agrees ? { type: BOOL, overloadIds: [overload.id] } : undefined;
}

function resolveOverloads(context: CheckContext, call: CallExpr, declaration: FunctionDecl): Resolution | undefined {
  const { unifier } = context;
  const args = argumentTypes(context, call);
  const overloadIds: string[] = [];
  let type: Type | undefined;
  for (const overload of declaration.overloads) {
    if (!isCandidate(context, call, overload)) continue;
    const signature = instantiate(overload, unifier);
    if (!unifier.areAssignable(args, signature.params)) continue;
    overloadIds.push(overload.id);
    const result = unifier.substitute(signature.result, false);
    if (type === undefined) type = result;
    else if (type.kind !== "dyn" && type.kind !== "any" && !isExactType(result, type, unifier)) type = DYN;
  }
  return type === undefined ? noMatch(context, call, declaration, args) : { type, overloadIds };
}

function isCandidate(context: CheckContext, call: CallExpr, overload: Overload): boolean {
  if (overload.member !== (call.target !== undefined)) return false;
  return !(context.hidesCrossTypeComparisons && CROSS_TYPE_COMPARISONS.has(overload.id));
}

function argumentTypes(context: CheckContext, { target, args }: CallExpr): readonly Type[] {
  const types = args.map((arg) => context.typeOf(arg));
  return target === undefined ? types : [context.typeOf(target), ...types];
}

function noMatch(context: CheckContext, call: CallExpr, declaration: FunctionDecl, args: readonly Type[]): undefined {
  const resolved = args.map((type) => context.unifier.substitute(type, true));
  context.report(call.id, noMatchingOverload(declaration.name, resolved, call.target !== undefined));
}

/** `a.?b`, which the parser writes as a call of two arguments, the second a string. */
function checkOptionalSelect(context: CheckContext, expr: CallExpr, descend: Descend): Expr {
  const [operand, field] = expr.args;
  if (expr.args.length !== 2 || expr.target !== undefined || operand === undefined || field === undefined) {
    const detail = incorrectOptionalSignature(expr.target !== undefined, expr.args.length);
    context.report(expr.id, unsupportedOptionalSelection(detail));
    return expr;
  }
  if (field.kind !== "literal" || typeof field.value !== "string") {
    context.report(field.id, unsupportedOptionalSelection(field.kind));
    return expr;
  }
  const checked = descend(operand);
  const type = checkSelection(context, { expr, operand, field: field.value, optional: true });
  context.setType(expr, context.unifier.substitute(type, false));
  context.referToOverloads(expr.id, SELECT_OPTIONAL_FIELD);
  return checked === operand ? expr : { ...expr, args: [checked, field] };
}

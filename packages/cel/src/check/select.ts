/** The type of a field selection, `a.b`, `has(a.b)` and `a.?b`, by the type of its operand. */
import type { Expr } from "../ast/expr.ts";
import { DYN, ERROR, isDyn, optionalOf, type Type } from "../types/type.ts";
import { optionalElement } from "./compare.ts";
import type { CheckContext } from "./context.ts";
import { noFieldSelection, undefinedField, unexpectedFailedResolution } from "./messages.ts";

export interface Selection {
  /** The node that problems are reported at. */
  readonly expr: Expr;
  /** Checked already. */
  readonly operand: Expr;
  readonly field: string;
  readonly optional: boolean;
}

/** A field of an optional is optional too. */
export function checkSelection(context: CheckContext, selection: Selection): Type {
  const operandType = context.knownTypeOf(selection.operand);
  const element = optionalElement(operandType);
  const fieldType = typeOfField(context, selection, element ?? operandType);
  return element !== undefined || selection.optional ? optionalOf(fieldType) : fieldType;
}

function typeOfField(context: CheckContext, { expr, field }: Selection, target: Type): Type {
  switch (target.kind) {
    case "map":
      return target.value;
    case "object":
      return findFieldType(context, expr.id, target.name, field) ?? ERROR;
    case "param":
      // Bound to dyn, so that a later use cannot bind it to a type without fields.
      context.unifier.isAssignable(DYN, target);
      return DYN;
    default:
      if (!isDyn(target)) context.report(expr.id, noFieldSelection(target));
      return DYN;
  }
}

/** The type of a message's field; issues are reported at a node. */
export function findFieldType(context: CheckContext, id: number, typeName: string, field: string): Type | undefined {
  const { provider } = context.scope.settings;
  const type = provider.findField(typeName, field);
  if (type !== undefined) return type;
  const known = provider.findType(typeName) !== undefined;
  context.report(id, known ? undefinedField(field) : unexpectedFailedResolution(typeName));
  return undefined;
}

/**
 * List, map and message literals.
 *
 * Mixed types make the element type dyn; environments that reject them use a validator.
 */

import type { Expr, ListExpr, MapEntry, MapExpr, StructExpr, StructField } from "../ast/expr.ts";
import type { VariableDecl } from "../types/decl.ts";
import { ERROR, listOf, mapOf, optionalOf, type Type } from "../types/type.ts";
import { optionalElement } from "./compare.ts";
import type { CheckContext, Descend } from "./context.ts";
import { mapUnchanged } from "./copy.ts";
import {
  declaredTypeName,
  fieldTypeMismatch,
  notAMessageType,
  notAType,
  typeMismatch,
  undeclaredReference,
} from "./messages.ts";
import { findFieldType } from "./select.ts";

export function checkList(context: CheckContext, expr: ListExpr, descend: Descend): Expr {
  const optional = new Set(expr.optionalIndices);
  let elementType: Type | undefined;
  const elements = mapUnchanged(expr.elements, (element, index) => {
    const checked = descend(element);
    const type = optional.has(index) ? unwrapOptional(context, element) : context.typeOf(element);
    elementType = context.join(elementType, type);
    return checked;
  });
  context.setType(expr, listOf(elementType ?? context.unifier.newVariable()));
  return elements === expr.elements ? expr : { ...expr, elements };
}

export function checkMap(context: CheckContext, expr: MapExpr, descend: Descend): Expr {
  let keyType: Type | undefined;
  let valueType: Type | undefined;
  const entries = mapUnchanged(expr.entries, (entry): MapEntry => {
    const key = descend(entry.key);
    keyType = context.join(keyType, context.typeOf(entry.key));
    const value = descend(entry.value);
    const type = entry.optional ? unwrapOptional(context, entry.value) : context.typeOf(entry.value);
    valueType = context.join(valueType, type);
    return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
  });
  keyType ??= context.unifier.newVariable();
  context.setType(expr, mapOf(keyType, valueType ?? context.unifier.newVariable()));
  return entries === expr.entries ? expr : { ...expr, entries };
}

/** The type that `?e` adds to the literal: e has to be an optional or dyn. */
function unwrapOptional(context: CheckContext, expr: Expr): Type {
  const type = context.typeOf(expr);
  const element = optionalElement(type);
  if (element !== undefined) return element;
  if (type.kind !== "dyn" && type.kind !== "any") context.report(expr.id, typeMismatch(optionalOf(type), type));
  return type;
}

export function checkStruct(context: CheckContext, expr: StructExpr, descend: Descend): Expr {
  const variable = findTypeName(context, expr.typeName);
  if (variable === undefined) {
    context.report(expr.id, undeclaredReference(expr.typeName, context.container));
    context.setType(expr, ERROR);
    return expr;
  }
  context.referToVariable(expr.id, { name: variable.name, type: variable.type });
  const message = messageType(context, expr, variable.type) ?? { type: ERROR, name: variable.name };
  context.setType(expr, message.type);
  const fields = mapUnchanged(expr.fields, (field) => checkField(context, message.name, field, descend));
  if (fields === expr.fields && variable.name === expr.typeName) return expr;
  return { ...expr, typeName: variable.name, fields };
}

/** Since 0.29 only types are looked for; before that a variable was found, and was not a type. */
function findTypeName(context: CheckContext, name: string): VariableDecl | undefined {
  const variable = context.findIdentifier(name);
  return context.scope.settings.celGo === "0.29" && variable?.type.kind !== "type" ? undefined : variable;
}

function messageType(
  context: CheckContext,
  expr: StructExpr,
  type: Type,
): { readonly type: Type; readonly name: string } | undefined {
  if (type.kind === "error") return undefined;
  if (type.kind !== "type") {
    context.report(expr.id, notAType(declaredTypeName(type)));
    return undefined;
  }
  const built = type.of ?? type;
  const name = built.kind === "object" ? built.name : wellKnownTypeName(built);
  if (name !== undefined) return { type: built, name };
  context.report(expr.id, notAMessageType(declaredTypeName(built)));
  return undefined;
}

function checkField(context: CheckContext, typeName: string, field: StructField, descend: Descend): StructField {
  const value = descend(field.value);
  const expected = findFieldType(context, field.id, typeName, field.name) ?? ERROR;
  const actual = field.optional ? unwrapOptional(context, field.value) : context.typeOf(field.value);
  if (!context.unifier.isAssignable(expected, actual)) {
    context.report(field.id, fieldTypeMismatch(field.name, expected, actual));
  }
  return value === field.value ? field : { ...field, value };
}

/** The protobuf message behind a type that the language treats as its own, where a literal may build it. */
function wellKnownTypeName(type: Type): string | undefined {
  switch (type.kind) {
    case "any":
      return "google.protobuf.Any";
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "duration":
      return "google.protobuf.Duration";
    case "dyn":
      return "google.protobuf.Value";
    case "null":
      return "google.protobuf.NullValue";
    case "list":
      return type.element.kind === "dyn" ? "google.protobuf.ListValue" : undefined;
    case "map":
      return type.key.kind === "string" && type.value.kind === "dyn" ? "google.protobuf.Struct" : undefined;
    case "wrapper":
      return WRAPPER_NAMES.get(type.of.kind);
    default:
      return undefined;
  }
}

const WRAPPER_NAMES: ReadonlyMap<string, string> = new Map([
  ["bool", "google.protobuf.BoolValue"],
  ["bytes", "google.protobuf.BytesValue"],
  ["double", "google.protobuf.DoubleValue"],
  ["int", "google.protobuf.Int64Value"],
  ["string", "google.protobuf.StringValue"],
  ["uint", "google.protobuf.UInt64Value"],
]);

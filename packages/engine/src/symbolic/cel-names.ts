/** Texts of expressions that are equal where the expressions are: loop variables have no names of their own. */
import { Bytes, Double, type Expr, Uint } from "@portcullis/cel";
import type { Place } from "./term.ts";

/** What identifiers stand for: data, or a label. */
export type NameScope = ReadonlyMap<string, { readonly place: Place | undefined; readonly label: string }>;

export function nameOf(expr: Expr, scope: NameScope, depth = 0): string {
  const place = placeOf(expr, scope);
  if (place !== undefined) return place.whole;
  const inner = (each: Expr): string => nameOf(each, scope, depth);
  switch (expr.kind) {
    case "literal":
      return constantName(expr.value);
    case "ident":
      return scope.get(expr.name)?.label ?? `?${expr.name}`;
    case "select":
      return `${expr.testOnly ? "has " : ""}(${inner(expr.operand)}).${expr.field}`;
    case "call":
      return `${expr.function}(${[...(expr.target === undefined ? [] : [expr.target]), ...expr.args].map(inner).join(", ")})`;
    case "list":
      return `[${expr.elements.map(inner).join(", ")}|${expr.optionalIndices.join()}]`;
    case "map":
      return `{${expr.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${inner(key)}: ${inner(value)}`).join(", ")}}`;
    case "struct":
      return `${expr.typeName}{${expr.fields.map(({ name, value }) => `${name}: ${inner(value)}`).join(", ")}}`;
    case "comprehension":
      return loopName(expr, scope, depth);
  }
}

function loopName(expr: Extract<Expr, { kind: "comprehension" }>, scope: NameScope, depth: number): string {
  const range = placeOf(expr.range, scope);
  const key = `$${depth}`;
  const element = range?.sort === "list" ? range.elementChild(key) : undefined;
  const label = `${key} of ${range?.whole ?? nameOf(expr.range, scope, depth)}`;
  const within = new Map(scope).set(expr.iterVar, { place: element, label });
  if (expr.iterVar2 !== undefined) within.set(expr.iterVar2, { place: undefined, label: `${label} second` });
  within.set(expr.accuVar, { place: undefined, label: `$${depth} result` });
  const parts = [expr.accuInit, expr.loopCondition, expr.loopStep, expr.result];
  const isDouble = expr.iterVar2 === undefined ? "" : " two";
  return `loop${isDouble} ${nameOf(expr.range, scope, depth)} {${parts.map((part) => nameOf(part, within, depth + 1)).join("; ")}}`;
}

/** The data that a chain of selections leads to, whether or not it is there. */
export function placeOf(expr: Expr, scope: NameScope): Place | undefined {
  if (expr.kind === "ident") return scope.get(expr.name)?.place;
  return expr.kind === "select" && !expr.testOnly ? placeOf(expr.operand, scope)?.child(expr.field) : undefined;
}

function constantName(value: Extract<Expr, { kind: "literal" }>["value"]): string {
  if (value instanceof Double) return `double ${value.value}`;
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Bytes) return `bytes ${value.data.join()}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

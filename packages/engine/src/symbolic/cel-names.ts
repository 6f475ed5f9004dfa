/** Canonical text of expressions, equal for equal expressions: loop variables are numbered, not named. */
import { Bytes, Double, type Expr, Uint } from "@portcullis/cel/internal";
import type { Place } from "./term.ts";

/** The meaning of identifiers: data, or a label. */
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
      return expr.testOnly ? presenceName(expr, scope, depth) : `(${inner(expr.operand)}).${expr.field}`;
    case "call":
      return (
        countName(expr, scope, depth) ??
        conjunctionName(expr, inner) ??
        `${expr.function}(${[...(expr.target === undefined ? [] : [expr.target]), ...expr.args].map(inner).join(", ")})`
      );
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

/** The number of elements that pass a filter depends on its condition only, not on the rest of the elements. */
function countName(expr: Extract<Expr, { kind: "call" }>, scope: NameScope, depth: number): string | undefined {
  const [loop] = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
  if (expr.function !== "size" || loop === undefined) return undefined;
  const place = placeOf(loop, scope);
  if (place?.sort === "list" || place?.sort === "map") return `size ${place.presence}`;
  if (loop.kind !== "comprehension" || loop.iterVar2 !== undefined) return undefined;
  const { loopStep, accuVar, accuInit, iterVar } = loop;
  const [condition, kept, left] = loopStep.kind === "call" && loopStep.function === "_?_:_" ? loopStep.args : [];
  const item =
    kept?.kind === "call" && kept.function === "_+_" && kept.args[1]?.kind === "list" ? kept.args[1] : undefined;
  const [only, second] = item?.elements ?? [];
  const isFilter = left?.kind === "ident" && left.name === accuVar && only?.kind === "ident" && only.name === iterVar;
  const isPlain = isFilter && second === undefined && accuInit.kind === "list" && accuInit.elements.length === 0;
  return isPlain && condition !== undefined
    ? `count ${loopName({ ...loop, loopStep: condition }, scope, depth)}`
    : undefined;
}

/** Parts that are always true, such as `has()` of a required field, make no difference. */
function conjunctionName(expr: Extract<Expr, { kind: "call" }>, inner: (each: Expr) => string): string | undefined {
  if (expr.function !== "_&&_") return undefined;
  const parts = expr.args.map(inner).filter((part) => part !== ALWAYS);
  return parts.length > 1 ? `_&&_(${parts.join(", ")})` : (parts[0] ?? ALWAYS);
}

const ALWAYS = "true";

function presenceName(expr: Extract<Expr, { kind: "select" }>, scope: NameScope, depth: number): string {
  const member = placeOf(expr.operand, scope)?.child(expr.field);
  if (member?.isAlways === true && isAlwaysThere(expr.operand, scope)) return ALWAYS;
  return member === undefined ? `has (${nameOf(expr.operand, scope, depth)}).${expr.field}` : `has ${member.presence}`;
}

/** Whether the data that holds a member always exists: otherwise even `has()` of a required member is an error. */
function isAlwaysThere(expr: Expr, scope: NameScope): boolean {
  if (expr.kind === "ident") return true;
  if (expr.kind !== "select" || expr.testOnly) return false;
  return placeOf(expr, scope)?.isAlways === true && isAlwaysThere(expr.operand, scope);
}

function loopName(expr: Extract<Expr, { kind: "comprehension" }>, scope: NameScope, depth: number): string {
  const range = placeOf(expr.range, scope);
  const key = `$${depth}`;
  const element = range?.sort === "list" ? range.elementChild(key) : undefined;
  // A loop reads the number of elements; what it reads of each element is named separately.
  const over = range === undefined ? nameOf(expr.range, scope, depth) : range.presence;
  const label = `${key} of ${over}`;
  const within = new Map(scope).set(expr.iterVar, { place: element, label });
  if (expr.iterVar2 !== undefined) within.set(expr.iterVar2, { place: undefined, label: `${label} second` });
  within.set(expr.accuVar, { place: undefined, label: `$${depth} result` });
  const parts = [expr.accuInit, expr.loopCondition, expr.loopStep, expr.result];
  const isDouble = expr.iterVar2 === undefined ? "" : " two";
  return `loop${isDouble} ${over} {${parts.map((part) => nameOf(part, within, depth + 1)).join("; ")}}`;
}

/** The data that a chain of selections leads to, whether or not it exists. */
function placeOf(expr: Expr, scope: NameScope): Place | undefined {
  if (expr.kind === "ident") return scope.get(expr.name)?.place;
  if (expr.kind === "select") return expr.testOnly ? undefined : placeOf(expr.operand, scope)?.child(expr.field);
  return expr.kind === "call" && expr.function === "_[_]" ? itemPlace(expr, scope) : undefined;
}

/** The item at a constant index. */
function itemPlace({ args: [list, index] }: Extract<Expr, { kind: "call" }>, scope: NameScope): Place | undefined {
  const range = list && placeOf(list, scope);
  const isIndex = index?.kind === "literal" && typeof index.value === "number";
  return range?.sort === "list" && isIndex ? range.elementChild(`${range.name}[${index.value}]`) : undefined;
}

function constantName(value: Extract<Expr, { kind: "literal" }>["value"]): string {
  if (value instanceof Double) return `double ${value.value}`;
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Bytes) return `bytes ${value.data.join()}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

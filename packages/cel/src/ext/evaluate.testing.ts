/**
 * A tree walker just good enough to try the libraries on expressions, without checker, planner or cost.
 * Operands decide which overload is called.
 */
import { quote } from "@portcullis/gostd/quote";
import { formatFloat } from "@portcullis/gostd/strconv";
import type { CallExpr, ComprehensionExpr, Expr } from "../ast/expr.ts";
import type { Library } from "../library.ts";
import { standardMacros } from "../parse/macros.ts";
import { macroTable, parseOptions } from "../parse/options.ts";
import { parse } from "../parse/parser.ts";
import { Source } from "../source.ts";
import { standardLibrary } from "../stdlib/standard.ts";
import type { FunctionDecl, Overload } from "../types/decl.ts";
import type { Type } from "../types/type.ts";
import { equalValues } from "../values/equal.ts";
import { ArrayList } from "../values/list.ts";
import { EntryMap } from "../values/map.ts";
import { noSuchKey } from "../values/messages.ts";
import { durationText, timestampText } from "../values/text.ts";
import { runtimeTypeName, typeNameOf, typeOfValue } from "../values/type-of.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "../values/value.ts";
import { listsLibrary } from "./lists.ts";
import { optionalsLibrary } from "./optionals.ts";
import { setsLibrary } from "./sets.ts";
import { stringsLibrary } from "./strings.ts";
import { twoVarLibrary } from "./two-var.ts";

const LIBRARIES: readonly Library[] = [
  standardLibrary("0.29"),
  stringsLibrary(2),
  listsLibrary(3),
  setsLibrary,
  optionalsLibrary(),
  twoVarLibrary,
];

const functions = new Map<string, Overload[]>();
for (const { name, overloads } of LIBRARIES.flatMap((library): readonly FunctionDecl[] => library.functions ?? [])) {
  functions.set(name, [...(functions.get(name) ?? []), ...overloads]);
}

const globals = new Map<string, Value>(
  (standardLibrary("0.29").variables ?? []).map(({ name, value }) => [name, value ?? null]),
);

const options = parseOptions({
  macros: macroTable([...standardMacros, ...LIBRARIES.flatMap(({ macros }) => macros ?? [])]),
  optionalSyntax: true,
});

type Scope = ReadonlyMap<string, Value>;

/** The value of an expression as text, in the form of cel-go's `types.Format`; an error as its message. */
export function evaluateToText(text: string, variables: Readonly<Record<string, Value>> = {}): string {
  return literal(evaluate(text, variables));
}

/** The value of an expression; syntax errors, macros' among them, throw. */
export function evaluate(text: string, variables: Readonly<Record<string, Value>> = {}): Value {
  const parsed = parse(new Source(text), options);
  if (!parsed.ok) throw new Error(parsed.issues.map(({ message }) => message).join("\n"));
  return valueOfExpr(parsed.ast.expr, new Map([...globals, ...Object.entries(variables)]));
}

function valueOfExpr(expr: Expr, scope: Scope): Value {
  switch (expr.kind) {
    case "literal":
      return expr.value;
    case "ident":
      return scope.get(expr.name) ?? (scope.has(expr.name) ? null : new CelError(`no such attribute: ${expr.name}`));
    case "select":
      return valueOfSelect(valueOfName(expr, scope) ?? valueOfExpr(expr.operand, scope), expr.field, expr.testOnly);
    case "call":
      return valueOfCall(expr, scope);
    case "list":
      return valueOfList(expr.elements, scope);
    case "map":
      return valueOfMap(expr.entries, scope);
    case "comprehension":
      return valueOfComprehension(expr, scope);
    default:
      throw new Error(`cannot evaluate ${expr.kind}`);
  }
}

function valueOfName(expr: Expr, scope: Scope): Value | undefined {
  const name = qualifiedName(expr);
  return name === undefined ? undefined : scope.get(name);
}

function valueOfSelect(operand: Value, field: string, testOnly: boolean): Value {
  if (operand instanceof CelError || !(operand instanceof MapValue)) return operand;
  const value = operand.get(field);
  return testOnly ? value !== undefined : (value ?? noSuchKey(field));
}

function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select") return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

function valueOfCall(expr: CallExpr, scope: Scope): Value {
  const prefix = expr.target === undefined ? undefined : qualifiedName(expr.target);
  const qualified = prefix === undefined ? undefined : `${prefix}.${expr.function}`;
  if (qualified !== undefined && functions.has(qualified)) return applyAll(qualified, expr.args, scope);
  const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
  return LAZY[expr.function]?.(operands, scope) ?? applyAll(expr.function, operands, scope);
}

type Lazy = (operands: readonly Expr[], scope: Scope) => Value | undefined;

const LAZY: Readonly<Record<string, Lazy>> = {
  "_&&_": (operands, scope) => junction(operands, scope, false),
  "_||_": (operands, scope) => junction(operands, scope, true),
  "_?_:_": ([test, yes, no], scope) => {
    const condition = at(test, scope);
    if (typeof condition !== "boolean")
      return condition instanceof CelError ? condition : new CelError("no such overload");
    return at(condition ? yes : no, scope);
  },
  "@not_strictly_false": ([operand], scope) => at(operand, scope) !== false,
  or: ([left, right], scope) => {
    const optional = at(left, scope);
    return optional instanceof OptionalValue && optional.value === undefined ? at(right, scope) : optional;
  },
  orValue: ([left, right], scope) => {
    const optional = at(left, scope);
    return optional instanceof OptionalValue ? (optional.value ?? at(right, scope)) : optional;
  },
};

function at(expr: Expr | undefined, scope: Scope): Value {
  return expr === undefined ? null : valueOfExpr(expr, scope);
}

function junction([left, right]: readonly Expr[], scope: Scope, absorbing: boolean): Value {
  const first = at(left, scope);
  if (first === absorbing) return absorbing;
  const second = at(right, scope);
  if (second === absorbing) return absorbing;
  return typeof first === "boolean" ? second : first;
}

function applyAll(name: string, operands: readonly Expr[], scope: Scope): Value {
  const values = operands.map((operand) => valueOfExpr(operand, scope));
  return values.find((value) => value instanceof CelError) ?? applyFunction(name, values);
}

/** Calls a function of the libraries, whichever overload the operands fit. */
function applyFunction(name: string, operands: readonly Value[]): Value {
  if (name === "_==_") return equalValues(operands[0] ?? null, operands[1] ?? null);
  const fits = ({ params }: Overload) =>
    params.length === operands.length && params.every((param, index) => isOfType(operands[index] ?? null, param));
  const overload = functions.get(name)?.find(fits);
  if (overload?.call !== undefined) return overload.call(...operands);
  return new CelError(`no such overload: ${name}(${operands.map(typeNameOf).join(", ")})`);
}

function isOfType(value: Value, type: Type): boolean {
  if (type.kind === "param" || type.kind === "dyn") return true;
  if (value instanceof OptionalValue) return type.kind === "opaque";
  return typeOfValue(value).kind === type.kind;
}

function valueOfList(elements: readonly Expr[], scope: Scope): Value {
  const values = elements.map((element) => valueOfExpr(element, scope));
  return values.find((value) => value instanceof CelError) ?? new ArrayList(values);
}

function valueOfMap(entries: readonly { key: Expr; value: Expr }[], scope: Scope): Value {
  const pairs = entries.map(({ key, value }) => [valueOfExpr(key, scope), valueOfExpr(value, scope)] as const);
  return pairs.flat().find((value) => value instanceof CelError) ?? EntryMap.of(pairs);
}

function valueOfComprehension(expr: ComprehensionExpr, scope: Scope): Value {
  const range = valueOfExpr(expr.range, scope);
  const isMap = range instanceof MapValue;
  if (!isMap && !(range instanceof ListValue))
    return range instanceof CelError ? range : new CelError("no such overload");
  let accumulator = valueOfExpr(expr.accuInit, scope);
  const keys = isMap ? range.keys() : Array.from({ length: range.size }, (_, index) => index);
  for (const key of keys) {
    const second = isMap ? (range.get(key) ?? null) : range.at(Number(key));
    const first = expr.iterVar2 === undefined && !isMap ? second : key;
    const inner = new Map([
      ...scope,
      [expr.iterVar, first],
      [expr.iterVar2 ?? "", second],
      [expr.accuVar, accumulator],
    ]);
    if (valueOfExpr(expr.loopCondition, inner) === false) break;
    accumulator = valueOfExpr(expr.loopStep, inner);
  }
  return valueOfExpr(expr.result, new Map([...scope, [expr.accuVar, accumulator]]));
}

function literal(value: Value): string {
  if (value instanceof CelError) return value.message;
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return doubleLiteral(value.value);
  if (value instanceof Bytes)
    return `b"${Array.from(value.data, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;
  if (value instanceof Timestamp) return `timestamp("${timestampText(new Timestamp(value.seconds, value.nanos))}")`;
  if (value instanceof Duration) return `duration("${durationText(value)}")`;
  if (value instanceof TypeValue) return runtimeTypeName(value.type);
  if (value instanceof OptionalValue)
    return value.value === undefined ? "optional.none()" : `optional.of(${literal(value.value)})`;
  if (value instanceof ListValue)
    return `[${Array.from({ length: value.size }, (_, index) => literal(value.at(index))).join(", ")}]`;
  if (!(value instanceof MapValue)) return value.type.kind;
  return `{${value
    .keys()
    .map((key) => `${literal(key)}: ${literal(value.get(key) ?? null)}`)
    .toSorted()
    .join(", ")}}`;
}

function doubleLiteral(value: number): string {
  if (Number.isNaN(value)) return 'double("NaN")';
  if (!Number.isFinite(value)) return value < 0 ? 'double("-Infinity")' : 'double("Infinity")';
  const text = formatFloat(value, "f", -1, 64);
  return text.includes(".") ? text : `${text}.0`;
}

/**
 * The parts of an expression with their values. They explain the value of the whole expression.
 *
 * Each part is compiled and run separately, with the variables of the whole expression. The body of a macro is shown
 * for the first few elements. A part that decided nothing (`b` of `a && b` where `a` is false) is marked.
 */
import {
  children,
  DYN,
  type Environment,
  type Expr,
  isError,
  ListValue,
  MapValue,
  OpaqueValue,
  type SourceInfo,
  unparse,
  type Value,
} from "@portcullis/cel/internal";
import { PER_CALL_LIMIT } from "@portcullis/engine/kubecel";
import { showValue } from "./show.ts";

export interface CelPart {
  readonly depth: number;
  /** As it would be written; `x = 1` for an element of a macro. */
  readonly text: string;
  readonly value: string;
  readonly isError: boolean;
  /** False if an operand before it already decided the result. */
  readonly isNeeded: boolean;
}

/** A function answers undefined for what is not bound. */
type Variables = Readonly<Record<string, Value>> | ((name: string) => unknown);

/** Longer lists are cut. */
const MAX_PARTS = 80;
const MAX_ELEMENTS = 6;

/** The parts of the whole expression, parents first; empty if no part explains anything. */
export function celParts(expression: string, environment: Environment, variables: Variables): readonly CelPart[] {
  const parsed = environment.parse(expression);
  if (!parsed.ok) return [];
  const parts: CelPart[] = [];
  const setting = { environment, variables, info: parsed.ast.info, parts };
  explainInner(parsed.ast.expr, { depth: 0, isNeeded: true }, setting);
  return parts;
}

interface Setting {
  readonly environment: Environment;
  readonly variables: Variables;
  readonly info: SourceInfo;
  readonly parts: CelPart[];
}

interface Place {
  readonly depth: number;
  readonly isNeeded: boolean;
}

function explain(expr: Expr, place: Place, setting: Setting): Value | undefined {
  if (expr.kind === "literal") return expr.value;
  if (setting.parts.length >= MAX_PARTS) return undefined;
  const text = unparse(expr, setting.info).replaceAll(/\s*\n\s*/g, " ");
  const value = evaluate(text, setting);
  // The value of a variable is shown only once.
  if (isPath(expr) && setting.parts.some((part) => part.text === text)) return value;
  // A name such as `math` in `math.greatest(1, 2)` has no value of its own.
  if (value === undefined) return undefined;
  // A quantity or an address cannot be printed, but the values it was made from can.
  const isShown = !(value instanceof OpaqueValue);
  if (isShown) setting.parts.push({ ...place, text, value: showValue(value), isError: isError(value) });
  explainInner(expr, { ...place, depth: place.depth + (isShown ? 1 : 0) }, setting);
  return value;
}

function evaluate(text: string, { environment, variables }: Setting): Value | undefined {
  const compiled = environment.compile(text);
  if (!compiled.ok) return undefined;
  const planned = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
  return planned.ok ? planned.program.evaluate(variables).value : undefined;
}

function explainInner(expr: Expr, place: Place, setting: Setting): void {
  const macro = setting.info.macroCalls.get(expr.id);
  if (macro !== undefined) {
    explainMacro(macro, place, setting);
  } else if (expr.kind === "call" && (expr.function === "_&&_" || expr.function === "_||_")) {
    explainChain(operands(expr, expr.function), expr.function === "_||_", place, setting);
  } else if (expr.kind === "call" && expr.function === "_?_:_") {
    const [condition, ...branches] = expr.args;
    const chosen = condition && explain(condition, place, setting);
    for (const [index, branch] of branches.entries()) {
      explain(branch, { ...place, isNeeded: place.isNeeded && chosen === (index === 0) }, setting);
    }
  } else if (expr.kind !== "select" || !isPath(expr.operand)) {
    for (const child of children(expr)) explain(child, place, setting);
  }
}

/** `a && b && c` is one list of three, however it is grouped. */
function operands(expr: Expr, operator: string): readonly Expr[] {
  if (expr.kind !== "call" || expr.function !== operator) return [expr];
  return expr.args.flatMap((each) => operands(each, operator));
}

function explainChain(all: readonly Expr[], decides: boolean, place: Place, setting: Setting): void {
  let { isNeeded } = place;
  for (const each of all) {
    const value = explain(each, { ...place, isNeeded }, setting);
    if (value === decides) isNeeded = false;
  }
}

/** `a.b.c`: its prefixes add no information. */
function isPath(expr: Expr): boolean {
  return expr.kind === "ident" || (expr.kind === "select" && isPath(expr.operand));
}

const LOOPS = ["all", "exists", "exists_one", "map", "filter"];

function explainMacro(call: Expr & { readonly kind: "call" }, place: Place, setting: Setting): void {
  const [variable, body] = call.args;
  if (call.target === undefined || !LOOPS.includes(call.function) || call.args.length !== 2) return;
  if (variable?.kind !== "ident" || body === undefined) return;
  const over = explain(call.target, place, setting);
  const elements = elementsOf(over);
  const text = unparse(body, setting.info);
  // `all` ends with the first element that is false; its parts say why.
  let isOpen = call.function === "all";
  for (const element of elements.slice(0, MAX_ELEMENTS)) {
    const inner = {
      ...setting,
      environment: setting.environment.extend({ variables: { [variable.name]: DYN } }),
      variables: withVariable(setting.variables, variable.name, element),
    };
    const value = evaluate(text, inner);
    if (value === undefined) return;
    const shown = `${variable.name} = ${showValue(element)}`;
    setting.parts.push({ ...place, text: shown, value: showValue(value), isError: isError(value) });
    if (isOpen && value === false && body.kind === "call")
      explainInner(body, { ...place, depth: place.depth + 1 }, inner);
    if (value === false) isOpen = false;
  }
  if (elements.length > MAX_ELEMENTS) {
    const more = `and ${elements.length - MAX_ELEMENTS} more`;
    setting.parts.push({ ...place, text: more, value: "", isError: false });
  }
}

function withVariable(variables: Variables, name: string, value: Value): Variables {
  if (typeof variables !== "function") return { ...variables, [name]: value };
  return (each) => (each === name ? value : variables(each));
}

/** Macros run over the items of a list and the keys of a map. */
function elementsOf(value: Value | undefined): readonly Value[] {
  if (value instanceof ListValue) return Array.from({ length: value.size }, (_, index) => value.at(index));
  return value instanceof MapValue ? value.iterated() : [];
}

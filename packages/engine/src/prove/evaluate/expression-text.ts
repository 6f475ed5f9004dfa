/** Expressions as text that identifies them, with macros expanded to loops. */
import { displayText, type Expr } from "@portcullis/cel/internal";

const known = new WeakMap<Expr, string>();

export function bodyText(expr: Expr): string {
  const made = known.get(expr) ?? textOf(expr);
  known.set(expr, made);
  return made;
}

function textOf(expr: Expr): string {
  switch (expr.kind) {
    case "literal":
      return typeof expr.value === "string"
        ? JSON.stringify(expr.value)
        : `${typeof expr.value}${displayText(expr.value)}`;
    case "ident":
      return expr.name;
    case "select":
      return `${expr.testOnly ? "has " : ""}${textOf(expr.operand)}.${expr.field}`;
    case "call":
      return `${expr.target === undefined ? "" : `${textOf(expr.target)}.`}${expr.function}(${expr.args.map(textOf).join(", ")})`;
    case "list":
      return `[${expr.elements.map(textOf).join(", ")}|${expr.optionalIndices.join()}]`;
    case "map":
      return `{${expr.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${textOf(key)}: ${textOf(value)}`).join(", ")}}`;
    case "struct":
      return `${expr.typeName}{${expr.fields.map(({ name, value }) => `${name}: ${textOf(value)}`).join(", ")}}`;
    default: {
      const { iterVar, iterVar2, accuVar, range, accuInit, loopCondition, loopStep, result } = expr;
      const parts = [range, accuInit, loopCondition, loopStep, result].map(textOf);
      return `loop(${[iterVar, iterVar2 ?? "", accuVar, ...parts].join("; ")})`;
    }
  }
}

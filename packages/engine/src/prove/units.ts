/** Identifies what policies define for themselves, by its content, so that two sides can share results. */
import { type Expr, walk } from "@portcullis/cel/internal";
import type { CompiledPolicy } from "../policy/compile.ts";
import { Float64, type JsonObject } from "../value/json.ts";
import { bodyText } from "./evaluate/expression-text.ts";

interface Own {
  /** The definitions of the variables that it reads, directly or through others. */
  readonly definitions: string;
  readonly readsParams: boolean;
}

const known = new WeakMap<Expr, Own>();

/** The variables and the param that a part of an expression reads; "" if it reads none. */
export function unitOf(part: Expr, policy: CompiledPolicy, paramKey: string): string {
  const own = known.get(part) ?? readOwn(part, policy);
  known.set(part, own);
  return `${own.definitions}${own.readsParams ? ` ${paramKey}` : ""}`;
}

function readOwn(part: Expr, { variables }: CompiledPolicy): Own {
  const definitions = new Map<string, string>();
  let readsParams = false;
  const visit = (root: Expr): void =>
    walk(root, (expr) => {
      if (expr.kind === "ident" && expr.name === "params") readsParams = true;
      if (expr.kind !== "select" || expr.operand.kind !== "ident" || expr.operand.name !== "variables") return;
      if (definitions.has(expr.field)) return;
      const definition = variables.get(expr.field)?.ast?.checked.expr;
      definitions.set(expr.field, definition === undefined ? "" : bodyText(definition));
      if (definition !== undefined) visit(definition);
    });
  visit(part);
  const texts = [...definitions].sort(([left], [right]) => (left < right ? -1 : 1));
  return { definitions: texts.map(([name, text]) => ` ${name}=${text}`).join(""), readsParams };
}

const contents = new Map<string, string>();
const keys = new WeakMap<JsonObject, string>();

/** A short text, equal for equal objects. */
export function contentKey(object: JsonObject): string {
  const before = keys.get(object);
  if (before !== undefined) return before;
  const content = JSON.stringify(object, (_, value: unknown) => {
    if (typeof value === "bigint") return `\0int ${value}`;
    return value instanceof Float64 ? `\0double ${value.value}` : value;
  });
  const key = contents.get(content) ?? `param ${contents.size}`;
  contents.set(content, key);
  keys.set(object, key);
  return key;
}

/**
 * Expressions scoped to a field path, `spec.containers[*].image`, with `self` for what stands there.
 *
 * Every list on the way is gone through with `all`, every optional step is guarded with `has`: where the path leads
 * nowhere there is nothing to complain about, as with validation rules in a schema. `oldSelf` needs a path without
 * lists, and then the rule only applies where both values are there.
 */
import type { Expr } from "@portcullis/cel/internal";
import { call, ident, select, textOfExpr } from "./expression.ts";

/** Field names; `*` stands for all elements of the list before it. */
export type ScopePath = readonly string[];

/** Undefined if the text is not a path. */
export function parseScope(scope: string): ScopePath | undefined {
  if (!/^[A-Za-z_]\w*(\[\*\])*(\.[A-Za-z_]\w*(\[\*\])*)*$/.test(scope)) return undefined;
  return scope.replaceAll("[*]", ".*").split(".");
}

/** A type of the OpenAPI definitions rather than a path. */
export function isTypeName(scope: string): boolean {
  return /^io\.k8s\.|^[a-z0-9]+(\.[a-z0-9]+){2,}\.[A-Z]\w*$/.test(scope);
}

/** The expression about the whole object. `body` gets what `self` and, where it can be had, `oldSelf` stand for. */
export function scopedExpression(path: ScopePath, body: (self: Expr, oldSelf: Expr) => Expr, usesOld: boolean): string {
  const old = select(ident("oldObject"), ...path);
  const check = descend(ident("object"), path, 0, (self) => body(self, old));
  if (!usesOld) return textOfExpr(check);
  return textOfExpr(or(call("_==_", [ident("oldObject"), NULL]), ...absent(ident("oldObject"), path), check));
}

const NULL: Expr = { kind: "literal", id: 0, value: null };

function descend(at: Expr, path: ScopePath, depth: number, body: (self: Expr) => Expr): Expr {
  const [step, ...rest] = path;
  if (step === undefined) return body(at);
  if (step === "*") {
    const name = `e${depth}`;
    return call("all", [ident(name), descend(ident(name), rest, depth + 1, body)], at);
  }
  const next = select(at, step);
  return or(not(call("has", [next])), descend(next, rest, depth, body));
}

/** One test for each step of a path that may be missing. */
function absent(root: Expr, path: ScopePath): Expr[] {
  return path.map((_, index) => not(call("has", [select(root, ...path.slice(0, index + 1))])));
}

function not(expr: Expr): Expr {
  return call("!_", [expr]);
}

function or(...[first, ...rest]: readonly Expr[]): Expr {
  if (first === undefined) throw new Error("nothing to join");
  return rest.length === 0 ? first : call("_||_", [first, or(...rest)]);
}

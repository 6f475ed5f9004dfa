/** Which fields a rule reads, as paths below `self`: escaped names, `*` for items and keys. */
import { children, type Expr } from "@portcullis/cel/internal";

export interface Reads {
  readonly paths: readonly (readonly string[])[];
  /** Paths of which only the presence or the number of members is read. */
  readonly shallow: readonly (readonly string[])[];
  readonly usesOldSelf: boolean;
}

export type Scope = ReadonlyMap<string, readonly string[] | undefined>;

const RULE_SCOPE: Scope = new Map([
  ["self", []],
  ["oldSelf", []],
]);

export function readsOf(expr: Expr, scope: Scope = RULE_SCOPE): Reads {
  const paths: (readonly string[])[] = [];
  const shallow: (readonly string[])[] = [];
  let usesOldSelf = false;
  const visit = (at: Expr, names: Scope, isShallow = false): void => {
    if (at.kind === "ident" && at.name === "oldSelf") usesOldSelf = true;
    const path = pathOf(at, names);
    if (path !== undefined) {
      (isShallow || (at.kind === "select" && at.testOnly) ? shallow : paths).push(path);
      if (rootName(at) === "oldSelf") usesOldSelf = true;
      for (const key of keysOf(at)) visit(key, names);
      return;
    }
    if (at.kind === "comprehension") {
      visit(at.range, names, true);
      const range = pathOf(at.range, names);
      const inner = new Map(names);
      const element = range && [...range, "*"];
      inner.set(at.iterVar, element);
      if (at.iterVar2 !== undefined) inner.set(at.iterVar2, element);
      inner.set(at.accuVar, undefined);
      // Counting the result of a filter reads its condition, not the items.
      const counted = isShallow ? filterCondition(at) : undefined;
      const parts = counted === undefined ? [at.accuInit, at.loopCondition, at.loopStep, at.result] : [counted];
      for (const part of parts) visit(part, inner);
      return;
    }
    const isSize = at.kind === "call" && at.function === "size";
    for (const child of children(at)) visit(child, names, isSize);
  };
  visit(expr, scope);
  return { paths, shallow, usesOldSelf };
}

/** The condition in the expansion of `filter`. */
function filterCondition({ accuVar, iterVar, loopStep }: Comprehension): Expr | undefined {
  if (loopStep.kind !== "call" || loopStep.function !== "_?_:_") return undefined;
  const [condition, taken, left] = loopStep.args;
  const isLeft = left?.kind === "ident" && left.name === accuVar;
  const item = taken?.kind === "call" && taken.function === "_+_" ? taken.args[1] : undefined;
  const [only] = item?.kind === "list" ? item.elements : [];
  return isLeft && only?.kind === "ident" && only.name === iterVar ? condition : undefined;
}

type Comprehension = Extract<Expr, { kind: "comprehension" }>;

/** The path that an expression selects; undefined if it is not a plain selection. */
function pathOf(expr: Expr, names: Scope): readonly string[] | undefined {
  if (expr.kind === "ident") return names.get(expr.name);
  if (expr.kind === "select") {
    const outer = pathOf(expr.operand, names);
    return outer && [...outer, expr.field];
  }
  if (expr.kind === "call" && (expr.function === "_[_]" || expr.function === "_[?_]") && expr.args[0] !== undefined) {
    const outer = pathOf(expr.args[0], names);
    return outer && [...outer, "*"];
  }
  if (expr.kind === "call" && expr.function === "_?._" && expr.args[0] !== undefined) {
    const outer = pathOf(expr.args[0], names);
    const field = expr.args[1];
    return outer && field?.kind === "literal" && typeof field.value === "string" ? [...outer, field.value] : outer;
  }
  return undefined;
}

function rootName(expr: Expr): string {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind === "select") return rootName(expr.operand);
  return expr.kind === "call" && expr.args[0] !== undefined ? rootName(expr.args[0]) : "";
}

/** Index expressions inside a selection read fields too. */
function keysOf(expr: Expr): readonly Expr[] {
  if (expr.kind === "select") return keysOf(expr.operand);
  if (expr.kind !== "call" || expr.args[0] === undefined) return [];
  return [...keysOf(expr.args[0]), ...expr.args.slice(1)];
}

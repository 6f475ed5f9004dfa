/**
 * Parts of a rule whose truth is known for every old object: fields that no old object has or that all have, values that
 * the old schema does not allow, and new fields that nothing but their default can have filled in.
 */
import type { Constant, Expr } from "@portcullis/cel/internal";
import { escapeName } from "../../kubecel/escaping.ts";
import type { Structural } from "../../schema/structural.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonValue } from "../../value/json.ts";
import { isPresenceStable } from "../effects.ts";
import type { LocalCheck } from "../local-check.ts";
import type { NodePair } from "../pairs.ts";
import { RULE_SCOPE, type Scope } from "./rule-reads.ts";

export interface Folding {
  /** Escaped paths that old objects never have. */
  readonly absent: readonly (readonly string[])[];
  /** New fields with a default: the new schema finds it in every old object that has what holds them. */
  readonly filled: readonly { readonly path: readonly string[]; readonly value: JsonValue }[];
  readonly pair: NodePair;
  readonly check: LocalCheck;
}

export function foldingOf(pair: NodePair, check: LocalCheck): Folding {
  const absent: string[][] = [];
  const filled: { path: string[]; value: JsonValue }[] = [];
  const collect = (at: NodePair, path: readonly string[]): void => {
    for (const name of at.added) {
      const value = at.new.properties.get(name)?.default;
      if (value === undefined) absent.push([...path, escaped(name)]);
      else filled.push({ path: [...path, escaped(name)], value });
    }
    for (const child of at.children) {
      const step = child.path.at(-1);
      collect(child, [...path, step?.kind === "property" ? escaped(step.name) : "*"]);
    }
  };
  collect(pair, []);
  return { absent, filled, pair, check };
}

function escaped(name: string): string {
  return escapeName(name) ?? name;
}

/** Undefined where it depends on the object. */
export function fold(expr: Expr, folding: Folding, scope: Scope = RULE_SCOPE): boolean | undefined {
  if (expr.kind === "literal") return typeof expr.value === "boolean" ? expr.value : undefined;
  if (expr.kind === "select" && expr.testOnly) return foldPresence(steadyPath(expr, scope), folding);
  if (expr.kind === "comprehension") return foldLoop(expr, folding, scope);
  if (expr.kind !== "call") return undefined;
  const [first, second, third] = expr.args;
  const of = (each: Expr | undefined): boolean | undefined =>
    each === undefined ? undefined : fold(each, folding, scope);
  switch (expr.function) {
    case "!_":
      return negated(of(first));
    case "_&&_":
      return either(of(first), of(second), false);
    case "_||_":
      return either(of(first), of(second), true);
    case "_?_:_": {
      const condition = of(first);
      return condition === undefined ? undefined : of(condition ? second : third);
    }
    case "_==_":
      return foldEqual(first, second, folding, scope);
    case "_!=_":
      return negated(foldEqual(first, second, folding, scope));
    case "@in":
      return foldIn(first, second, folding, scope);
    default:
      return undefined;
  }
}

/** A chain of selections from `self` or the items of a loop. An index may lead nowhere, which is an error: not judged. */
function steadyPath(expr: Expr, scope: Scope): readonly string[] | undefined {
  if (expr.kind === "ident") return scope.get(expr.name);
  const outer = expr.kind === "select" ? steadyPath(expr.operand, scope) : undefined;
  return outer && expr.kind === "select" ? [...outer, expr.field] : undefined;
}

/** Whether `has()` of something is false, or an error where what holds it is missing; never true. */
export function isNeverThere(expr: Expr, folding: Folding, scope: Scope = RULE_SCOPE): boolean {
  const path = expr.kind === "select" && expr.testOnly ? steadyPath(expr, scope) : undefined;
  return path !== undefined && folding.absent.some((gone) => isBelow(gone, path));
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function either(left: boolean | undefined, right: boolean | undefined, deciding: boolean): boolean | undefined {
  if (left === deciding || right === deciding) return deciding;
  return left === undefined || right === undefined ? undefined : !deciding;
}

function foldPresence(path: readonly string[] | undefined, folding: Folding): boolean | undefined {
  if (path === undefined) return undefined;
  const gone = folding.absent.find((each) => isBelow(each, path));
  // Asking for a field of something that is missing is an error, not false.
  if (gone !== undefined) return gone.length === path.length && placeOf(path.slice(0, -1), folding) ? false : undefined;
  return placeOf(path, folding) === undefined && filledValue(path, folding) === undefined ? undefined : true;
}

function isBelow(above: readonly string[], path: readonly string[]): boolean {
  return above.length <= path.length && above.every((step, index) => step === path[index]);
}

/** `all` and `exists` over what is always there: whatever its items are, the body is known. */
function foldLoop(expr: Extract<Expr, { kind: "comprehension" }>, folding: Folding, scope: Scope): boolean | undefined {
  const range = steadyPath(expr.range, scope);
  const { loopStep, accuInit } = expr;
  if (range === undefined || loopStep.kind !== "call" || placeOf(range, folding) === undefined) return undefined;
  const body = loopStep.args[1];
  if (body === undefined || accuInit.kind !== "literal") return undefined;
  const inner = new Map(scope).set(expr.iterVar, [...range, "*"]);
  const known = fold(body, folding, inner);
  if (accuInit.value === true && loopStep.function === "_&&_") return known === true ? true : undefined;
  return accuInit.value === false && loopStep.function === "_||_" && known === false ? false : undefined;
}

/** Two parts that are known, a default, or a field that is always there and cannot have the value. */
function foldEqual(
  left: Expr | undefined,
  right: Expr | undefined,
  folding: Folding,
  scope: Scope,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  const [one, other] = [fold(left, folding, scope), fold(right, folding, scope)];
  if (one !== undefined && other !== undefined) return one === other;
  if (left.kind === "literal" && right.kind !== "literal") return foldEqual(right, left, folding, scope);
  const wanted = right.kind === "literal" ? plain(right.value) : undefined;
  const path = steadyPath(left, scope);
  if (wanted === undefined || path === undefined) return undefined;
  const value = filledValue(path, folding);
  if (value !== undefined) return deepEqual(value, wanted);
  const schema = placeOf(path, folding);
  return schema !== undefined && !allows(schema, wanted, folding) ? false : undefined;
}

/** A value among items that cannot have it; a default among constants. */
function foldIn(left: Expr | undefined, right: Expr | undefined, folding: Folding, scope: Scope): boolean | undefined {
  if (left?.kind === "literal" && right !== undefined) {
    const wanted = plain(left.value);
    const path = steadyPath(right, scope);
    const items = path && placeOf(path, folding)?.items;
    return wanted !== undefined && items !== undefined && !allows(items, wanted, folding) ? false : undefined;
  }
  const path = left && steadyPath(left, scope);
  if (path === undefined || right?.kind !== "list") return undefined;
  const listed = right.elements.map((each) => (each.kind === "literal" ? plain(each.value) : undefined));
  if (listed.includes(undefined)) return undefined;
  const isListed = (value: JsonValue): boolean => listed.some((each) => each !== undefined && deepEqual(each, value));
  const value = filledValue(path, folding);
  if (value !== undefined) return isListed(value);
  const schema = placeOf(path, folding);
  const options = schema !== undefined && !schema.nullable && schema.type === "string" ? schema.enum : undefined;
  if (options === undefined || options.length === 0) return undefined;
  if (options.every(isListed)) return true;
  return options.some(isListed) ? undefined : false;
}

/** Texts and booleans: numbers have two kinds, which rules do not tell apart. */
function plain(value: Constant): JsonValue | undefined {
  return typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

/** Whether an old object can have the value there. A null reads as something else, so such places are not judged. */
function allows(schema: Structural, value: JsonValue, { check }: Folding): boolean {
  return schema.nullable || schema.type !== (typeof value === "string" ? "string" : "boolean")
    ? true
    : check.accepts(schema, value);
}

function filledValue(path: readonly string[], folding: Folding): JsonValue | undefined {
  // What holds the field must be there for the default to come.
  const found = folding.filled.find((each) => each.path.length === path.length && isBelow(each.path, path));
  const holders = path.slice(0, -1);
  return found !== undefined && placeOf(holders, folding) !== undefined ? found.value : undefined;
}

/** The old schema of a place that every old object has, and still has for the new schema; undefined elsewhere. */
function placeOf(path: readonly string[], { pair }: Folding): Structural | undefined {
  let at: Structural | undefined = pair.old;
  let beside: NodePair | undefined = pair;
  for (const step of path) {
    if (at === undefined) return undefined;
    if (step === "*") {
      // A loop over a map runs over its keys.
      at = at.items;
      beside = beside?.children.find((child) => child.path.at(-1)?.kind === "item");
      continue;
    }
    const name = [...at.properties.keys()].find((each) => escaped(each) === step);
    const property = name === undefined ? undefined : at.properties.get(name);
    if (name === undefined || property === undefined || property.nullable || !at.required.includes(name))
      return undefined;
    if (beside !== undefined && !isPresenceStable(beside, name)) return undefined;
    beside = beside?.children.find((child) => {
      const last = child.path.at(-1);
      return last?.kind === "property" && last.name === name;
    });
    at = property;
  }
  return at;
}

export function isAlwaysThere(path: readonly string[], folding: Folding): boolean {
  return placeOf(path, folding) !== undefined;
}

/** The old schema of a place, whether or not every object has it. */
export function schemaOf(path: readonly string[], { pair }: Folding): Structural | undefined {
  let at: Structural | undefined = pair.old;
  for (const step of path) {
    if (step === "*") at = at?.items;
    else at = [...(at?.properties ?? [])].find(([name]) => escaped(name) === step)?.[1];
  }
  return at;
}

/** Whether every object has what the expression selects. */
export function isThere(expr: Expr, folding: Folding, scope: Scope): boolean {
  const path = steadyPath(expr, scope);
  return path !== undefined && isAlwaysThere(path, folding);
}

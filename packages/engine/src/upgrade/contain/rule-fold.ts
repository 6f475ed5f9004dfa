/**
 * Parts of a rule whose truth is known for every old object: fields that no old object has, and texts that the old enum
 * does not list.
 */
import type { Expr } from "@portcullis/cel";
import { escapeName } from "../../kubecel/escaping.ts";
import type { Structural } from "../../schema/structural.ts";
import type { NodePair } from "../pairs.ts";
import { pathOf } from "./rule-reads.ts";

type Scope = ReadonlyMap<string, readonly string[] | undefined>;

export interface Folding {
  /** Escaped paths that old objects never have. */
  readonly absent: readonly (readonly string[])[];
  readonly old: Structural;
}

export function foldingOf(pair: NodePair): Folding {
  const absent: string[][] = [];
  collect(pair, [], absent);
  return { absent, old: pair.old };
}

function collect(pair: NodePair, path: readonly string[], absent: string[][]): void {
  for (const name of pair.added) {
    if (pair.new.properties.get(name)?.default === undefined) absent.push([...path, escapeName(name) ?? name]);
  }
  for (const child of pair.children) {
    const step = child.path.at(-1);
    collect(child, [...path, step?.kind === "property" ? (escapeName(step.name) ?? step.name) : "*"], absent);
  }
}

const ROOT: Scope = new Map([["self", []]]);

/** Undefined where it depends on the object. */
export function fold(expr: Expr, folding: Folding, scope: Scope = ROOT): boolean | undefined {
  if (expr.kind === "literal") return typeof expr.value === "boolean" ? expr.value : undefined;
  if (expr.kind === "select" && expr.testOnly) return isAbsent(pathOf(expr, scope), folding) ? false : undefined;
  if (expr.kind === "comprehension") return foldLoop(expr, folding, scope);
  if (expr.kind !== "call") return undefined;
  const [first, second, third] = expr.args;
  const of = (each: Expr | undefined): boolean | undefined =>
    each === undefined ? undefined : fold(each, folding, scope);
  switch (expr.function) {
    case "!_": {
      const part = of(first);
      return part === undefined ? undefined : !part;
    }
    case "_&&_":
      return either(of(first), of(second), false);
    case "_||_":
      return either(of(first), of(second), true);
    case "_?_:_": {
      const condition = of(first);
      return condition === undefined ? undefined : of(condition ? second : third);
    }
    case "_==_":
      return isNeverEqual(first, second, folding, scope) ? false : undefined;
    case "_!=_":
      return isNeverEqual(first, second, folding, scope) ? true : undefined;
    default:
      return undefined;
  }
}

function either(left: boolean | undefined, right: boolean | undefined, deciding: boolean): boolean | undefined {
  if (left === deciding || right === deciding) return deciding;
  return left === undefined || right === undefined ? undefined : !deciding;
}

/** `all` and `exists` over the value itself: whatever its items are, the body is known. */
function foldLoop(expr: Extract<Expr, { kind: "comprehension" }>, folding: Folding, scope: Scope): boolean | undefined {
  const range = pathOf(expr.range, scope);
  const { loopStep, accuInit } = expr;
  if (range === undefined || range.some((step) => step !== "*") || loopStep.kind !== "call") return undefined;
  const body = loopStep.args[1];
  if (body === undefined || accuInit.kind !== "literal") return undefined;
  const inner = new Map(scope).set(expr.iterVar, [...range, "*"]);
  const known = fold(body, folding, inner);
  if (accuInit.value === true && loopStep.function === "_&&_") return known === true ? true : undefined;
  return accuInit.value === false && loopStep.function === "_||_" && known === false ? false : undefined;
}

function isAbsent(path: readonly string[] | undefined, { absent }: Folding): boolean {
  if (path === undefined) return false;
  return absent.some((gone) => gone.length <= path.length && gone.every((step, index) => step === path[index]));
}

/** A field that is always there, with an enum that does not list the text. */
function isNeverEqual(left: Expr | undefined, right: Expr | undefined, { old }: Folding, scope: Scope): boolean {
  if (left === undefined || right?.kind !== "literal" || typeof right.value !== "string") return false;
  const path = pathOf(left, scope);
  let at: Structural | undefined = old;
  for (const step of path ?? ["?"]) at = at && alwaysThere(at, step);
  const listed = at?.type === "string" && !at.nullable ? at.enum : undefined;
  return listed !== undefined && listed.length > 0 && !listed.includes(right.value);
}

function alwaysThere(schema: Structural, step: string): Structural | undefined {
  if (step === "*") return schema.items ?? schema.additionalProperties?.schema;
  for (const [name, property] of schema.properties) {
    if ((escapeName(name) ?? name) !== step) continue;
    return schema.required.includes(name) && !property.nullable ? property : undefined;
  }
  return undefined;
}

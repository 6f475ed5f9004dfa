/** The constants of expressions, and the places they read: the material for examples. */
import { type Ast, children, Double, type Expr, walk } from "@portcullis/cel/internal";
import type { CompiledPolicy } from "../policy/compile.ts";
import { loopOf } from "./evaluate/loops.ts";

export interface Pool {
  readonly texts: readonly string[];
  readonly ints: readonly bigint[];
  readonly doubles: readonly number[];
  /** Places below `object` and `oldObject`; `[]` is any element, `*` any key. */
  readonly paths: readonly (readonly string[])[];
}

const TEXTS = [
  ...[
    "",
    "a",
    "1",
    "5",
    "-1",
    "0",
    "10",
    "100",
    "1.5",
    "99999999999999999999",
    "500m",
    "1000m",
    "1Gi",
    "64Mi",
    "512Mi",
    "100Gi",
    "2",
    "3",
    "4",
    "x",
    "A",
  ],
  ...["NaN", "Inf", "-Inf"],
  ...["true", "1h", "10s", "2030-01-01T00:00:00Z", "10.0.0.1", "10.0.0.0/8", "::1", "https://example.com/a", "1.2.3"],
  ...["example.com/a:b", "a/b/c", "a.b", "a-b", " a", "a b", "öööööööööööööööööööö", "registry.example.com/app:1.0"],
  ...["*/5 * * * *", "0 * * * *", "*/1 * * * *", "* * * * *", "1,2 * * * *", "@daily"],
  `app@sha256:${"0".repeat(64)}`,
];

/** `given` are texts of params, which expressions read like constants. */
export function poolOf(policies: readonly CompiledPolicy[], given: readonly string[] = []): Pool {
  const [texts, ints, doubles] = [new Set<string>(), new Set<bigint>(), new Set<number>()];
  const places = new Map<string, readonly string[]>();
  for (const policy of policies) {
    for (const ast of expressionsOf(policy)) {
      walk(ast.checked.expr, (expr) => {
        if (expr.kind !== "literal") return;
        if (typeof expr.value === "string") texts.add(expr.value);
        if (typeof expr.value === "number" || typeof expr.value === "bigint") ints.add(BigInt(expr.value));
        if (expr.value instanceof Double) doubles.add(expr.value.value);
      });
      for (const path of pathsIn(ast, policy)) places.set(path.join("\0"), path);
    }
  }
  const near = [...ints, ...[...doubles].map((each) => BigInt(Math.trunc(each)))].flatMap((each) => [
    each - 1n,
    each,
    each + 1n,
  ]);
  const own = [...texts].flatMap((text) => [
    text,
    `${text}a`,
    `a${text}`,
    ` ${text}`,
    text.slice(0, -1),
    text.toUpperCase(),
    `${text}1.2.3`,
  ]);
  const paths = [...texts, ...given].flatMap((text) => (text.includes("/") ? [] : [`${text}/a`]));
  return {
    texts: [...new Set([...own, ...given, ...near.map(String), ...TEXTS, ...paths])],
    ints: [...new Set([...near, -1n, 0n, 1n, 2n])],
    doubles: [...doubles, ...ints].flatMap((each) => [Number(each), Number(each) + 0.5, Number(each) - 0.5]),
    paths: [...places.values()],
  };
}

/** The places that one validation reads, directly or through variables. */
export function readsOf(policy: CompiledPolicy, validation: number): (readonly string[])[] {
  const ast = policy.validations[validation]?.ast;
  if (ast === undefined) return [];
  const names = new Set<string>();
  const collect = (each: Ast): void =>
    walk(each.checked.expr, (expr) => {
      if (expr.kind !== "select" || expr.operand.kind !== "ident" || expr.operand.name !== "variables") return;
      const variable = policy.variables.get(expr.field)?.ast;
      if (names.has(expr.field) || variable === undefined) return;
      names.add(expr.field);
      collect(variable);
    });
  collect(ast);
  const variables = [...names].flatMap((name) => policy.variables.get(name)?.ast ?? []);
  return [ast, ...variables].flatMap((each) => pathsIn(each, policy));
}

export function expressionsOf({ variables, matchConditions, validations, auditAnnotations }: CompiledPolicy): Ast[] {
  return [...variables.values(), ...matchConditions, ...validations, ...auditAnnotations].flatMap(
    ({ ast }) => ast ?? [],
  );
}

type Place = readonly string[];

/** The places that loop variables refer to. */
type Scope = ReadonlyMap<string, readonly Place[]>;

function pathsIn(ast: Ast, policy: CompiledPolicy): Place[] {
  const found: Place[] = [];
  const visit = (expr: Expr, scope: Scope): void => {
    found.push(...placesOf(expr, scope, policy).filter((place) => place.length > 0));
    if (expr.kind === "comprehension") {
      visit(expr.range, scope);
      const inner = loopScope(expr, scope, policy);
      for (const each of [expr.loopStep, expr.result, expr.accuInit]) visit(each, inner);
      return;
    }
    for (const child of children(expr)) visit(child, scope);
  };
  visit(ast.checked.expr, new Map());
  return found;
}

function loopScope(expr: Expr & { kind: "comprehension" }, scope: Scope, policy: CompiledPolicy): Scope {
  if (loopOf(expr) === undefined) return scope;
  const items = placesOf(expr.range, scope, policy).map((place) => [...place, "[]"]);
  return new Map([...scope, [expr.iterVar, items], [expr.iterVar2 ?? expr.iterVar, items]]);
}

const INDEX = new Set(["_[_]", "_?._", "_[?_]"]);
const MAX_PLACES = 8;

/**
 * The places of an expression, if it is a plain selection; filters, concatenations, defaults and conditionals are
 * followed.
 */
function placesOf(expr: Expr, scope: Scope, policy: CompiledPolicy): readonly Place[] {
  const at = (each: Expr | undefined): readonly Place[] => (each === undefined ? [] : placesOf(each, scope, policy));
  const below = (places: readonly Place[], key: string): Place[] => places.map((place) => [...place, key]);
  switch (expr.kind) {
    case "ident":
      return expr.name === "object" || expr.name === "oldObject" ? [[]] : (scope.get(expr.name) ?? []);
    case "select":
      if (expr.operand.kind === "ident" && expr.operand.name === "variables") return variablePlaces(expr.field, policy);
      return below(at(expr.operand), expr.field);
    case "comprehension":
      return loopOf(expr)?.kind === "collect" ? at(expr.range) : [];
    case "call": {
      const [first, second, third] = expr.args;
      if (expr.function === "orValue") return at(expr.target);
      if (expr.function === "_+_") return [...at(first), ...at(second)].slice(0, MAX_PLACES);
      if (expr.function === "_?_:_") return [...at(second), ...at(third)].slice(0, MAX_PLACES);
      const isIn = expr.function === "@in";
      if (!isIn && !INDEX.has(expr.function)) return [];
      const [container, key] = isIn ? [second, first] : [first, second];
      const isKnown = key?.kind === "literal" && typeof key.value === "string";
      return below(at(container), isKnown ? String(key.value) : "[]");
    }
    default:
      return [];
  }
}

function variablePlaces(name: string, policy: CompiledPolicy): readonly Place[] {
  const ast = policy.variables.get(name)?.ast;
  return ast === undefined ? [] : placesOf(ast.checked.expr, new Map(), policy);
}

/**
 * Functions that upstream binds once for all their overloads. Where the checker could not tell the types of
 * the operands, these decide by the values at hand, and are more liberal than the declared overloads: a list
 * may be indexed by a whole double, a dyn duration negated.
 *
 * The first operand must have the right trait (`accepts`), or the error is `no such overload: <function>`;
 * past that, operands that do not fit give the bare `no such overload`.
 */
import type { FunctionDecl, Implementation, Overload } from "../types/decl.ts";
import type { Type } from "../types/type.ts";
import { listElement } from "../values/list.ts";
import { mapEntry } from "../values/map.ts";
import { noSuchOverload } from "../values/messages.ts";
import { negateDuration } from "../values/time.ts";
import { typeOfValue } from "../values/type-of.ts";
import { Duration, ListValue, MapValue, type Value } from "../values/value.ts";
import { arithmeticFunctions } from "./arithmetic.ts";
import { collectionFunctions } from "./collections.ts";
import { relationFunctions } from "./comparison.ts";
import { conversionFunctions } from "./conversions.ts";
import { logicFunctions } from "./logic.ts";
import { stringFunctions } from "./strings.ts";
import { typed } from "./typed.ts";

export interface DynamicFunction {
  /** Whether the first operand has what the function asks of it. */
  readonly accepts: (first: Value) => boolean;
  readonly call: Implementation;
}

type Kind = Type["kind"];

const NUMBERS = ["int", "uint", "double"] as const;
const ORDERED = [...NUMBERS, "bool", "string", "bytes", "timestamp", "duration"] as const;

/** The kinds of first operand by function; a function that is not here takes any. */
const TRAITS: Readonly<Record<string, readonly Kind[]>> = {
  "_+_": [...NUMBERS, "string", "bytes", "list", "timestamp", "duration"],
  "_-_": [...NUMBERS, "timestamp", "duration"],
  "_*_": NUMBERS,
  "_/_": NUMBERS,
  "_%_": ["int", "uint"],
  "-_": ["int", "double", "bool", "duration"],
  "_<_": ORDERED,
  "_<=_": ORDERED,
  "_>_": ORDERED,
  "_>=_": ORDERED,
  "_[_]": ["list", "map", "object"],
  size: ["string", "bytes", "list", "map", "object"],
  matches: ["string"],
};

const ANY_OPERAND: ReadonlySet<string> = new Set(["@in", "!_", "type", "dyn"]);

const negations = arithmeticFunctions.find(({ name }) => name === "-_")?.overloads ?? [];

const LIBERAL: Readonly<Record<string, Implementation>> = {
  "_[_]": typed(index),
  "-_": typed((value: Value) => {
    if (value instanceof Duration) return negateDuration(value);
    return firstMatch(negations, [value]);
  }),
};

export const dynamicFunctions: ReadonlyMap<string, DynamicFunction> = new Map(
  [
    ...arithmeticFunctions,
    ...relationFunctions,
    ...collectionFunctions,
    ...conversionFunctions,
    ...stringFunctions,
    ...logicFunctions,
  ]
    .filter(({ name }) => Object.hasOwn(TRAITS, name) || ANY_OPERAND.has(name))
    .map((decl) => [decl.name, dynamicFunction(decl)]),
);

function dynamicFunction({ name, overloads }: FunctionDecl): DynamicFunction {
  const kinds = TRAITS[name];
  return {
    accepts: kinds === undefined ? () => true : (first) => kinds.includes(typeOfValue(first).kind),
    call: LIBERAL[name] ?? ((...args) => firstMatch(overloads, args)),
  };
}

function index(operand: Value, key: Value): Value {
  if (operand instanceof ListValue) return listElement(operand, key);
  return operand instanceof MapValue ? mapEntry(operand, key) : noSuchOverload();
}

function firstMatch(overloads: readonly Overload[], args: readonly Value[]): Value {
  const overload = overloads.find(({ params }) => params.length === args.length && params.every(matchesAt));
  return overload?.call === undefined ? noSuchOverload() : overload.call(...args);

  function matchesAt(param: Type, position: number): boolean {
    return isOfKind(args[position] ?? null, param);
  }
}

function isOfKind(value: Value, type: Type): boolean {
  if (type.kind === "param" || type.kind === "dyn") return true;
  const kind = typeOfValue(value).kind;
  return kind === type.kind || (type.kind === "map" && value instanceof MapValue);
}

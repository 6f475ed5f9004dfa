/**
 * The costs of calls. Follows cel-go interpreter/runtimecost.go.
 *
 * The cost that an overload carries comes first, then the cost model's, then the language's. The model is not used
 * for operators and functions of the standard library, so their cost is known during planning; only `==` uses it,
 * if the left operand has a type of a library.
 *
 * Arguments may be errors: a call with one or two arguments that is skipped because of one is charged too.
 */
import type { CelGoVersion } from "../types/cel-go.ts";
import type { ActualCost, CallPrice, CostModel } from "../types/cost.ts";
import type { Overload } from "../types/decl.ts";
import { goTypeName } from "../values/go-type.ts";
import { Panic } from "../values/panic.ts";
import { runesOf } from "../values/text-size.ts";
import {
  Bytes,
  Double,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from "../values/value.ts";
import { notALister } from "./messages.ts";

export const SELECT_COST = 1;
export const LIST_COST = 10;
export const MAP_COST = 30;
export const STRUCT_COST = 40;

const TRAVERSAL_FACTOR = 0.1;
const REGEX_FACTOR = 0.25;

/** `fixed`, plus what `of` or the shorthand for small calls adds. */
export interface Price {
  readonly fixed: number;
  readonly of?: (args: readonly Value[], result: Value) => number;
  readonly ofOne?: (value: Value) => number;
  readonly ofTwo?: (left: Value, right: Value) => number;
}

export const UNIT_PRICE: Price = { fixed: 1 };

/** The cost of a call; `overload` is undefined if several may apply, and then the language charges 1. */
export function priceOfCall(
  functionName: string,
  overload: Overload | undefined,
  model: CostModel | undefined,
  celGo: CelGoVersion,
): Price {
  const own = CRASHES_ON_ERROR.test(overload?.id ?? "") ? crashing(overload?.cost?.actual) : overload?.cost?.actual;
  const usesModel = model !== undefined && !STANDARD_FUNCTIONS.has(functionName);
  const modelled = usesModel ? model.callPrice(functionName, overload?.id ?? "") : undefined;
  return priceOr(own, priceOr(modelled, standardPrice(overload, celGo)));
}

function priceOr(actual: ActualCost | undefined, otherwise: Price): Price {
  if (actual === undefined) return otherwise;
  if (typeof actual === "number") return { fixed: actual };
  const of = (args: readonly Value[], result: Value): number => {
    const cost = actual(args, result);
    return cost === undefined ? priceFor(otherwise, args, result) : cost;
  };
  return { fixed: 0, of };
}

/** Costs that upstream computes by looping over arguments without checking that they are lists. */
const CRASHES_ON_ERROR = /^list_(distinct|\w+_sort|\w+_sortByAssociatedKeys)$/;

function crashing(price: ActualCost | undefined): CallPrice {
  return (args, result) => {
    for (const arg of args)
      if (!(arg instanceof ListValue)) throw new Panic(notALister(goTypeName(arg), firstMissing(arg)));
    return typeof price === "function" ? price(args, result) : price;
  };
}

/** The first, by name, of the methods that a list has and this value lacks. */
function firstMissing(value: Value): "Add" | "Contains" {
  if (typeof value === "object") return value instanceof Uint || isAddable(value) ? "Contains" : "Add";
  return typeof value === "boolean" ? "Add" : "Contains";
}

function isAddable(value: Value): boolean {
  return [Double, Bytes, Timestamp, Duration].some((kind) => value instanceof kind);
}

function standardPrice(overload: Overload | undefined, celGo: CelGoVersion): Price {
  if (overload === undefined) return UNIT_PRICE;
  const changed = celGo === "0.29" ? PRICES_SINCE_29.get(overload.id) : undefined;
  return changed ?? STANDARD_PRICES.get(overload.id) ?? UNIT_PRICE;
}

export function priceFor(price: Price, args: readonly Value[], result: Value): number {
  let cost = price.fixed;
  if (price.of !== undefined) cost += price.of(args, result);
  if (price.ofOne !== undefined) cost += price.ofOne(args[0] ?? null);
  if (price.ofTwo !== undefined) cost += price.ofTwo(args[0] ?? null, args[1] ?? null);
  return cost;
}

/** The size by which costs are counted: code points, bytes, elements, entries; 1 for everything else. */
export function sizeOf(value: Value): number {
  if (typeof value === "string") return runesOf(value);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Bytes) return value.data.length;
  if (value instanceof OptionalValue) return value.value === undefined ? 1 : sizeOf(value.value);
  return value instanceof OpaqueValue ? sizeOfOpaque(value) : 1;
}

// Some library types (addresses) have a size although they are not collections.
function sizeOfOpaque(value: OpaqueValue): number {
  return "size" in value && typeof value.size === "number" ? value.size : 1;
}

export function traversal(size: number): number {
  return size < 11 ? (size === 0 ? 0 : 1) : Math.ceil(size * TRAVERSAL_FACTOR);
}

/** Up to ten code points cost 1, so a short string need not be counted: it has at most as many as UTF-16 units. */
export function traversalOf(value: Value): number {
  if (typeof value === "string" && value.length <= 10) return value.length === 0 ? 0 : 1;
  return traversal(sizeOf(value));
}

export function lesserTraversal(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") return lesserTextTraversal(left, right);
  return traversal(Math.min(sizeOf(left), sizeOf(right)));
}

export function lesserTextTraversal(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  if (shorter <= 10) return shorter === 0 ? 0 : 1;
  return traversal(Math.min(runesOf(left), runesOf(right)));
}

export function sumTraversal(left: Value, right: Value): number {
  return traversal(sizeOf(left) + sizeOf(right));
}

function matchCost(text: Value, pattern: Value): number {
  return matchTextCost(text) * matchPatternCost(pattern);
}

export function matchTextCost(text: Value): number {
  if (typeof text === "string" && text.length < 10) return 1;
  return Math.ceil((1 + sizeOf(text)) * TRAVERSAL_FACTOR);
}

export function matchPatternCost(pattern: Value): number {
  return Math.ceil(sizeOf(pattern) * REGEX_FACTOR);
}

/** `==` and `!=`; the model decides for values of library types. */
export function equalityPrice(
  functionName: "_==_" | "_!=_",
  model: CostModel | undefined,
): (left: Value, right: Value, result: Value) => number {
  const overloadId = functionName === "_==_" ? "equals" : "not_equals";
  const modelled = model?.callPrice(functionName, overloadId);
  if (modelled === undefined) return lesserTraversal;
  return (left, right, result) => {
    if (!(left instanceof OpaqueValue)) return lesserTraversal(left, right);
    const cost = typeof modelled === "number" ? modelled : modelled([left, right], result);
    return cost ?? lesserTraversal(left, right);
  };
}

const FIRST: Price = { fixed: 0, ofOne: traversalOf };
const LESSER: Price = { fixed: 0, ofTwo: lesserTraversal };
const SUM: Price = { fixed: 0, ofTwo: sumTraversal };

const ORDERED = ["less", "less_equals", "greater", "greater_equals"];

/** By overload id. What is not listed costs 1. */
const STANDARD_PRICES: ReadonlyMap<string, Price> = new Map<string, Price>([
  ["starts_with_string", FIRST],
  ["ends_with_string", FIRST],
  ["string_to_bytes", FIRST],
  ["bytes_to_string", FIRST],
  ["strings_quote", FIRST],
  ["string_format", FIRST],
  ["in_list", { fixed: 0, ofTwo: (_value, list) => sizeOf(list) }],
  ...ORDERED.map((name) => [`${name}_string`, LESSER] as const),
  ...ORDERED.map((name) => [`${name}_bytes`, LESSER] as const),
  ["equals", LESSER],
  ["not_equals", LESSER],
  ["add_string", SUM],
  ["add_bytes", SUM],
  ["matches_string", { fixed: 0, ofTwo: matchCost }],
  ["contains_string", { fixed: 0, ofTwo: (text, part) => traversalOf(text) * traversalOf(part) }],
]);

const SECOND: Price = { fixed: 0, ofTwo: (_text, part) => traversalOf(part) };

const PRICES_SINCE_29: ReadonlyMap<string, Price> = new Map<string, Price>([
  ["starts_with_string", SECOND],
  ["ends_with_string", SECOND],
  ["matches", { fixed: 0, ofTwo: matchCost }],
]);

const STANDARD_FUNCTIONS: ReadonlySet<string> = new Set([
  ..."_&&_ _||_ !_ -_ _==_ _!=_ _<_ _<=_ _>_ _>=_ _+_ _-_ _*_ _/_ _%_ @in @not_strictly_false".split(" "),
  ..."size type bool bytes double duration dyn int string timestamp uint".split(" "),
  ..."contains endsWith startsWith matches".split(" "),
  ..."getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek".split(" "),
  ..."getHours getMinutes getSeconds getMilliseconds".split(" "),
]);

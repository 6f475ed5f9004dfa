/**
 * Functions on lists: slice (version 0), flatten (1), sort, sortBy, range, reverse and distinct (2), and
 * costs for all of them (3), which is the version of Kubernetes. Follows cel-go ext/lists.go.
 */
import { countWork } from "@portcullis/gostd/work";
import type { Library } from "../library.ts";
import { typed } from "../stdlib/typed.ts";
import { type CelGoVersion, NEWEST_CEL_GO } from "../types/cel-go.ts";
import { type FunctionDecl, fn, global, method, withCost } from "../types/decl.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeParam,
  UINT,
} from "../types/type.ts";
import { isEqualTo } from "../values/equal.ts";
import type { Int } from "../values/int.ts";
import { ArrayList, MAX_SIZE } from "../values/list.ts";
import { runtimeTypeName, typeTextOf } from "../values/type-of.ts";
import { type CelError, ListValue, type Value } from "../values/value.ts";
import {
  distinctCost,
  flattenCost,
  oldFlattenCost,
  rangeCost,
  reverseCost,
  sliceCost,
  sortByCost,
  sortCost,
} from "./list-cost.ts";
import { RangeList, ReversedList, SlicedList } from "./list-views.ts";
import {
  cannotFlatten,
  longRange,
  negativeDepth,
  negativeRange,
  negativeSlice,
  reversedSlice,
  sliceBeyondEnd,
} from "./messages.ts";
import { sortByKeys } from "./sort.ts";
import { sortByMacro } from "./sort-by.ts";

const LIST = listOf(typeParam("T"));
const ORDERED_TYPES: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/**
 * `slice`, `flatten`, `sort`, `distinct` and others.
 * @example new Environment({ libraries: [listsLibrary(3)] }).compile("[[1], [2]].flatten()").ok // true
 */
export function listsLibrary(version: number, celGo: CelGoVersion = NEWEST_CEL_GO): Library {
  const current = [...sliceFunctions, ...(version >= 1 ? flattenFunctions : []), ...(version >= 2 ? others : [])];
  const functions = celGo === "0.29" ? current : current.map(asBefore29);
  return {
    name: "cel.lib.ext.lists",
    functions: version >= 3 ? functions : functions.map(withoutPrices),
    macros: version >= 2 ? [sortByMacro] : [],
  };
}

const sliceFunctions: readonly FunctionDecl[] = [
  fn(
    "slice",
    [withCost(sliceCost, method("list_slice", LIST, [INT, INT], LIST, typed(slice)))],
    "returns the elements between two indices",
    "[1, 2, 3].slice(1, 3) == [2, 3]",
  ),
];

// biome-ignore format: a table
const flattenFunctions: readonly FunctionDecl[] = [
  fn("flatten", [
    { ...withCost(flattenCost, method("list_flatten",     listOf(LIST), [],    LIST,        typed(flattenOnce))), unguarded: true },
    { ...withCost(flattenCost, method("list_flatten_int", listOf(DYN),  [INT], listOf(DYN), typed(flatten))), unguarded: true },
  ], "replaces lists within a list by their elements, for one level or the given number of levels", "[[1], [2, 3]].flatten() == [1, 2, 3]"),
];

// biome-ignore format: a table
const others: readonly FunctionDecl[] = [
  fn("sort", ORDERED_TYPES.map((type) =>
    withCost(sortCost(type), method(`list_${runtimeTypeName(type)}_sort`, listOf(type), [], listOf(type), typed((list: ListValue) => sortByKeys(list, list)))),
  ), "sorts the elements in ascending order", "[3, 1, 2].sort() == [1, 2, 3]"),
  fn("@sortByAssociatedKeys", ORDERED_TYPES.map((type) =>
    withCost(sortByCost(type), method(`list_${runtimeTypeName(type)}_sortByAssociatedKeys`, LIST, [listOf(type)], LIST, typed(sortByKeys))),
  )),
  fn("lists.range", [withCost(rangeCost, global("lists_range",   [INT],    listOf(INT), typed(range)))],    "returns the list of integers from 0 up to, but not including, a number", "lists.range(3) == [0, 1, 2]"),
  fn("reverse",     [withCost(reverseCost, method("list_reverse",  LIST, [], LIST,        typed((list: ListValue) => new ReversedList(list))))],  "reverses the elements", "[1, 2].reverse() == [2, 1]"),
  fn("distinct",    [withCost(distinctCost, method("list_distinct", LIST, [], LIST,        typed(distinct)))], "removes duplicate elements; the first of each stays", "[1, 2, 1].distinct() == [1, 2]"),
];

/** Before 0.29 a negative range was empty and a long one allowed, and a negative depth lowered the cost. */
function asBefore29(declaration: FunctionDecl): FunctionDecl {
  const overloads = declaration.overloads.map((overload) => {
    if (overload.id === "lists_range") return { ...overload, call: typed(anyRange) };
    return overload.id.startsWith("list_flatten") ? withCost(oldFlattenCost, overload) : overload;
  });
  return { ...declaration, overloads };
}

function withoutPrices(decl: FunctionDecl): FunctionDecl {
  return { ...decl, overloads: decl.overloads.map(({ cost: _, ...overload }) => overload) };
}

function slice(list: ListValue, start: Int, end: Int): ListValue | CelError {
  if (start < 0 || end < 0) return negativeSlice(start, end);
  if (start > end) return reversedSlice(start, end);
  if (list.size < end) return sliceBeyondEnd(start, end, list.size);
  return new SlicedList(list, Number(start), Number(end));
}

function flattenOnce(list: Value): ListValue | CelError {
  return list instanceof ListValue ? flattened(list, 1) : cannotFlatten(typeTextOf(list), "");
}

function flatten(list: Value, depth: Value): ListValue | CelError {
  const isInt = typeof depth === "number" || typeof depth === "bigint";
  if (!(list instanceof ListValue) || !isInt) return cannotFlatten(typeTextOf(list), typeTextOf(depth));
  return depth < 0 ? negativeDepth() : flattened(list, Number(depth));
}

function flattened(list: ListValue, depth: number): ListValue {
  const flat: Value[] = [];
  collect(list, depth, flat);
  return new ArrayList(flat);
}

function collect(list: ListValue, depth: number, into: Value[]): void {
  countWork(list.size + 1);
  if (into.length + list.size > MAX_SIZE) throw new RangeError("Invalid array length");
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (depth > 0 && element instanceof ListValue) collect(element, depth - 1, into);
    else into.push(element);
  }
}

const MAX_RANGE = 1_000_000;

function range(count: Int): ListValue | CelError {
  if (count < 0) return negativeRange(count);
  return count > MAX_RANGE ? longRange(count, MAX_RANGE) : anyRange(count);
}

function anyRange(count: Int): ListValue {
  return count > 0 ? new RangeList(Number(count)) : ArrayList.empty;
}

function distinct(list: ListValue): ListValue {
  if (list.size === 0) return list;
  const unique: Value[] = [];
  // Strings, booleans and safe ints are equal only to themselves and need no search, as long as nothing else is there.
  const seen = new Set<Value>();
  let isSimple = true;
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    isSimple &&= isSelfIdentical(element);
    if (isSimple ? seen.has(element) : isAmong(unique, element)) continue;
    if (isSimple) seen.add(element);
    unique.push(element);
  }
  return new ArrayList(unique);
}

function isAmong(elements: readonly Value[], element: Value): boolean {
  countWork(elements.length);
  return elements.some((other) => isEqualTo(element, other) === true);
}

function isSelfIdentical(value: Value): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

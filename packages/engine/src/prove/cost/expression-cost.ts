/**
 * An upper bound of what an expression costs at run time, in terms of the size of the request in bytes.
 *
 * It is simpler and larger than the estimates of the API server, which know no sizes for policies. Loops inside of loops
 * are not multiplied: the elements of all inner lists together are not larger than the outer list.
 */
import type { Expr } from "@portcullis/cel/internal";
import { isArray, isObject, type JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { loopOf } from "../evaluate/loops.ts";
import { AUTHORIZER, FIXED, LINEAR, SEARCHES, SMALL_RESULT } from "./function-costs.ts";
import { constantOf, type Polynomial, productOf, REQUEST, sumOf, sumOver, valueAt, variableOf } from "./polynomial.ts";

/** What is known of a value. */
export interface Extent {
  /** The largest size in bytes. */
  readonly size: Polynomial;
  /** The least size of an element of it in bytes; undefined if nothing is known. */
  readonly each?: number | undefined;
  /** The largest number of elements; undefined if only the sizes bound it. */
  readonly count?: Polynomial | undefined;
  /** Whether it is a part of an object of a built-in kind, or a list of such parts. */
  readonly isTyped?: boolean | undefined;
  /** Whether it is certainly a map, in which a key is found at once. */
  readonly isMap?: boolean | undefined;
  /** All that it can be, if that is known, such as a part of given params. */
  readonly values?: readonly JsonValue[] | undefined;
}

/** One of these values. */
export function extentOf(values: readonly JsonValue[]): Extent {
  const most = Math.max(0, ...values.map((value) => canonicalJson(value).length));
  const counts = values.map((value) =>
    isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0,
  );
  return { size: constantOf(most), count: constantOf(Math.max(0, ...counts)), values };
}

/** What a name stands for; undefined for the parts of a request and of a cluster. */
export type Sizes = (name: string) => Extent | undefined;

export interface Bounds extends Extent {
  readonly cost: Polynomial;
}

export interface CostOptions {
  /** Whether all objects are of built-in kinds, whose lists have elements of known forms. */
  readonly isBuiltin: boolean;
  /** Whether parts of an object have sizes of their own, which add up to that of the object. */
  readonly hasParts?: boolean;
}

/** Lists of built-in kinds, with the least size of an element: its required fields and those with defaults. */
const ELEMENT_SIZES: ReadonlyMap<string, number> = new Map([
  ...["containers", "initContainers", "ephemeralContainers"].map((name) => [name, 100] as const),
  ["volumes", 26],
  ["volumeMounts", 28],
  ["ports", 24],
  ["env", 12],
  // Texts, of which the shortest has two quotes.
  ...["verbs", "resources", "apiGroups", "add", "drop", "args", "command", "hosts"].map((name) => [name, 3] as const),
]);

/** Fields of built-in kinds that are maps. */
const MAPS: readonly string[] = ["labels", "annotations", "matchLabels", "nodeSelector"];
/** The least size of an element: a character and a comma. */
const ELEMENT_SIZE = 2;

const NOTHING = constantOf(0);
const ONE = constantOf(1);
const SMALL = constantOf(24);
/** The price of asking the authorizer. */
const AUTHORIZER_COST = 350_000;
const NOT_BUILTIN: CostOptions = { isBuiltin: false };

/** `sizes` knows loop variables, and variables of the policy as `variables.name`. */
export function boundsOf(expr: Expr, sizes: Sizes, options = NOT_BUILTIN, depth = 0): Bounds {
  const inner = (each: Expr): Bounds => boundsOf(each, sizes, options, depth);
  switch (expr.kind) {
    case "literal":
      return { cost: NOTHING, size: constantOf(typeof expr.value === "string" ? expr.value.length + 2 : 16) };
    case "ident":
      return {
        size: variableOf(REQUEST),
        isTyped: options.isBuiltin && OBJECTS.includes(expr.name),
        ...sizes(expr.name),
        cost: ONE,
      };
    case "select": {
      const isVariable = expr.operand.kind === "ident" && expr.operand.name === "variables";
      const variable = isVariable ? sizes(`variables.${expr.field}`) : undefined;
      const operand = inner(expr.operand);
      // A path is read as a whole.
      const isPath = !expr.testOnly && (expr.operand.kind === "select" || expr.operand.kind === "ident");
      const cost = isPath ? operand.cost : sumOf(operand.cost, ONE);
      if (expr.testOnly) return { cost, size: SMALL };
      if (operand.values !== undefined) return { ...extentOf(membersOf(operand.values, expr.field)), cost };
      const part = options.hasParts === true && partOf(expr, sizes);
      return { size: part || operand.size, ...fieldOf(operand, expr.field), ...variable, cost };
    }
    case "list":
      return { ...collection(expr.elements.map(inner), 10), count: constantOf(expr.elements.length) };
    case "map":
      return {
        ...collection(
          expr.entries.flatMap(({ key, value }) => [inner(key), inner(value)]),
          30,
        ),
        isMap: true,
      };
    case "struct":
      return collection(
        expr.fields.map(({ value }) => inner(value)),
        40,
      );
    case "call":
      return callBounds(expr, [...(expr.target === undefined ? [] : [expr.target]), ...expr.args].map(inner));
    case "comprehension":
      return loopBounds(expr, sizes, options, depth);
  }
}

/** The size of a field of an object, by its path; undefined for other values. */
function partOf(expr: Expr, sizes: Sizes): Polynomial | undefined {
  const path: string[] = [];
  let root = expr;
  for (; root.kind === "select"; root = root.operand) path.unshift(root.field);
  if (root.kind !== "ident" || !OBJECTS.includes(root.name) || sizes(root.name) !== undefined) return undefined;
  return variableOf([REQUEST, root.name, ...path].join("/"));
}

function membersOf(values: readonly JsonValue[], field: string): JsonValue[] {
  return values.flatMap((value) => (isObject(value) ? (value[field] ?? []) : []));
}

/** A field of a built-in object, other than data of any form. */
function fieldOf(operand: Extent, field: string): Pick<Extent, "each" | "isMap" | "isTyped"> {
  if (operand.isTyped !== true) return { isTyped: false };
  return { each: ELEMENT_SIZES.get(field), isMap: MAPS.includes(field), isTyped: field !== "data" };
}

function collection(parts: readonly Bounds[], cost: number): Bounds {
  return {
    cost: sumOf(constantOf(cost), ...parts.map((part) => part.cost)),
    size: sumOf(constantOf(2), ...parts.map((part) => part.size)),
    isTyped: areTyped(parts),
  };
}

function areTyped(parts: readonly Extent[]): boolean {
  return parts.every(({ isTyped }) => isTyped === true);
}

type Call = Extract<Expr, { kind: "call" }>;

const COMPARISONS = /^_[<>=!]=?_$/;

function callBounds({ function: name, args }: Call, parts: readonly Bounds[]): Bounds {
  const costs = parts.map(({ cost }) => cost);
  if (AUTHORIZER.test(name))
    return { cost: sumOf(constantOf(name === "check" ? AUTHORIZER_COST : 1), ...costs), size: SMALL };
  // A key of a map is found at once.
  if (name === "@in" && (isLabels(args[1]) || parts[1]?.isMap === true))
    return { cost: sumOf(ONE, ...costs), size: SMALL };
  const sizes = parts.map(({ size }) => size);
  const all = productOf(...sizes.map((size) => sumOf(ONE, size)));
  const isSum = FIXED.test(name) || LINEAR.test(name);
  const size = SMALL_RESULT.test(name)
    ? SMALL
    : name === "split" || name === "findAll"
      ? productOf(constantOf(SPLIT_SIZE), sumOf(SMALL, ...(name === "split" ? sizes : sizes.slice(0, 1))))
      : isSum
        ? sumOf(SMALL, ...sizes)
        : sumOf(SMALL, all);
  return {
    cost: sumOf(priceOf(name, sizes, all), ...costs),
    size,
    each: elementSize(name, parts),
    count: elementCount(name, parts),
    isTyped: isTypedResult(name, parts),
    ...optionalField(name, args, parts),
    isMap: name === "_?_:_" && parts.slice(1).every((part) => part.isMap === true),
  };
}

function optionalField(
  name: string,
  [, field]: readonly Expr[],
  [operand]: readonly Bounds[],
): Pick<Extent, "each" | "isTyped"> {
  if (!INDEX.includes(name) || operand === undefined) return {};
  if (field?.kind !== "literal") return { isTyped: false };
  const { each, isTyped } = fieldOf(operand, String(field.value));
  return { each, isTyped };
}

const INDEX: readonly string[] = ["_?._", "_[_]", "_[?_]"];

/** Of functions that return one of their operands, or join them. */
function isTypedResult(name: string, parts: readonly Bounds[]): boolean {
  if (name === "_?_:_") return areTyped(parts.slice(1));
  return ["_+_", "dyn", "or", "orValue", "value", "optional.of"].includes(name) && areTyped(parts);
}

/** A character becomes a text of its own, with quotes and a comma. */
const SPLIT_SIZE = 4;

/** Of the lists that these operators return or join. */
function elementSize(name: string, parts: readonly Bounds[]): number | undefined {
  const lists = name === "_?_:_" ? parts.slice(1) : name === "_+_" || name === "orValue" ? parts : [];
  const filled = lists.filter((list) => !isEmpty(list));
  if (filled.length === 0 || filled.some(({ each }) => each === undefined)) return undefined;
  return Math.min(...filled.map(({ each }) => each ?? ELEMENT_SIZE));
}

function isEmpty({ count }: Extent): boolean {
  return count !== undefined && valueAt(count, 0) === 0 && [...count.keys()].every((key) => key === "");
}

/** The number of elements of the lists that these operators return or join. */
function elementCount(name: string, parts: readonly Bounds[]): Polynomial | undefined {
  const lists = name === "_?_:_" ? parts.slice(1) : name === "_+_" || name === "orValue" ? parts : [];
  // Without a count for any of them, the sizes are as good a bound.
  if (lists.every(({ count }) => count === undefined)) return undefined;
  return sumOf(...lists.map(countOf));
}

/** How many elements a list has at most. */
function countOf({ count, each = ELEMENT_SIZE, size }: Extent): Polynomial {
  return count ?? sumOf(ONE, productOf(constantOf(1 / each), size));
}

const OBJECTS: readonly string[] = ["object", "oldObject", "namespaceObject"];

/** Labels and annotations are maps in every object. */
function isLabels(expr: Expr | undefined): boolean {
  if (expr?.kind !== "select" || (expr.field !== "labels" && expr.field !== "annotations")) return false;
  const { operand } = expr;
  return operand.kind === "select" && operand.field === "metadata" && isObjectName(operand.operand);
}

function isObjectName(expr: Expr): boolean {
  return expr.kind === "ident" && OBJECTS.includes(expr.name);
}

function priceOf(name: string, sizes: readonly Polynomial[], all: Polynomial): Polynomial {
  if (name === "_&&_" || name === "_||_") return NOTHING;
  if (FIXED.test(name)) return ONE;
  const prices = Object.hasOwn(SEARCHES, name) ? SEARCHES[name] : undefined;
  if (prices !== undefined)
    return productOf(...sizes.map((size, at) => sumOf(ONE, productOf(constantOf(prices[at] ?? 1), size))));
  // A comparison ends with the shorter value.
  const shortest = COMPARISONS.test(name)
    ? sizes.find((size) => [...size.keys()].every((key) => key === ""))
    : undefined;
  if (shortest !== undefined) return sumOf(ONE, shortest);
  // Each element of the list counts, not what is compared with it.
  if (name === "@in") return sumOf(ONE, ...sizes.slice(1).map((size) => productOf(constantOf(0.5), size)));
  const price = constantOf(COMPARISONS.test(name) ? 0.5 : name === "split" ? 0.2 : 0.1);
  return LINEAR.test(name) ? sumOf(ONE, ...sizes.map((size) => productOf(price, size))) : sumOf(ONE, all);
}

type Comprehension = Extract<Expr, { kind: "comprehension" }>;

function loopBounds(expr: Comprehension, sizes: Sizes, options: CostOptions, depth: number): Bounds {
  const range = boundsOf(expr.range, sizes, options, depth);
  const init = boundsOf(expr.accuInit, sizes, options, depth);
  const element = `e${depth}`;
  const isBinding = expr.range.kind === "list" && expr.range.elements.length === 0;
  // What a loop collects is not larger than the values that its steps add.
  const within: Sizes = (name) => {
    if (name === expr.accuVar) return isBinding ? init : { size: constantOf(0), isTyped: true };
    const isElement = name === expr.iterVar || name === expr.iterVar2;
    return isElement ? { size: variableOf(element), isTyped: range.isTyped } : sizes(name);
  };
  const [condition, step] = [expr.loopCondition, expr.loopStep].map((each) =>
    boundsOf(each, within, options, depth + 1),
  );
  const count = range.count === undefined ? countOf(range) : sumOf(ONE, range.count);
  const over = (body: Polynomial): Polynomial => sumOver(body, element, range.size, count);
  const collected = isBinding ? init.size : sumOf(init.size, over(step?.size ?? SMALL));
  const each = isBinding ? init.each : isFilter(expr) ? range.each : undefined;
  const isTyped = (isBinding ? init : step)?.isTyped;
  // `map` and `filter` collect at most one element in each turn.
  const most = loopOf(expr)?.kind === "collect" ? count : undefined;
  const after: Sizes = (name) =>
    name === expr.accuVar ? { size: collected, each, isTyped, count: isBinding ? init.count : most } : sizes(name);
  const result = boundsOf(expr.result, after, options, depth);
  const turn = sumOf(ONE, condition?.cost ?? ONE, step?.cost ?? ONE);
  return {
    cost: sumOf(range.cost, init.cost, isBinding ? ONE : over(turn), result.cost),
    size: result.size,
    each: result.each,
    count: result.count,
    isTyped: result.isTyped,
  };
}

/** Whether a loop keeps elements as they are. */
function isFilter(expr: Comprehension): boolean {
  const loop = loopOf(expr);
  return loop?.kind === "collect" && loop.value === undefined;
}

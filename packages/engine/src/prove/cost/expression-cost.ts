/**
 * An upper bound of what an expression costs at run time, in terms of the size of the request in bytes.
 *
 * It is simpler and larger than the estimates of the API server, which know no sizes for policies. Loops inside of loops
 * are not multiplied: the elements of all inner lists together are not larger than the outer list.
 */
import type { Expr } from "@portcullis/cel/internal";
import { constantOf, type Polynomial, productOf, REQUEST, sumOf, sumOver, variableOf } from "./polynomial.ts";

/** The size of what a name stands for; undefined for the parts of a request and of a cluster. */
export type Sizes = (name: string) => Polynomial | undefined;

export interface Bounds {
  readonly cost: Polynomial;
  /** The largest size of the result, in bytes. */
  readonly size: Polynomial;
}

const ONE = constantOf(1);
const SMALL = constantOf(24);
/** The price of asking the authorizer. */
const AUTHORIZER_COST = 350_000;

/** `sizes` knows loop variables, and variables of the policy as `variables.name`. */
export function boundsOf(expr: Expr, sizes: Sizes, depth = 0): Bounds {
  const inner = (each: Expr): Bounds => boundsOf(each, sizes, depth);
  switch (expr.kind) {
    case "literal":
      return { cost: ONE, size: constantOf(typeof expr.value === "string" ? expr.value.length + 2 : 16) };
    case "ident":
      return { cost: ONE, size: sizes(expr.name) ?? variableOf(REQUEST) };
    case "select": {
      const isVariable = expr.operand.kind === "ident" && expr.operand.name === "variables";
      const size = isVariable ? sizes(`variables.${expr.field}`) : undefined;
      const operand = inner(expr.operand);
      return { cost: sumOf(operand.cost, ONE), size: expr.testOnly ? SMALL : (size ?? operand.size) };
    }
    case "list":
      return collection(expr.elements.map(inner), 10);
    case "map":
      return collection(
        expr.entries.flatMap(({ key, value }) => [inner(key), inner(value)]),
        30,
      );
    case "struct":
      return collection(
        expr.fields.map(({ value }) => inner(value)),
        40,
      );
    case "call":
      return callBounds(expr, [...(expr.target === undefined ? [] : [expr.target]), ...expr.args].map(inner));
    case "comprehension":
      return loopBounds(expr, sizes, depth);
  }
}

function collection(parts: readonly Bounds[], cost: number): Bounds {
  return {
    cost: sumOf(constantOf(cost), ...parts.map((part) => part.cost)),
    size: sumOf(constantOf(2), ...parts.map((part) => part.size)),
  };
}

type Call = Extract<Expr, { kind: "call" }>;

/** Functions whose result is small. */
const SMALL_RESULT =
  /^(_[<>=!]=?_|!_|@not_strictly_false|@in|size|has\w*|is\w*|get\w*|startsWith|endsWith|contains|matches|int|uint|double|bool|type|-_|_[-*/%]_|_&&_|_\|\|_|compareTo|check|allowed|errored|sets\..*|min|max|sum|indexOf|lastIndexOf|asInteger|asApproximateFloat)$/;

/** Functions with a fixed price. */
const FIXED =
  /^(_&&_|_\|\|_|!_|_\?_:_|@not_strictly_false|size|_\[_\]|_\[\?_\]|_\?\._|type|dyn|optional\..*|hasValue|value|orValue|or|-_|_[-*/%]_|allowed|errored|isLessThan|isGreaterThan|compareTo|isInteger|asInteger|asApproximateFloat|sign)$/;

/** Functions that read their operands once. */
const LINEAR =
  /^(_[<>=!]=?_|@in|startsWith|endsWith|_\+_|string|int|uint|double|bool|quantity|isQuantity|duration|timestamp|lowerAscii|upperAscii|trim|url|isURL|ip|isIP|cidr|isCIDR|semver|isSemver)$/;

/** Steps to a question for the authorizer. */
const AUTHORIZER = /^(group|resource|subresource|namespace|name|path|serviceAccount|check|reason)$/;

/** Functions that read one text for each character of another, at these prices for a character. */
const SEARCHES: Readonly<Record<string, readonly [number, number]>> = {
  contains: [0.1, 0.1],
  matches: [0.1, 0.25],
  find: [0.1, 0.25],
  findAll: [0.1, 0.25],
};

const COMPARISONS = /^_[<>=!]=?_$/;

function callBounds({ function: name, args }: Call, parts: readonly Bounds[]): Bounds {
  const costs = parts.map(({ cost }) => cost);
  if (AUTHORIZER.test(name))
    return { cost: sumOf(constantOf(name === "check" ? AUTHORIZER_COST : 1), ...costs), size: SMALL };
  // A key of a map is found at once.
  if (name === "@in" && isLabels(args[1])) return { cost: sumOf(ONE, ...costs), size: SMALL };
  const sizes = parts.map(({ size }) => size);
  const all = productOf(...sizes.map((size) => sumOf(ONE, size)));
  const isSum = FIXED.test(name) || LINEAR.test(name);
  const size = SMALL_RESULT.test(name) ? SMALL : isSum ? sumOf(SMALL, ...sizes) : sumOf(SMALL, all);
  return { cost: sumOf(priceOf(name, sizes, all), ...costs), size };
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
  if (FIXED.test(name)) return ONE;
  const prices = Object.hasOwn(SEARCHES, name) ? SEARCHES[name] : undefined;
  if (prices !== undefined)
    return productOf(...sizes.map((size, at) => sumOf(constantOf(2), productOf(constantOf(prices[at] ?? 1), size))));
  // A comparison ends with the shorter value.
  const shortest = COMPARISONS.test(name)
    ? sizes.find((size) => [...size.keys()].every((key) => key === ""))
    : undefined;
  if (shortest !== undefined) return sumOf(ONE, shortest);
  const price = constantOf(name === "@in" || COMPARISONS.test(name) ? 0.5 : 0.1);
  return LINEAR.test(name) ? sumOf(ONE, ...sizes.map((size) => productOf(price, size))) : sumOf(ONE, all);
}

type Comprehension = Extract<Expr, { kind: "comprehension" }>;

function loopBounds(expr: Comprehension, sizes: Sizes, depth: number): Bounds {
  const range = boundsOf(expr.range, sizes, depth);
  const init = boundsOf(expr.accuInit, sizes, depth);
  const element = `e${depth}`;
  const isBinding = expr.range.kind === "list" && expr.range.elements.length === 0;
  // What a loop collects is not larger than the values that its steps add.
  const within: Sizes = (name) => {
    if (name === expr.accuVar) return isBinding ? init.size : constantOf(0);
    return name === expr.iterVar || name === expr.iterVar2 ? variableOf(element) : sizes(name);
  };
  const [condition, step] = [expr.loopCondition, expr.loopStep].map((each) => boundsOf(each, within, depth + 1));
  const count = sumOf(ONE, productOf(constantOf(0.5), range.size));
  const over = (body: Polynomial): Polynomial => sumOver(body, element, range.size, count);
  const collected = isBinding ? init.size : sumOf(init.size, over(step?.size ?? SMALL));
  const after: Sizes = (name) => (name === expr.accuVar ? collected : sizes(name));
  const result = boundsOf(expr.result, after, depth);
  const each = sumOf(ONE, condition?.cost ?? ONE, step?.cost ?? ONE);
  return {
    cost: sumOf(range.cost, init.cost, isBinding ? ONE : over(each), result.cost),
    size: result.size,
  };
}

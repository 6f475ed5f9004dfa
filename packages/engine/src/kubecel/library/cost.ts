/**
 * What calls of library functions cost: the estimate before any data is there, and the actual cost of a call.
 *
 * INVARIANT: estimates are API. A CRD that was accepted yesterday must be accepted tomorrow.
 *
 * Actual sizes are what `size()` returns, so a string counts characters; `traversesElements` counts bytes, as upstream
 * does. The estimate and the actual cost of a function differ in places; both follow apiserver pkg/cel/library/cost.go.
 */
import {
  addRanges,
  Bytes,
  type CallEstimate,
  type CallPrice,
  type CostEstimate,
  type CostNode,
  fixedRange,
  isAsciiText,
  ListValue,
  MapValue,
  multiplyByCostFactor,
  multiplyRanges,
  ONE_RANGE,
  OpaqueValue,
  type OverloadCost,
  runesOf,
  type SizeEstimate,
  type SizeHints,
  type Type,
  UNKNOWN_SIZE,
  type Value,
} from "@portcullis/cel/internal";
import { byteLength } from "@portcullis/gostd/utf8";
import { ObjectView } from "../object-view.ts";

/** Both parts are required. */
export type FunctionCost = Required<OverloadCost>;

/** A cost that depends on the arguments. */
export interface VariableCost extends FunctionCost {
  readonly actual: CallPrice;
}

const STRING_TRAVERSAL_FACTOR = 0.1;
export const REGEX_LENGTH_FACTOR = 0.25;
export const LIST_CREATE_COST = 10;
export const STRUCT_CREATE_COST = 40;

/** Library values that have a size, by which costs are counted. */
export abstract class SizedValue extends OpaqueValue {
  abstract get size(): number;
}

export function fixedCost(cost: number): FunctionCost {
  const estimate: CallEstimate = { cost: fixedRange(cost) };
  return { estimate: () => estimate, actual: cost };
}

export const UNIT_ESTIMATE: CallEstimate = { cost: ONE_RANGE };
export const UNIT_COST: FunctionCost = fixedCost(1);

/** Reads a string from its beginning to its end. */
export const READS_ARGUMENT: VariableCost = {
  estimate: (hints, _target, [text]) => text && { cost: estimatedTraversal(estimatedSize(hints, text)) },
  actual: ([text]) => traversal(actualSize(text)),
};

/** Reads a string and returns a value of the same size. */
export const CONVERTS_ARGUMENT: VariableCost = {
  estimate: (hints, _target, [text]) => text && sameSize(hints, text),
  actual: READS_ARGUMENT.actual,
};

/** Reads the receiver, a string, and returns one of at most its size. */
export const CONVERTS_RECEIVER: VariableCost = {
  estimate: (hints, target) => target && sameSize(hints, target),
  actual: READS_ARGUMENT.actual,
};

export const READS_ARGUMENT_TWICE: VariableCost = {
  estimate: (hints, _target, [text]) => text && { cost: doubleTraversal(estimatedSize(hints, text)) },
  actual: ([text]) => traversal(actualSize(text) * 2),
};

/** Reads the receiver's elements, each of them to its leaves. A string is just read. */
export const TRAVERSES_RECEIVER: VariableCost = {
  estimate: (hints, target) => target && { cost: elementTraversal(hints, target) },
  actual: ([first]) => (first === undefined ? undefined : leafTraversal(first)),
};

/** As above, but a receiver that is not known to be a list counts as one of its size. */
export const SEARCHES_RECEIVER: VariableCost = {
  estimate: (hints, target) => {
    if (target === undefined) return undefined;
    const isList = elementNode(target) !== undefined;
    return { cost: isList ? elementTraversal(hints, target) : multiplyRanges(estimatedSize(hints, target), ONE_RANGE) };
  },
  actual: TRAVERSES_RECEIVER.actual,
};

/** Searches the receiver with a regular expression. At worst each character is a match of its own. */
export const MATCHES_RECEIVER: VariableCost = {
  estimate: (hints, target, [pattern]) => {
    if (target === undefined || pattern === undefined) return undefined;
    const text = estimatedSize(hints, target);
    const textCost = estimatedTraversal(addRanges(text, ONE_RANGE));
    const cost = multiplyRanges(textCost, estimatedPattern(estimatedSize(hints, pattern)));
    return { cost, resultSize: { min: 0n, max: text.max } };
  },
  actual: ([text, pattern]) => matchingCost(actualSize(text), actualSize(pattern)),
};

/** The cost of running a pattern over a text. The text counts one more, so that no pattern is free on an empty one. */
export function matchingCost(textSize: number, patternSize: number): number {
  return traversal(textSize + 1) * Math.ceil(patternSize * REGEX_LENGTH_FACTOR);
}

function estimatedPattern(size: SizeEstimate): CostEstimate {
  return multiplyByCostFactor(size, REGEX_LENGTH_FACTOR);
}

export function traversal(size: number): number {
  return Math.ceil(size * STRING_TRAVERSAL_FACTOR);
}

export function estimatedTraversal(size: SizeEstimate): CostEstimate {
  return multiplyByCostFactor(size, STRING_TRAVERSAL_FACTOR);
}

/** Not twice `estimatedTraversal`: it rounds up once. */
export function doubleTraversal(size: SizeEstimate): CostEstimate {
  return multiplyByCostFactor(size, 2 * STRING_TRAVERSAL_FACTOR);
}

export function estimatedSize(hints: SizeHints, node: CostNode): SizeEstimate {
  return node.computedSize ?? hints.estimateSize(node) ?? UNKNOWN_SIZE;
}

/** Anything without a size, an error among them, counts as one. */
export function actualSize(value: Value | undefined): number {
  if (typeof value === "string") return runesOf(value);
  if (value instanceof Bytes) return value.data.length;
  if (value instanceof ListValue || value instanceof MapValue || value instanceof SizedValue) return value.size;
  return 1;
}

/** The elements of a type with parameters. For a map these are its keys, as upstream has it. */
export function elementNode(node: CostNode): CostNode | undefined {
  const type = firstParameter(node.type);
  if (type === undefined) return undefined;
  const path = node.path.length === 0 ? node.path : [...node.path, "@items"];
  return { path, type, expr: node.expr, computedSize: undefined };
}

function firstParameter(type: Type): Type | undefined {
  switch (type.kind) {
    case "list":
      return type.element;
    case "map":
      return type.key;
    case "opaque":
      return type.params[0];
    default:
      return undefined;
  }
}

function sameSize(hints: SizeHints, node: CostNode): CallEstimate {
  const size = estimatedSize(hints, node);
  return { cost: estimatedTraversal(size), resultSize: size };
}

/** One for each element, plus the traversal of elements that are strings or bytes. */
function elementTraversal(hints: SizeHints, target: CostNode): CostEstimate {
  const element = elementNode(target);
  const size = estimatedSize(hints, target);
  if (element === undefined) return estimatedTraversal(size);
  const hasText = element.type.kind === "string" || element.type.kind === "bytes";
  const each = hasText ? addRanges(ONE_RANGE, estimatedTraversal(estimatedSize(hints, element))) : ONE_RANGE;
  return multiplyRanges(size, each);
}

/** Rounds down, unlike all other costs. */
function leafTraversal(value: Value): number {
  if (typeof value === "string") return Math.trunc(byteSize(value) * STRING_TRAVERSAL_FACTOR);
  if (value instanceof Bytes) return Math.trunc(value.data.length * STRING_TRAVERSAL_FACTOR);
  if (value instanceof ListValue) return listTraversal(value);
  return value instanceof MapValue ? mapTraversal(value) : 1;
}

function byteSize(text: string): number {
  return isAsciiText(text) ? text.length : byteLength(text);
}

function listTraversal(list: ListValue): number {
  let cost = 0;
  for (let index = 0; index < list.size; index++) cost += leafTraversal(list.at(index));
  return cost;
}

function mapTraversal(map: MapValue): number {
  // Upstream's iterator yields an empty slot for each field the schema does not know: one for the key, one for the value.
  let cost = map instanceof ObjectView ? 2 * map.unknownFields() : 0;
  for (const key of map.keys()) cost += leafTraversal(key) + leafTraversal(map.get(key) ?? null);
  return cost;
}

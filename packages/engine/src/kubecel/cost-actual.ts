/**
 * The price of a call that took place.
 *
 * Sizes are what `size()` would say, so a string counts characters; traversal, though, counts bytes, as upstream does.
 */
import { Bytes, type CallPrice, isAsciiText, ListValue, MapValue, runesOf, type Value } from "@portcullis/cel";
import { byteLength } from "@portcullis/gostd/utf8";
import {
  AUTHORIZATION_CHECK_COST,
  COST_PER_REQUIREMENT,
  costsOneUnit,
  LIST_CREATE_COST,
  REGEX_LENGTH_FACTOR,
  REQUIREMENTS_PER_CHARACTER,
  STRING_TRAVERSAL_FACTOR,
} from "./cost-groups.ts";
import {
  AuthorizerValue,
  DecisionValue,
  GroupCheckValue,
  PathCheckValue,
  ResourceCheckValue,
} from "./library/authz.ts";
import { CidrValue } from "./library/cidr.ts";
import { FormatValue } from "./library/format.ts";
import { IpValue } from "./library/ip.ts";
import { QuantityValue } from "./library/quantity.ts";
import { SemverValue } from "./library/semver.ts";
import { UrlValue } from "./library/urls.ts";
import { ObjectView } from "./object-view.ts";

/** How calls of a function are priced; undefined leaves them to the language. */
export function callPrice(functionName: string, overloadId: string): CallPrice | undefined {
  if (costsOneUnit(functionName)) return () => 1;
  const binary = BINARY_PRICES.get(functionName);
  const unary = UNARY_PRICES.get(functionName);
  if (binary === undefined && unary === undefined) return undefined;
  if (binary === undefined && unary !== undefined) {
    return ([first], result) => (first === undefined ? undefined : unary(first, result, overloadId));
  }
  return (args, result) => {
    const [first, second] = args;
    if (first === undefined) return undefined;
    if (binary !== undefined && second !== undefined) return binary(first, second, overloadId);
    return unary?.(first, result, overloadId);
  };
}

type UnaryPrice = (first: Value, result: Value, overloadId: string) => number | undefined;
type BinaryPrice = (first: Value, second: Value, overloadId: string) => number | undefined;

const READ_ONCE: UnaryPrice = (first) => traversing(sizeOf(first));
const READ_TWICE: UnaryPrice = (first) => traversing(sizeOf(first) * 2);
const TO_THE_LEAVES: UnaryPrice = (first) => traversalCost(first);

const UNARY_PRICES: ReadonlyMap<string, UnaryPrice> = new Map<string, UnaryPrice>([
  ["check", () => AUTHORIZATION_CHECK_COST],
  ...named("isSorted sum max min indexOf lastIndexOf", TO_THE_LEAVES),
  ...named("url lowerAscii upperAscii substring trim jsonpatch.escapeKey", READ_ONCE),
  ...named("cidr isIP isCIDR quantity isQuantity semver isSemver", READ_ONCE),
  ...named("replace split ip.isCanonical", READ_TWICE),
  ["ip", (first, _result, overloadId) => (overloadId === "cidr_ip" ? 1 : traversing(sizeOf(first)))],
  ["join", (_first, result) => traversing(sizeOf(result) * 2)],
]);

const BINARY_PRICES: ReadonlyMap<string, BinaryPrice> = new Map<string, BinaryPrice>([
  ["_==_", (first) => (hasUnitEquality(first) ? 1 : undefined)],
  ...named("fieldSelector labelSelector", (_first, second) => selectorCost(sizeOf(second))),
  ...named("find findAll", (first, second) => matching(sizeOf(first), sizeOf(second))),
  [
    "validate",
    (first, second) => (first instanceof FormatValue ? matching(sizeOf(second), first.format.regexSize) : undefined),
  ],
  ["containsIP", containsIpCost],
  ["containsCIDR", containsCidrCost],
]);

function named<P extends UnaryPrice | BinaryPrice>(names: string, price: P): (readonly [string, P])[] {
  return names.split(" ").map((name) => [name, price] as const);
}

function containsIpCost(network: Value, address: Value, overloadId: string): number {
  const parsing = overloadId === "cidr_contains_ip_string" ? traversing(sizeOf(address)) : 0;
  return traversing(sizeOf(network) * 2) + parsing;
}

/** Comparing the bytes of two networks, masking one of them, and parsing the other where it is text. */
function containsCidrCost(network: Value, other: Value, overloadId: string): number {
  const size = sizeOf(network);
  const parsed = overloadId === "cidr_contains_cidr_string" ? sizeOf(other) : 0;
  return traversing(size * 2) + traversing(size) + 1 + traversing(parsed);
}

/** Parsing a selector into a list of requirements. */
function selectorCost(length: number): number {
  const requirements = Math.ceil(length * REQUIREMENTS_PER_CHARACTER);
  return LIST_CREATE_COST + traversing(length) + requirements * COST_PER_REQUIREMENT;
}

/** Running a pattern over a text. The text counts one more, so that an empty one does not make a pattern free. */
function matching(textSize: number, patternSize: number): number {
  return traversing(textSize + 1) * Math.ceil(patternSize * REGEX_LENGTH_FACTOR);
}

function traversing(size: number): number {
  return Math.ceil(size * STRING_TRAVERSAL_FACTOR);
}

function sizeOf(value: Value): number {
  if (typeof value === "string") return runesOf(value);
  if (value instanceof Bytes) return value.data.length;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  return value instanceof IpValue || value instanceof CidrValue ? value.size : 1;
}

/** The cost of reading a value to its leaves. Rounds down, unlike everything else. */
function traversalCost(value: Value): number {
  if (typeof value === "string") return Math.trunc(bytesOf(value) * STRING_TRAVERSAL_FACTOR);
  if (value instanceof Bytes) return Math.trunc(value.data.length * STRING_TRAVERSAL_FACTOR);
  if (value instanceof ListValue) return listTraversalCost(value);
  return value instanceof MapValue ? mapTraversalCost(value) : 1;
}

function bytesOf(text: string): number {
  return isAsciiText(text) ? text.length : byteLength(text);
}

function listTraversalCost(list: ListValue): number {
  let cost = 0;
  for (let index = 0; index < list.size; index++) cost += traversalCost(list.at(index));
  return cost;
}

function mapTraversalCost(map: MapValue): number {
  // Upstream's iterator yields an empty slot for each field the schema does not know: one for the key, one for the value.
  let cost = map instanceof ObjectView ? 2 * map.unknownFields() : 0;
  for (const key of map.keys()) cost += traversalCost(key) + traversalCost(map.get(key) ?? null);
  return cost;
}

const UNIT_EQUALITY = [
  QuantityValue,
  IpValue,
  CidrValue,
  FormatValue,
  UrlValue,
  SemverValue,
  AuthorizerValue,
  PathCheckValue,
  GroupCheckValue,
  ResourceCheckValue,
  DecisionValue,
];

function hasUnitEquality(value: Value): boolean {
  return UNIT_EQUALITY.some((kind) => value instanceof kind);
}

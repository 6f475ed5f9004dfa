/**
 * The price of a call that took place.
 *
 * Sizes are what `size()` would say, so a string counts characters; traversal, though, counts bytes, as upstream does.
 */
import { Bytes, ListValue, MapValue, type Value } from "@portcullis/cel";
import { byteLength, countRunes } from "@portcullis/gostd/utf8";
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

/** `args` has the receiver first. Undefined leaves the price to the language. */
export function callCost(
  functionName: string,
  overloadId: string,
  args: readonly Value[],
  result: Value,
): number | undefined {
  if (costsOneUnit(functionName)) return 1;
  const [first, second] = args;
  switch (functionName) {
    case "check":
      return AUTHORIZATION_CHECK_COST;
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return first === undefined ? 0 : traversalCost(first);
    case "_==_":
      return args.length === 2 && first !== undefined && hasUnitEquality(first) ? 1 : undefined;
    default:
      if (first === undefined) return undefined;
      return second === undefined
        ? unaryCost(functionName, overloadId, first, result)
        : binaryCost(functionName, overloadId, first, second, result);
  }
}

function unaryCost(functionName: string, overloadId: string, first: Value, result: Value): number | undefined {
  switch (functionName) {
    case "url":
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
    case "jsonpatch.escapeKey":
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return traversing(sizeOf(first));
    case "ip":
      return overloadId === "cidr_ip" ? 1 : traversing(sizeOf(first));
    case "replace":
    case "split":
    case "ip.isCanonical":
      return traversing(sizeOf(first) * 2);
    case "join":
      return traversing(sizeOf(result) * 2);
    default:
      return undefined;
  }
}

function binaryCost(
  functionName: string,
  overloadId: string,
  first: Value,
  second: Value,
  result: Value,
): number | undefined {
  switch (functionName) {
    case "fieldSelector":
    case "labelSelector":
      return selectorCost(sizeOf(second));
    case "find":
    case "findAll":
      return matching(sizeOf(first), sizeOf(second));
    case "validate":
      return first instanceof FormatValue ? matching(sizeOf(second), first.format.regexSize) : undefined;
    case "containsIP":
      return (
        traversing(sizeOf(first) * 2) + (overloadId === "cidr_contains_ip_string" ? traversing(sizeOf(second)) : 0)
      );
    case "containsCIDR":
      return containsCidrCost(sizeOf(first), overloadId === "cidr_contains_cidr_string" ? sizeOf(second) : 0);
    default:
      return unaryCost(functionName, overloadId, first, result);
  }
}

/** Comparing the bytes of two networks, masking one of them, and parsing the other where it is text. */
function containsCidrCost(size: number, parsed: number): number {
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
  if (typeof value === "string") return countRunes(value);
  if (value instanceof Bytes) return value.data.length;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  return value instanceof IpValue || value instanceof CidrValue ? value.size : 1;
}

/** The cost of reading a value to its leaves. Rounds down, unlike everything else. */
function traversalCost(value: Value): number {
  if (typeof value === "string") return Math.trunc(byteLength(value) * STRING_TRAVERSAL_FACTOR);
  if (value instanceof Bytes) return Math.trunc(value.data.length * STRING_TRAVERSAL_FACTOR);
  if (value instanceof ListValue) return listTraversalCost(value);
  return value instanceof MapValue ? mapTraversalCost(value) : 1;
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

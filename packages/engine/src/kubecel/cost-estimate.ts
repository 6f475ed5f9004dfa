/**
 * The price a call may have, before any data is there.
 *
 * INVARIANT: estimates are API. A CRD that was accepted yesterday must be accepted tomorrow.
 */
import {
  addRanges,
  type CallEstimate,
  type CostEstimate,
  type CostNode,
  fixedRange,
  multiplyByCostFactor,
  multiplyRanges,
  ONE_RANGE,
  type SizeEstimate,
  type SizeHints,
  type Type,
  UNKNOWN_SIZE,
} from "@portcullis/cel";
import {
  AUTHORIZATION_CHECK_COST,
  COST_PER_REQUIREMENT,
  costsOneUnit,
  LIST_CREATE_COST,
  REGEX_LENGTH_FACTOR,
  REQUIREMENTS_PER_CHARACTER,
  STRING_TRAVERSAL_FACTOR,
} from "./cost-groups.ts";
import { joinedSize, replacedSize, splitSize } from "./cost-strings.ts";
import {
  AUTHORIZER_TYPE,
  DECISION_TYPE,
  GROUP_CHECK_TYPE,
  PATH_CHECK_TYPE,
  RESOURCE_CHECK_TYPE,
} from "./library/authz.ts";
import { CIDR_TYPE } from "./library/cidr.ts";
import { FORMAT_TYPE } from "./library/format.ts";
import { IP_TYPE } from "./library/ip.ts";
import { QUANTITY_TYPE } from "./library/quantity.ts";
import { SEMVER_TYPE } from "./library/semver.ts";
import { URL_TYPE } from "./library/urls.ts";
import { MAX_FORMAT_SIZE, MAX_NAME_FORMAT_REGEX_SIZE } from "./limits.ts";

/** Undefined leaves the price to the language. */
export function estimateCall(
  functionName: string,
  overloadId: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
  hints: SizeHints,
): CallEstimate | undefined {
  if (costsOneUnit(functionName)) return ONE;
  if (functionName === "check") return { cost: fixedRange(AUTHORIZATION_CHECK_COST) };
  if (functionName === "ip" && overloadId === "cidr_ip") return ONE;
  const sizeOf = (node: CostNode): SizeEstimate => node.computedSize ?? hints.estimateSize(node) ?? UNKNOWN_SIZE;
  return (
    (target && estimateMethod(functionName, target, args, sizeOf)) ??
    (args.length > 0 ? estimateFunction(functionName, overloadId, args, sizeOf) : undefined)
  );
}

type SizeOf = (node: CostNode) => SizeEstimate;

const ONE: CallEstimate = { cost: ONE_RANGE };

function estimateMethod(
  functionName: string,
  target: CostNode,
  args: readonly CostNode[],
  sizeOf: SizeOf,
): CallEstimate | undefined {
  const [first, second] = args;
  switch (functionName) {
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return { cost: listTraversal(target, sizeOf) };
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
      return { cost: traversing(sizeOf(target)), resultSize: sizeOf(target) };
    case "replace":
      if (first === undefined || second === undefined) return undefined;
      return doubled(sizeOf(target), replacedSize(sizeOf(target), sizeOf(first), sizeOf(second)));
    case "split":
      return doubled(sizeOf(target), splitSize(sizeOf(target), second));
    case "join":
      return joining(target, first, sizeOf);
    case "find":
    case "findAll":
      return first && matching(sizeOf(target), sizeOf(first));
    default:
      return undefined;
  }
}

function estimateFunction(
  functionName: string,
  overloadId: string,
  args: readonly CostNode[],
  sizeOf: SizeOf,
): CallEstimate | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  switch (functionName) {
    case "fieldSelector":
    case "labelSelector":
      return args.length === 1 ? { cost: selectorCost(sizeOf(first)) } : undefined;
    case "url":
    case "jsonpatch.escapeKey":
      if (args.length !== 1) return undefined;
      return { cost: traversing(sizeOf(first)), resultSize: sizeOf(first) };
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "ip":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return { cost: traversing(sizeOf(first)) };
    case "ip.isCanonical":
      return { cost: multiplyByCostFactor(sizeOf(first), 2 * STRING_TRAVERSAL_FACTOR) };
    case "containsIP":
      return { cost: containsCost(overloadId === "cidr_contains_ip_string" ? sizeOf(first) : undefined) };
    case "containsCIDR":
      return { cost: containsCidrCost(overloadId === "cidr_contains_cidr_string" ? sizeOf(first) : undefined) };
    case "validate":
      return { cost: validateCost(sizeOf(first)) };
    case "_==_":
      return args.length === 2 && second !== undefined ? estimateEquality(first, second) : undefined;
    default:
      return undefined;
  }
}

/** One for each element, and for strings and bytes the reading of all of them. A string itself is just read. */
function listTraversal(target: CostNode, sizeOf: SizeOf): CostEstimate {
  const element = elementNode(target);
  if (element === undefined) return traversing(sizeOf(target));
  const hasText = element.type.kind === "string" || element.type.kind === "bytes";
  const each = hasText ? addRanges(ONE_RANGE, traversing(sizeOf(element))) : ONE_RANGE;
  return multiplyRanges(sizeOf(target), each);
}

function joining(target: CostNode, separator: CostNode | undefined, sizeOf: SizeOf): CallEstimate {
  const element = elementNode(target);
  const size = joinedSize(sizeOf(target), element && sizeOf(element), separator && sizeOf(separator));
  return { cost: traversing(size), resultSize: size };
}

function matching(text: SizeEstimate, pattern: SizeEstimate): CallEstimate {
  const textCost = traversing(addRanges(text, ONE_RANGE));
  const cost = multiplyRanges(textCost, multiplyByCostFactor(pattern, REGEX_LENGTH_FACTOR));
  // At worst each character is a match of its own.
  return { cost, resultSize: { min: 0n, max: text.max } };
}

function doubled(size: SizeEstimate, resultSize: SizeEstimate): CallEstimate {
  return { cost: multiplyByCostFactor(size, 2 * STRING_TRAVERSAL_FACTOR), resultSize };
}

/** The bytes of an IPv4 or IPv6 address. */
const ADDRESS_SIZE: SizeEstimate = { min: 4n, max: 16n };

function containsCost(parsed: SizeEstimate | undefined): CostEstimate {
  const compared = traversing(addRanges(ADDRESS_SIZE, ADDRESS_SIZE));
  return parsed === undefined ? compared : addRanges(compared, traversing(parsed));
}

function containsCidrCost(parsed: SizeEstimate | undefined): CostEstimate {
  return addRanges(addRanges(containsCost(parsed), traversing(ADDRESS_SIZE)), ONE_RANGE);
}

function validateCost(text: SizeEstimate): CostEstimate {
  return multiplyByCostFactor(traversing(text), MAX_NAME_FORMAT_REGEX_SIZE * REGEX_LENGTH_FACTOR);
}

function selectorCost(length: SizeEstimate): CostEstimate {
  const requirements = multiplyByCostFactor(length, REQUIREMENTS_PER_CHARACTER);
  const base = addRanges(fixedRange(LIST_CREATE_COST), traversing(length));
  return addRanges(base, multiplyByCostFactor(requirements, COST_PER_REQUIREMENT));
}

const UNIT_EQUALITY: ReadonlySet<string> = new Set(
  [
    ...[IP_TYPE, CIDR_TYPE, QUANTITY_TYPE, SEMVER_TYPE, AUTHORIZER_TYPE, PATH_CHECK_TYPE],
    ...[GROUP_CHECK_TYPE, RESOURCE_CHECK_TYPE, DECISION_TYPE],
  ].map(nameOf),
);

function estimateEquality(left: CostNode, right: CostNode): CallEstimate | undefined {
  const name = nameOf(left.type);
  if (name === "" || name !== nameOf(right.type)) return undefined;
  if (UNIT_EQUALITY.has(name)) return ONE;
  if (name === nameOf(FORMAT_TYPE)) return { cost: traversing({ min: 1n, max: BigInt(MAX_FORMAT_SIZE) }) };
  // Upstream means both sides and asks the right one twice.
  if (name === nameOf(URL_TYPE)) return { cost: traversing({ min: 1n, max: right.computedSize?.max ?? 1n }) };
  return undefined;
}

function nameOf(type: Type): string {
  return type.kind === "object" || type.kind === "opaque" ? type.name : "";
}

function traversing(size: SizeEstimate): CostEstimate {
  return multiplyByCostFactor(size, STRING_TRAVERSAL_FACTOR);
}

/** The elements of what has a type with parameters: for a map that is its keys, of whatever use that is. */
function elementNode(node: CostNode): CostNode | undefined {
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

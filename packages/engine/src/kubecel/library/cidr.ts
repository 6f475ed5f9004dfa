/**
 * Networks in CIDR notation. Bits beyond the mask are kept until `masked()`.
 *
 * As upstream, the error of a network that does not parse has its preamble twice, and an address that does not parse
 * makes `containsIP` return "no such overload". Follows apiserver pkg/cel/library/cidr.go.
 */
import {
  addRanges,
  BOOL,
  CelError,
  INT,
  noSuchOverload,
  ONE_RANGE,
  opaqueType,
  type SizeEstimate,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel/internal";
import {
  equalPrefix,
  formatPrefix,
  is4In6,
  masked,
  type Prefix,
  parsePrefix,
  prefixContains,
  prefixOverlaps,
} from "@portcullis/gostd/netip";
import type { Result } from "@portcullis/gostd/result";
import { ipv4MappedAddress, networkParseError } from "../messages.ts";
import {
  actualSize,
  estimatedTraversal,
  READS_ARGUMENT,
  SizedValue,
  traversal,
  UNIT_COST,
  type VariableCost,
} from "./cost.ts";
import { defineLibrary, unitEquality } from "./define.ts";
import { IP_TYPE, IpValue, toIp } from "./ip.ts";
import { isParsed, onOne, unfit } from "./operands.ts";

const CIDR_TYPE: Type = opaqueType("net.CIDR");

export class CidrValue extends SizedValue {
  readonly type = CIDR_TYPE;
  readonly prefix: Prefix;
  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }
  /** The prefix in whole bytes. */
  get size(): number {
    return Math.ceil(this.prefix.bits / 8);
  }
  override get goTypeName(): string {
    return "cel.CIDR";
  }
  equalTo(other: Value): boolean | CelError {
    if (other instanceof CidrValue) return equalPrefix(this.prefix, other.prefix);
    return unfit(other);
  }
}

/** The bytes of an IPv4 or IPv6 address. */
const ADDRESS_SIZE: SizeEstimate = { min: 4n, max: 16n };
const COMPARISON_ESTIMATE = estimatedTraversal(addRanges(ADDRESS_SIZE, ADDRESS_SIZE));
/** Comparing the bytes of two networks and masking one of them. */
const CIDR_COMPARISON_ESTIMATE = addRanges(addRanges(COMPARISON_ESTIMATE, estimatedTraversal(ADDRESS_SIZE)), ONE_RANGE);

const CONTAINS_IP_COST: VariableCost = {
  estimate: () => ({ cost: COMPARISON_ESTIMATE }),
  actual: ([network]) => traversal(actualSize(network) * 2),
};

const CONTAINS_CIDR_COST: VariableCost = {
  estimate: () => ({ cost: CIDR_COMPARISON_ESTIMATE }),
  actual: ([network]) => traversal(actualSize(network) * 2) + traversal(actualSize(network)) + 1,
};

/** The argument is a string that is parsed first. */
function parsingArgument(cost: VariableCost): VariableCost {
  return {
    estimate: (hints, target, args) => {
      const [compared, parsed] = [cost.estimate(hints, target, args), READS_ARGUMENT.estimate(hints, target, args)];
      return compared && parsed && { cost: addRanges(compared.cost, parsed.cost) };
    },
    actual: (args, result) => (cost.actual(args, result) ?? 0) + traversal(actualSize(args[1])),
  };
}

// biome-ignore format: a table
export const cidrLibrary = defineLibrary({
  name: "kubernetes.net.cidr",
  types: [CIDR_TYPE],
  equality: [unitEquality(CIDR_TYPE)],
  functions: [
    {
      name: "cidr", id: "string_to_cidr", params: [STRING], result: CIDR_TYPE, cost: READS_ARGUMENT,
      call: (text) => toCidr(text),
      doc: "parses a network in CIDR notation; bits beyond the prefix are kept until `masked`",
      example: "cidr('10.0.0.0/8').prefixLength() == 8",
    },
    {
      name: "containsIP", id: "cidr_contains_ip_string", on: CIDR_TYPE, params: [STRING], result: BOOL, cost: parsingArgument(CONTAINS_IP_COST),
      call: (cidr, text) => containsIp(cidr, toIp(text)),
      doc: "returns true if the network contains the address, given as a string",
      example: "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
    },
    {
      name: "containsIP", id: "cidr_contains_ip_ip", on: CIDR_TYPE, params: [IP_TYPE], result: BOOL, cost: CONTAINS_IP_COST, pricesDynamicCalls: true,
      call: containsIp,
      doc: "returns true if the network contains the address",
      example: "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))",
    },
    {
      name: "containsCIDR", id: "cidr_contains_cidr_string", on: CIDR_TYPE, params: [STRING], result: BOOL, cost: parsingArgument(CONTAINS_CIDR_COST),
      call: (cidr, text) => containsCidr(cidr, toCidr(text)),
      doc: "returns true if the network contains all of the other, given as a string",
      example: "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
    },
    {
      name: "containsCIDR", id: "cidr_contains_cidr", on: CIDR_TYPE, params: [CIDR_TYPE], result: BOOL, cost: CONTAINS_CIDR_COST, pricesDynamicCalls: true,
      call: containsCidr,
      doc: "returns true if the network contains all of the other",
      example: "!cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
    },
    {
      name: "ip", id: "cidr_ip", on: CIDR_TYPE, params: [], result: IP_TYPE, cost: UNIT_COST,
      call: property((prefix) => new IpValue(prefix.addr)),
      doc: "returns the address of the network as it was written",
      example: "cidr('10.1.2.3/8').ip() == ip('10.1.2.3')",
    },
    {
      name: "prefixLength", id: "cidr_prefix_length", on: CIDR_TYPE, params: [], result: INT, cost: UNIT_COST,
      call: property((prefix) => prefix.bits),
      doc: "returns the number of bits of the prefix",
      example: "cidr('10.0.0.0/8').prefixLength() == 8",
    },
    {
      name: "masked", id: "cidr_masked", on: CIDR_TYPE, params: [], result: CIDR_TYPE, cost: UNIT_COST,
      call: property((prefix) => new CidrValue(masked(prefix))),
      doc: "sets the bits beyond the prefix to zero",
      example: "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
    },
    {
      name: "isCIDR", id: "is_cidr", params: [STRING], result: BOOL, cost: READS_ARGUMENT,
      call: isParsed(parseCidr),
      doc: "returns true if `cidr` would parse the string",
      example: "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0/33')",
    },
    {
      name: "string", id: "cidr_to_string", params: [CIDR_TYPE], result: STRING, cost: UNIT_COST,
      call: property(formatPrefix),
      doc: "converts a network to its text in CIDR notation",
      example: "string(cidr('10.1.2.3/8').masked()) == '10.0.0.0/8'",
    },
  ],
});

function toCidr(text: Value = null): CidrValue | CelError {
  if (typeof text !== "string") return unfit(text);
  const parsed = parseCidr(text);
  if (parsed.error === undefined) return new CidrValue(parsed.value);
  return new CelError(networkParseError(parsed.error));
}

function containsIp(cidr: Value = null, ip: Value = null): Value {
  if (!(cidr instanceof CidrValue) || !(ip instanceof IpValue)) return noSuchOverload();
  return prefixContains(cidr.prefix, ip.addr);
}

function containsCidr(cidr: Value = null, other: Value = null): Value {
  if (other instanceof CelError) return other;
  if (!(cidr instanceof CidrValue) || !(other instanceof CidrValue)) return noSuchOverload();
  return prefixOverlaps(cidr.prefix, other.prefix) && cidr.prefix.bits <= other.prefix.bits;
}

function property(read: (prefix: Prefix) => Value): (value?: Value) => Value {
  return onOne(CidrValue, ({ prefix }) => read(prefix));
}

function parseCidr(text: string): Result<Prefix> {
  const parsed = parsePrefix(text);
  if (parsed.error !== undefined) return { error: networkParseError(parsed.error) };
  if (is4In6(parsed.value.addr)) return { error: ipv4MappedAddress(text) };
  return parsed;
}

/**
 * Networks in CIDR notation. Bits beyond the mask are kept until `masked()`.
 *
 * Two things upstream does are kept: a network that does not parse is reported with its preamble twice, and an address
 * that does not parse makes `containsIP` answer "no such overload". Follows apiserver pkg/cel/library/cidr.go.
 */
import {
  BOOL,
  CelError,
  fn,
  global,
  INT,
  type Library,
  method,
  noSuchOverload,
  OpaqueValue,
  opaqueType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel";
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
import { IP_TYPE, IpValue, toIp } from "./ip.ts";
import { isParsed, onOne, unfit } from "./operands.ts";

export const CIDR_TYPE: Type = opaqueType("net.CIDR");

export class CidrValue extends OpaqueValue {
  readonly type = CIDR_TYPE;
  readonly prefix: Prefix;
  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }
  /** The prefix in whole bytes; what costs are counted by. */
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

// biome-ignore format: a table
export const cidrLibrary: Library = {
  name: "kubernetes.net.cidr",
  types: [CIDR_TYPE],
  functions: [
    fn("cidr", [global("string_to_cidr", [STRING], CIDR_TYPE, (text) => toCidr(text))]),
    fn("containsIP", [
      method("cidr_contains_ip_string", CIDR_TYPE, [STRING], BOOL, (cidr, text) => containsIp(cidr, toIp(text))),
      method("cidr_contains_ip_ip", CIDR_TYPE, [IP_TYPE], BOOL, containsIp),
    ]),
    fn("containsCIDR", [
      method("cidr_contains_cidr_string", CIDR_TYPE, [STRING], BOOL, (cidr, text) => containsCidr(cidr, toCidr(text))),
      method("cidr_contains_cidr", CIDR_TYPE, [CIDR_TYPE], BOOL, containsCidr),
    ]),
    fn("ip",           [method("cidr_ip", CIDR_TYPE, [], IP_TYPE, property((prefix) => new IpValue(prefix.addr)))]),
    fn("prefixLength", [method("cidr_prefix_length", CIDR_TYPE, [], INT, property((prefix) => prefix.bits))]),
    fn("masked",       [method("cidr_masked", CIDR_TYPE, [], CIDR_TYPE, property((prefix) => new CidrValue(masked(prefix))))]),
    fn("isCIDR",       [global("is_cidr", [STRING], BOOL, isParsed(parseCidr))]),
    fn("string",       [global("cidr_to_string", [CIDR_TYPE], STRING, property(formatPrefix))]),
  ],
};

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

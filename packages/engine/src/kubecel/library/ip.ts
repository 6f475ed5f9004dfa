/**
 * IP addresses. Zones and IPv4-mapped IPv6 addresses are refused. Follows apiserver pkg/cel/library/ip.go.
 */
import {
  BOOL,
  CelError,
  fn,
  global,
  INT,
  type Library,
  method,
  OpaqueValue,
  opaqueType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel";
import {
  type Addr,
  equalAddr,
  formatAddr,
  is4In6,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseAddr,
} from "@portcullis/gostd/netip";
import type { Result } from "@portcullis/gostd/result";
import { ipParseError, ipv4MappedAddress, ipWithZone } from "../messages.ts";
import { isParsed, onOne, unfit } from "./operands.ts";

export const IP_TYPE: Type = opaqueType("net.IP");

export class IpValue extends OpaqueValue {
  readonly type = IP_TYPE;
  readonly addr: Addr;
  constructor(addr: Addr) {
    super();
    this.addr = addr;
  }
  /** In bytes; what costs are counted by. */
  get size(): number {
    return this.addr.family === 4 ? 4 : 16;
  }
  override get goTypeName(): string {
    return "cel.IP";
  }
  equalTo(other: Value): boolean | CelError {
    if (other instanceof IpValue) return equalAddr(this.addr, other.addr);
    return unfit(other);
  }
}

// biome-ignore format: a table
export const ipLibrary: Library = {
  name: "kubernetes.net.ip",
  types: [IP_TYPE],
  functions: [
    fn("ip",                   [global("string_to_ip", [STRING], IP_TYPE, (text) => toIp(text))]),
    fn("family",               [method("ip_family", IP_TYPE, [], INT, property((addr) => addr.family))]),
    fn("ip.isCanonical",       [global("ip_is_canonical", [STRING], BOOL, isCanonical)]),
    fn("isUnspecified",        [method("ip_is_unspecified", IP_TYPE, [], BOOL, property(isUnspecified))]),
    fn("isLoopback",           [method("ip_is_loopback", IP_TYPE, [], BOOL, property(isLoopback))]),
    fn("isLinkLocalMulticast", [method("ip_is_link_local_multicast", IP_TYPE, [], BOOL, property(isLinkLocalMulticast))]),
    fn("isLinkLocalUnicast",   [method("ip_is_link_local_unicast", IP_TYPE, [], BOOL, property(isLinkLocalUnicast))]),
    fn("isGlobalUnicast",      [method("ip_is_global_unicast", IP_TYPE, [], BOOL, property(isGlobalUnicast))]),
    fn("isIP",                 [global("is_ip", [STRING], BOOL, isParsed(parseIp))]),
    fn("string",               [global("ip_to_string", [IP_TYPE], STRING, property(formatAddr))]),
  ],
};

export function toIp(text: Value = null): IpValue | CelError {
  if (typeof text !== "string") return unfit(text);
  const parsed = parseIp(text);
  return parsed.error === undefined ? new IpValue(parsed.value) : new CelError(parsed.error);
}

function isCanonical(text: Value = null): Value {
  const ip = toIp(text);
  return ip instanceof IpValue ? formatAddr(ip.addr) === text : ip;
}

function property(read: (addr: Addr) => Value): (value?: Value) => Value {
  return onOne(IpValue, ({ addr }) => read(addr));
}

function parseIp(text: string): Result<Addr> {
  const parsed = parseAddr(text);
  if (parsed.error !== undefined) return { error: ipParseError(text, parsed.error) };
  if (parsed.value.zone !== "") return { error: ipWithZone(text) };
  if (is4In6(parsed.value)) return { error: ipv4MappedAddress(text) };
  return parsed;
}

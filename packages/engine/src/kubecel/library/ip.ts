/**
 * IP addresses. Zones and IPv4-mapped IPv6 addresses are errors. Follows apiserver pkg/cel/library/ip.go.
 */
import { BOOL, CelError, INT, opaqueType, STRING, type Type, type Value } from "@portcullis/cel";
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
import { READS_ARGUMENT, READS_ARGUMENT_TWICE, SizedValue, UNIT_COST } from "./cost.ts";
import { defineLibrary, unitEquality } from "./define.ts";
import { isParsed, onOne, unfit } from "./operands.ts";

export const IP_TYPE: Type = opaqueType("net.IP");

export class IpValue extends SizedValue {
  readonly type = IP_TYPE;
  readonly addr: Addr;
  constructor(addr: Addr) {
    super();
    this.addr = addr;
  }
  /** In bytes. */
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
export const ipLibrary = defineLibrary({
  name: "kubernetes.net.ip",
  types: [IP_TYPE],
  equality: [unitEquality(IP_TYPE)],
  functions: [
    {
      name: "ip", id: "string_to_ip", params: [STRING], result: IP_TYPE, cost: READS_ARGUMENT,
      call: (text) => toIp(text),
      doc: "parses an IPv4 or IPv6 address; zones and IPv4-mapped IPv6 addresses are errors",
      example: "ip('192.168.0.1').family() == 4",
    },
    {
      name: "family", id: "ip_family", on: IP_TYPE, params: [], result: INT, cost: UNIT_COST,
      call: property((addr) => addr.family),
      doc: "returns 4 for an IPv4 address and 6 for an IPv6 address",
      example: "ip('::1').family() == 6",
    },
    {
      name: "ip.isCanonical", id: "ip_is_canonical", params: [STRING], result: BOOL, cost: READS_ARGUMENT_TWICE,
      call: isCanonical,
      doc: "returns true if the address is written in its canonical form; an error if it is not an address",
      example: "ip.isCanonical('::1') && !ip.isCanonical('0:0::1')",
    },
    {
      name: "isUnspecified", id: "ip_is_unspecified", on: IP_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: property(isUnspecified),
      doc: "returns true for 0.0.0.0 and ::",
      example: "ip('0.0.0.0').isUnspecified()",
    },
    {
      name: "isLoopback", id: "ip_is_loopback", on: IP_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: property(isLoopback),
      doc: "returns true for addresses in 127.0.0.0/8 and for ::1",
      example: "ip('127.0.0.1').isLoopback()",
    },
    {
      name: "isLinkLocalMulticast", id: "ip_is_link_local_multicast", on: IP_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: property(isLinkLocalMulticast),
      doc: "returns true for addresses in 224.0.0.0/24 and ff02::/16",
      example: "ip('224.0.0.1').isLinkLocalMulticast()",
    },
    {
      name: "isLinkLocalUnicast", id: "ip_is_link_local_unicast", on: IP_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: property(isLinkLocalUnicast),
      doc: "returns true for addresses in 169.254.0.0/16 and fe80::/10",
      example: "ip('169.254.169.254').isLinkLocalUnicast()",
    },
    {
      name: "isGlobalUnicast", id: "ip_is_global_unicast", on: IP_TYPE, params: [], result: BOOL, cost: UNIT_COST,
      call: property(isGlobalUnicast),
      doc: "returns true for unicast addresses, private ones included; false for unspecified, loopback, link-local, multicast and broadcast addresses",
      example: "ip('10.0.0.1').isGlobalUnicast()",
    },
    {
      name: "isIP", id: "is_ip", params: [STRING], result: BOOL, cost: READS_ARGUMENT,
      call: isParsed(parseIp),
      doc: "returns true if `ip` would parse the string",
      example: "isIP('::1') && !isIP('1.2.3')",
    },
    {
      name: "string", id: "ip_to_string", params: [IP_TYPE], result: STRING, cost: UNIT_COST,
      call: property(formatAddr),
      doc: "converts an address to its canonical text",
      example: "string(ip('0:0::1')) == '::1'",
    },
  ],
});

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

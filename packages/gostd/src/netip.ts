/**
 * IP addresses and prefixes of Go's net/netip, with its error messages.
 *
 * An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) stays an IPv6 address, but its properties (loopback and so on)
 * are those of the IPv4 address inside.
 */
import { addrError, badPrefixBits, prefixError } from "./messages.ts";
import type { Result } from "./result.ts";
import { compareStrings } from "./utf8.ts";

/** `netip.Addr`. Example: `parseAddr("::1").value`. */
export interface Addr {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** IPv6 scope, without the `%`; empty when there is none. */
  readonly zone: string;
}

/** `netip.Prefix`. Example: `parsePrefix("10.0.0.0/8").value`. */
export interface Prefix {
  readonly addr: Addr;
  readonly bits: number;
}

/** `netip.ParseAddr`. Example: `parseAddr("1.2.3").error`. */
export function parseAddr(text: string): Result<Addr> {
  const first = /[.:%]/.exec(text)?.[0];
  const parsed =
    first === "." ? parseIpv4(text) : first === ":" ? parseIpv6(text) : { problem: first === "%" ? NO_ADDRESS : NO_IP };
  return "problem" in parsed ? { error: addrError(text, parsed.problem, parsed.at ?? "") } : { value: parsed };
}

const NO_ADDRESS = "missing IPv6 address";
const NO_IP = "unable to parse IP";
const V4_MAX = 0xffff_ffffn;
const V6_MAX = (1n << 128n) - 1n;
const MAPPED_PREFIX = 0xffffn;

interface Problem {
  readonly problem: string;
  /** The invalid part of the input, if the message has it. */
  readonly at?: string;
}

function parseIpv4(text: string): Addr | Problem {
  const value = readIpv4Fields(text);
  return typeof value === "bigint" ? { family: 4, value, zone: "" } : value;
}

function readIpv4Fields(text: string): bigint | Problem {
  let value = 0n;
  let fields = 0;
  let digits = 0;
  let field = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x30 && unit <= 0x39) {
      if (digits === 1 && field === 0) return { problem: "IPv4 field has octet with leading zero" };
      field = field * 10 + unit - 0x30;
      digits++;
      if (field > 255) return { problem: "IPv4 field has value >255" };
    } else if (unit === 0x2e) {
      if (digits === 0 || i === text.length - 1) {
        return { problem: "IPv4 field must have at least one digit", at: text.slice(i) };
      }
      if (fields === 3) return { problem: "IPv4 address too long" };
      value = (value << 8n) | BigInt(field);
      fields++;
      field = 0;
      digits = 0;
    } else {
      return { problem: "unexpected character", at: text.slice(i) };
    }
  }
  return fields < 3 ? { problem: "IPv4 address too short" } : (value << 8n) | BigInt(field);
}

function parseIpv6(text: string): Addr | Problem {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent + 1);
  if (percent >= 0 && zone === "") return { problem: "zone must be a non-empty string" };
  const groups = readGroups(percent < 0 ? text : text.slice(0, percent));
  if ("problem" in groups) return groups;
  const value = joinGroups(groups);
  return typeof value === "bigint" ? { family: 6, value, zone } : value;
}

interface Groups {
  readonly values: readonly number[];
  /** The number of groups before the `::`, or -1 without one. */
  readonly ellipsis: number;
}

/** Walks `hex:hex::hex` from left to right; an IPv4 tail counts as two groups. */
function readGroups(text: string): Groups | Problem {
  const values: number[] = [];
  let ellipsis = -1;
  let rest = text;
  if (rest.startsWith("::")) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === "") return { values, ellipsis };
  }
  while (values.length < 8) {
    const hex = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? "";
    if (hex.length > 4) return { problem: "each group must have 4 or less digits", at: rest };
    if (hex === "") return { problem: "each colon-separated field must have at least one digit", at: rest };
    if (rest.charAt(hex.length) === ".") return appendIpv4Tail(values, ellipsis, rest);
    values.push(Number.parseInt(hex, 16));
    rest = rest.slice(hex.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) return { problem: "unexpected character, want colon", at: rest };
    if (rest.length === 1) return { problem: "colon must be followed by more characters", at: rest };
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (ellipsis >= 0) return { problem: "multiple :: in address", at: rest };
    ellipsis = values.length;
    rest = rest.slice(1);
    if (rest === "") break;
  }
  return rest === "" ? { values, ellipsis } : { problem: "trailing garbage after address", at: rest };
}

function appendIpv4Tail(values: readonly number[], ellipsis: number, rest: string): Groups | Problem {
  if (ellipsis < 0 && values.length !== 6) {
    return { problem: "embedded IPv4 address must replace the final 2 fields of the address", at: rest };
  }
  if (values.length > 6) {
    return { problem: "too many hex fields to fit an embedded IPv4 at the end of the address", at: rest };
  }
  const tail = readIpv4Fields(rest);
  if (typeof tail !== "bigint") return tail;
  return { values: [...values, Number(tail >> 16n), Number(tail & 0xffffn)], ellipsis };
}

function joinGroups({ values, ellipsis }: Groups): bigint | Problem {
  const missing = 8 - values.length;
  if (missing > 0 && ellipsis < 0) return { problem: "address string too short" };
  if (missing === 0 && ellipsis >= 0) return { problem: "the :: must expand to at least one field of zeros" };
  const filled = ellipsis < 0 ? values : values.toSpliced(ellipsis, 0, ...new Array<number>(missing).fill(0));
  return filled.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
}

/** `Addr.String`. Example: `formatAddr(addr)`. */
export function formatAddr(addr: Addr): string {
  if (addr.family === 4) return formatIpv4(addr.value);
  const zone = addr.zone === "" ? "" : `%${addr.zone}`;
  if (is4In6(addr)) return `::ffff:${formatIpv4(addr.value & V4_MAX)}${zone}`;
  return formatIpv6(addr.value) + zone;
}

function formatIpv4(value: bigint): string {
  const bits = Number(value);
  return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join(".");
}

/** The longest run of two or more zero groups, the first of equals, becomes `::`. */
function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  const hex = groups.map((group) => group.toString(16));
  if (start < 0) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

/** `Addr.Compare`: negative, zero or positive. Example: `addrs.sort(compareAddr)`. */
export function compareAddr(a: Addr, b: Addr): number {
  if (a.family !== b.family) return a.family < b.family ? -1 : 1;
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return compareStrings(a.zone, b.zone);
}

/** `==` of two addresses. Example: `equalAddr(a, b)`. */
export function equalAddr(a: Addr, b: Addr): boolean {
  return a.family === b.family && a.value === b.value && a.zone === b.zone;
}

/** `Addr.Is4`. Example: `is4(addr)`. */
export function is4(addr: Addr): boolean {
  return addr.family === 4;
}

/** True for IPv4-mapped addresses too. */
export function is6(addr: Addr): boolean {
  return addr.family === 6;
}

/** `Addr.Is4In6`: an IPv4-mapped IPv6 address. Example: `is4In6(addr)`. */
export function is4In6(addr: Addr): boolean {
  return addr.family === 6 && addr.value >> 32n === MAPPED_PREFIX;
}

/** The IPv4 address inside an IPv4-mapped one; any other address as it is. */
export function unmap(addr: Addr): Addr {
  return is4In6(addr) ? { family: 4, value: addr.value & V4_MAX, zone: "" } : addr;
}

/** An IPv4 address has no zone and is returned as it is. */
export function withZone(addr: Addr, zone: string): Addr {
  return addr.family === 4 ? addr : { ...addr, zone };
}

/** `Addr.IsLoopback`. Example: `isLoopback(addr)`. */
export function isLoopback(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

/** `Addr.IsMulticast`. Example: `isMulticast(addr)`. */
export function isMulticast(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

/** `Addr.IsLinkLocalUnicast`. Example: `isLinkLocalUnicast(addr)`. */
export function isLinkLocalUnicast(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

/** `Addr.IsLinkLocalMulticast`. Example: `isLinkLocalMulticast(addr)`. */
export function isLinkLocalMulticast(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

/** `Addr.IsInterfaceLocalMulticast`. Example: `isInterfaceLocalMulticast(addr)`. */
export function isInterfaceLocalMulticast(addr: Addr): boolean {
  return addr.family === 6 && ((addr.value >> 112n) & 0xff0fn) === 0xff01n;
}

/** `Addr.IsGlobalUnicast`. Example: `isGlobalUnicast(addr)`. */
export function isGlobalUnicast(addr: Addr): boolean {
  const plain = unmap(addr);
  if (plain.family === 4 && plain.value === V4_MAX) return false;
  return !(isUnspecified(plain) || isLoopback(plain) || isMulticast(plain) || isLinkLocalUnicast(plain));
}

/** `Addr.IsUnspecified`. Example: `isUnspecified(addr)`. */
export function isUnspecified(addr: Addr): boolean {
  return addr.value === 0n && addr.zone === "";
}

/** `Addr.IsPrivate`. Example: `isPrivate(addr)`. */
export function isPrivate(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  if (family === 6) return value >> 121n === 0xfcn >> 1n;
  return value >> 24n === 10n || value >> 20n === 0xac1n || value >> 16n === 0xc0a8n;
}

/** Host bits are kept; see `masked`. */
export function parsePrefix(text: string): Result<Prefix> {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return { error: prefixError(text, "no '/'") };
  const addr = parseAddr(text.slice(0, slash));
  if (addr.error !== undefined) return { error: prefixError(text, addr.error) };
  if (addr.value.zone !== "") return { error: prefixError(text, "IPv6 zones cannot be present in a prefix") };
  const digits = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{1,17})$/.test(digits)) return { error: prefixError(text, badPrefixBits(digits)) };
  const prefix = prefixFrom(addr.value, Number(digits));
  return prefix === undefined ? { error: prefixError(text, "prefix length out of range") } : { value: prefix };
}

/** `Prefix.String`. Example: `formatPrefix(prefix)`. */
export function formatPrefix(prefix: Prefix): string {
  return `${formatAddr(prefix.addr)}/${prefix.bits}`;
}

/** `undefined` for a length that is too large for the address. The zone is dropped. */
export function prefixFrom(addr: Addr, bits: number): Prefix | undefined {
  if (bits < 0 || bits > bitLength(addr)) return undefined;
  return { addr: withZone(addr, ""), bits };
}

/** With the host bits cleared. */
export function masked(prefix: Prefix): Prefix {
  return { addr: maskedTo(prefix.addr, prefix.bits), bits: prefix.bits };
}

/** `==` of two prefixes. Example: `equalPrefix(a, b)`. */
export function equalPrefix(a: Prefix, b: Prefix): boolean {
  return a.bits === b.bits && equalAddr(a.addr, b.addr);
}

/** An address with a zone is in no prefix, and an IPv4-mapped one in no IPv4 prefix. */
export function prefixContains(prefix: Prefix, addr: Addr): boolean {
  if (addr.zone !== "" || addr.family !== prefix.addr.family) return false;
  return equalAddr(maskedTo(addr, prefix.bits), maskedTo(prefix.addr, prefix.bits));
}

/** Whether all addresses of `other` are in `prefix`. Example: `prefixContainsPrefix(a, b)`. */
export function prefixContainsPrefix(prefix: Prefix, other: Prefix): boolean {
  return prefixOverlaps(prefix, other) && prefix.bits <= other.bits;
}

/** `Prefix.Overlaps`. Example: `prefixOverlaps(a, b)`. */
export function prefixOverlaps(a: Prefix, b: Prefix): boolean {
  const bits = Math.min(a.bits, b.bits);
  return a.addr.family === b.addr.family && equalAddr(maskedTo(a.addr, bits), maskedTo(b.addr, bits));
}

function bitLength(addr: Addr): number {
  return addr.family === 4 ? 32 : 128;
}

function maskedTo(addr: Addr, bits: number): Addr {
  const all = addr.family === 4 ? V4_MAX : V6_MAX;
  const hostBits = BigInt(bitLength(addr) - bits);
  return { ...addr, value: addr.value & ((all >> hostBits) << hostBits) };
}

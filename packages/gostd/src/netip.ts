/**
 * IP addresses and prefixes of Go's net/netip, with its error messages.
 *
 * An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) stays an IPv6 address, but its properties (loopback and so on)
 * are those of the IPv4 address inside.
 */
import { badPrefixBits, prefixError } from "./messages.ts";
import { type Addr, parseAddr } from "./netip-parse.ts";
import type { Result } from "./result.ts";
import { compareStrings } from "./utf8.ts";

export { type Addr, parseAddr } from "./netip-parse.ts";

/** `netip.Prefix`. Example: `parsePrefix("10.0.0.0/8").value`. */
export interface Prefix {
  readonly addr: Addr;
  readonly bits: number;
}

const V4_MAX = 0xffff_ffffn;
const V6_MAX = (1n << 128n) - 1n;
const MAPPED_PREFIX = 0xffffn;

/**
 * `Addr.String`.
 * @example formatAddr(addr) // "10.0.0.1"
 */
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

/**
 * `Addr.Compare`: negative, zero or positive.
 * @example [addr, other].sort(compareAddr).map(formatAddr) // ["10.0.0.1", "fe80::1"]
 */
export function compareAddr(a: Addr, b: Addr): number {
  if (a.family !== b.family) return a.family < b.family ? -1 : 1;
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return compareStrings(a.zone, b.zone);
}

/**
 * `==` of two addresses.
 * @example equalAddr(addr, other) // false
 */
export function equalAddr(a: Addr, b: Addr): boolean {
  return a.family === b.family && a.value === b.value && a.zone === b.zone;
}

/**
 * `Addr.Is4`.
 * @example is4(addr) // true
 */
export function is4(addr: Addr): boolean {
  return addr.family === 4;
}

/**
 * True for IPv4-mapped addresses too.
 * @example is6(addr) // false
 */
export function is6(addr: Addr): boolean {
  return addr.family === 6;
}

/**
 * `Addr.Is4In6`: an IPv4-mapped IPv6 address.
 * @example is4In6(addr) // false
 */
export function is4In6(addr: Addr): boolean {
  return addr.family === 6 && addr.value >> 32n === MAPPED_PREFIX;
}

/**
 * The IPv4 address inside an IPv4-mapped one; any other address as it is.
 * @example formatAddr(unmap(mapped)) // "10.0.0.1"
 */
export function unmap(addr: Addr): Addr {
  return is4In6(addr) ? { family: 4, value: addr.value & V4_MAX, zone: "" } : addr;
}

/**
 * An IPv4 address has no zone and is returned as it is.
 * @example formatAddr(withZone(other, "eth0")) // "fe80::1%eth0"
 */
export function withZone(addr: Addr, zone: string): Addr {
  return addr.family === 4 ? addr : { ...addr, zone };
}

/**
 * `Addr.IsLoopback`.
 * @example isLoopback(addr) // false
 */
export function isLoopback(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

/**
 * `Addr.IsMulticast`.
 * @example isMulticast(addr) // false
 */
export function isMulticast(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

/**
 * `Addr.IsLinkLocalUnicast`.
 * @example isLinkLocalUnicast(other) // true
 */
export function isLinkLocalUnicast(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

/**
 * `Addr.IsLinkLocalMulticast`.
 * @example isLinkLocalMulticast(addr) // false
 */
export function isLinkLocalMulticast(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  return family === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

/**
 * `Addr.IsInterfaceLocalMulticast`.
 * @example isInterfaceLocalMulticast(addr) // false
 */
export function isInterfaceLocalMulticast(addr: Addr): boolean {
  return addr.family === 6 && ((addr.value >> 112n) & 0xff0fn) === 0xff01n;
}

/**
 * `Addr.IsGlobalUnicast`.
 * @example isGlobalUnicast(addr) // true
 */
export function isGlobalUnicast(addr: Addr): boolean {
  const plain = unmap(addr);
  if (plain.family === 4 && plain.value === V4_MAX) return false;
  return !(isUnspecified(plain) || isLoopback(plain) || isMulticast(plain) || isLinkLocalUnicast(plain));
}

/**
 * `Addr.IsUnspecified`.
 * @example isUnspecified(addr) // false
 */
export function isUnspecified(addr: Addr): boolean {
  return addr.value === 0n && addr.zone === "";
}

/**
 * `Addr.IsPrivate`.
 * @example isPrivate(addr) // true
 */
export function isPrivate(addr: Addr): boolean {
  const { family, value } = unmap(addr);
  if (family === 6) return value >> 121n === 0xfcn >> 1n;
  return value >> 24n === 10n || value >> 20n === 0xac1n || value >> 16n === 0xc0a8n;
}

/**
 * Host bits are kept; see `masked`.
 * @example parsePrefix("10.0.0.0/33").error // "netip.ParsePrefix(\"10.0.0.0/33\"): prefix length out of range"
 */
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

/**
 * `Prefix.String`.
 * @example formatPrefix(prefix) // "10.0.0.0/8"
 */
export function formatPrefix(prefix: Prefix): string {
  return `${formatAddr(prefix.addr)}/${prefix.bits}`;
}

/**
 * `undefined` for a length that is too large for the address. The zone is dropped.
 * @example prefixFrom(addr, 33) // undefined
 */
export function prefixFrom(addr: Addr, bits: number): Prefix | undefined {
  if (bits < 0 || bits > bitLength(addr)) return undefined;
  return { addr: withZone(addr, ""), bits };
}

/**
 * With the host bits cleared.
 * @example formatPrefix(masked({ addr, bits: 8 })) // "10.0.0.0/8"
 */
export function masked(prefix: Prefix): Prefix {
  return { addr: maskedTo(prefix.addr, prefix.bits), bits: prefix.bits };
}

/**
 * `==` of two prefixes.
 * @example equalPrefix(prefix, { addr, bits: 8 }) // false
 */
export function equalPrefix(a: Prefix, b: Prefix): boolean {
  return a.bits === b.bits && equalAddr(a.addr, b.addr);
}

/**
 * An address with a zone is in no prefix, and an IPv4-mapped one in no IPv4 prefix.
 * @example prefixContains(prefix, addr) // true
 */
export function prefixContains(prefix: Prefix, addr: Addr): boolean {
  if (addr.zone !== "" || addr.family !== prefix.addr.family) return false;
  return equalAddr(maskedTo(addr, prefix.bits), maskedTo(prefix.addr, prefix.bits));
}

/**
 * Whether all addresses of `other` are in `prefix`.
 * @example prefixContainsPrefix(prefix, { addr, bits: 24 }) // true
 */
export function prefixContainsPrefix(prefix: Prefix, other: Prefix): boolean {
  return prefixOverlaps(prefix, other) && prefix.bits <= other.bits;
}

/**
 * `Prefix.Overlaps`.
 * @example prefixOverlaps(prefix, { addr: other, bits: 64 }) // false
 */
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

/**
 * The older address functions of Go's package net.
 *
 * `net.IP` does not distinguish an IPv4 address from the same address mapped into IPv6; these return the address as
 * written, and `formatIp` prints both the same way.
 */
import { invalidCidr, invalidMac } from "./messages.ts";
import { type Addr, formatAddr, masked, type Prefix, parseAddr, prefixFrom, unmap } from "./netip.ts";
import type { Result } from "./result.ts";

/** The address and the network of `net.ParseCIDR`. Example: `parseCidr("10.1.2.3/8")`. */
export interface Cidr {
  readonly ip: Addr;
  /** With the host bits cleared. */
  readonly network: Prefix;
}

/**
 * `net.ParseIP`: `undefined` where it returns nil, including addresses with a zone.
 * @example parseIp("fe80::1%eth0") // undefined
 */
export function parseIp(text: string): Addr | undefined {
  const addr = parseAddr(text);
  return addr.error !== undefined || addr.value.zone !== "" ? undefined : addr.value;
}

/**
 * `IP.String()`.
 * @example formatIp(addr) // "10.0.0.1"
 */
export function formatIp(addr: Addr): string {
  return formatAddr(unmap(addr));
}

/**
 * `net.ParseCIDR`; unlike `netip.ParsePrefix` it takes leading zeros in the length.
 * @example parseCidr("10.0.0.0/33").error // "invalid CIDR address: 10.0.0.0/33"
 */
export function parseCidr(text: string): Result<Cidr> {
  const slash = text.indexOf("/");
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (ip === undefined || !/^0*[0-9]{1,3}$/.test(length)) return { error: invalidCidr(text) };
  const prefix = prefixFrom(ip, Number(length));
  return prefix === undefined ? { error: invalidCidr(text) } : { value: { ip, network: masked(prefix) } };
}

const MAC_FORMS: readonly RegExp[] = [
  /^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i,
  /^[0-9a-f]{2}(?:-[0-9a-f]{2})+$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i,
  /^[0-9a-f]+$/i,
];
/** Bytes of an EUI-48, an EUI-64 and an IP-over-InfiniBand address. */
const MAC_LENGTHS: readonly number[] = [6, 8, 20];

/**
 * `net.ParseMAC`.
 * @example parseMac("00:00:5e:00:53:01").value?.length // 6
 */
export function parseMac(text: string): Result<Uint8Array> {
  const digits = text.replace(/[:.-]/g, "");
  const wellFormed = digits.length % 2 === 0 && MAC_LENGTHS.includes(digits.length / 2);
  if (!wellFormed || !MAC_FORMS.some((form) => form.test(text))) return { error: invalidMac(text) };
  const bytes = Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
  return { value: Uint8Array.from(bytes) };
}

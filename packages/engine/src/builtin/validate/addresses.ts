/**
 * IP addresses and CIDRs in fields that once took any form: new values must be written the standard way, values that were
 * there before may stay. Follows apimachinery util/validation/ip.go.
 */
import { formatIp, parseCidr, parseIp } from "@portcullis/gostd/net";
import {
  type Addr,
  equalAddr,
  formatAddr,
  formatPrefix,
  is4,
  is4In6,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  masked,
  type Prefix,
  parseAddr,
  parsePrefix,
  unmap,
} from "@portcullis/gostd/netip";
import { type FieldError, invalid } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import { isEnabled } from "../../value/gates.ts";
import { since } from "../../value/server-version.ts";
import * as messages from "./messages.ts";

const NONE: ReadonlySet<string> = new Set();

/** With zeros before the numbers of an IPv4 address, as Go once read them. */
export function parseIpSloppy(text: string): Addr | undefined {
  return parseIp(withoutLeadingZeros(text));
}

export function isIpv6(text: string): boolean {
  const ip = parseIpSloppy(text);
  return ip !== undefined && !is4(unmap(ip));
}

export function legacyIp(text: string, path: FieldPath, old: ReadonlySet<string> = NONE): FieldError[] {
  if (old.has(text)) return [];
  return isEnabled("StrictIPCIDRValidation") ? strictIp(text, path) : sloppyIp(text, path);
}

function sloppyIp(text: string, path: FieldPath): FieldError[] {
  return parseIpSloppy(text) === undefined ? [invalid(path, text, messages.badIp(), "ip")] : [];
}

/** Fields of newer kinds are checked strictly since 1.33, whatever the gate says about older ones. */
export function strictIp(text: string, path: FieldPath): FieldError[] {
  const sloppy = sloppyIp(text, path);
  if (sloppy.length > 0 || !since("1.33")) return sloppy;
  const strict = parseAddr(text);
  if (strict.error !== undefined) return [invalid(path, text, messages.leadingZeros(), "ip")];
  return is4In6(strict.value) ? [invalid(path, text, messages.mappedIp(), "ip")] : [];
}

export function legacyCidr(text: string, path: FieldPath, old: ReadonlySet<string> = NONE): FieldError[] {
  if (old.has(text)) return [];
  return isEnabled("StrictIPCIDRValidation") ? strictCidr(text, path) : sloppyCidr(text, path);
}

function sloppyCidr(text: string, path: FieldPath): FieldError[] {
  return parseCidrSloppy(text) === undefined ? [invalid(path, text, messages.badCidr(), "cidr")] : [];
}

export function strictCidr(text: string, path: FieldPath): FieldError[] {
  const sloppy = sloppyCidr(text, path);
  if (sloppy.length > 0 || !since("1.33")) return sloppy;
  const prefix = parsePrefix(text);
  if (prefix.error !== undefined) return [invalid(path, text, messages.leadingZerosInCidr(), "cidr")];
  if (is4In6(prefix.value.addr)) return [invalid(path, text, messages.mappedCidr(), "cidr")];
  const isMasked = equalAddr(masked(prefix.value).addr, prefix.value.addr);
  return isMasked ? [] : [invalid(path, text, messages.bitsBeyondPrefix(), "cidr")];
}

export interface SloppyCidr {
  readonly ip: Addr;
  readonly network: Prefix;
}

export function parseCidrSloppy(text: string): SloppyCidr | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  return parseCidr(`${withoutLeadingZeros(text.slice(0, slash))}${text.slice(slash)}`).value;
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/(^|[.:])0+(\d{1,3})(?=\.|$)/g, (whole, before, digits) =>
    text.includes(".") ? `${before}${digits}` : whole,
  );
}

/** Addresses of endpoints are those of other machines. */
export function endpointIp(text: string, path: FieldPath): FieldError[] {
  const ip = parseIpSloppy(text);
  if (ip === undefined) return [invalid(path, text, messages.badIpShort(), "ip")];
  const errors: FieldError[] = [];
  if (isUnspecified(ip)) errors.push(invalid(path, text, messages.unspecified(text), "ip"));
  if (isLoopback(ip)) errors.push(invalid(path, text, messages.loopback(), "ip"));
  if (isLinkLocalUnicast(ip)) errors.push(invalid(path, text, messages.linkLocal(), "ip"));
  if (isLinkLocalMulticast(ip)) errors.push(invalid(path, text, messages.linkLocalMulticast(), "ip"));
  return errors;
}

/** Up to 1.32 only addresses of services are warned about. */
export function serviceIpWarnings(text: string, path: FieldPath): string[] {
  if (since("1.33")) return ipWarnings(text, path);
  const { error, value } = parseAddr(text);
  if (error !== undefined) return [messages.acceptedIp(path, "address", error)];
  const canonical = formatAddr(value);
  return is4(value) || canonical === text ? [] : [messages.uncanonicalIpv6(path, "address", text, canonical)];
}

export function serviceCidrWarnings(text: string, path: FieldPath): string[] {
  if (since("1.33")) return cidrWarnings(text, path);
  const { error, value } = parsePrefix(text);
  if (error !== undefined) return [messages.acceptedIp(path, "prefix", error)];
  const canonical = formatPrefix(value);
  return is4(value.addr) || canonical === text ? [] : [messages.uncanonicalIpv6(path, "prefix", text, canonical)];
}

/** What is said about an address that is accepted. */
export function ipWarnings(text: string, path: FieldPath): string[] {
  if (!since("1.33")) return [];
  const ip = parseIpSloppy(text);
  if (ip === undefined) return [];
  const strict = parseAddr(text);
  if (strict.error !== undefined || is4In6(strict.value)) return [messages.oddIp(path, text, formatIp(ip))];
  const canonical = formatAddr(strict.value);
  return is4(strict.value) || canonical === text ? [] : [messages.longIpv6(path, text, canonical)];
}

export function cidrWarnings(text: string, path: FieldPath): string[] {
  if (!since("1.33")) return [];
  const cidr = parseCidrSloppy(text);
  if (cidr === undefined) return [];
  const warnings: string[] = [];
  const network = formatPrefix(cidr.network);
  if (!equalAddr(cidr.ip, cidr.network.addr)) {
    const single = `${formatIp(cidr.ip)}/${is4(unmap(cidr.ip)) ? 32 : 128}`;
    warnings.push(messages.ambiguousCidr(path, text, network, single));
  }
  const strict = parsePrefix(text);
  if (strict.error !== undefined || is4In6(strict.value.addr)) warnings.push(messages.oddCidr(path, text, network));
  else if (warnings.length === 0 && !is4(strict.value.addr) && formatPrefix(strict.value) !== text) {
    warnings.push(messages.longIpv6Cidr(path, text, formatPrefix(strict.value)));
  }
  return warnings;
}

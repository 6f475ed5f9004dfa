/** Parsing of IP addresses: `netip.ParseAddr` with its error messages. */
import { addrError } from "./messages.ts";
import type { Result } from "./result.ts";

/** `netip.Addr`. Example: `parseAddr("::1").value`. */
export interface Addr {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** IPv6 scope, without the `%`; empty when there is none. */
  readonly zone: string;
}

/**
 * `netip.ParseAddr`.
 * @example parseAddr("10.0.0.256").error // "ParseAddr(\"10.0.0.256\"): IPv4 field has value >255"
 */
export function parseAddr(text: string): Result<Addr> {
  const first = /[.:%]/.exec(text)?.[0];
  const parsed =
    first === "." ? parseIpv4(text) : first === ":" ? parseIpv6(text) : { problem: first === "%" ? NO_ADDRESS : NO_IP };
  return "problem" in parsed ? { error: addrError(text, parsed.problem, parsed.at ?? "") } : { value: parsed };
}

const NO_ADDRESS = "missing IPv6 address";
const NO_IP = "unable to parse IP";

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

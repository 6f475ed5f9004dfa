/** Limits as kube-apiserver's flags give them. All throw an Error with pflag's message. */
import { parseDuration } from "@portcullis/gostd/duration";
import type { PortRange, ServerOptions } from "@portcullis/server";

const NANOS_PER_MILLI = 1_000_000;

/** In milliseconds. */
export function readDuration(flag: string, text: string): number {
  const parsed = parseDuration(text);
  if (parsed.error !== undefined) throw badArgument(flag, text, parsed.error);
  return Number(parsed.value) / NANOS_PER_MILLI;
}

const [READERS, WRITERS] = [400, 200];

export interface InflightFlags {
  readonly readers: string | undefined;
  readonly writers: string | undefined;
  readonly hasLevels: boolean;
}

/** With priority levels, readers and writers share what both flags give. */
export function readInflight(flags: InflightFlags): Pick<ServerOptions, "maxRequestsInflight" | "inflightLimits"> {
  const { readers, writers, hasLevels } = flags;
  const readOnly = readers === undefined ? READERS : readCount("max-requests-inflight", readers);
  const mutating = writers === undefined ? WRITERS : readCount("max-mutating-requests-inflight", writers);
  for (const [flag, count] of [
    ["max-requests-inflight", readOnly],
    ["max-mutating-requests-inflight", mutating],
  ]) {
    if (Number(count) < 0) throw new Error(`--${flag} can not be negative value`);
  }
  return hasLevels ? { maxRequestsInflight: readOnly + mutating } : { inflightLimits: { readOnly, mutating } };
}

export function readSeconds(flag: string, text: string): number {
  return readCount(flag, text);
}

export function readCount(flag: string, text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badArgument(flag, text, `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

const MAX_PORT = 65535;

/** `30000-32767`, `30000+2767`, or one port. */
export function readPortRange(text: string): PortRange {
  const flag = "service-node-port-range";
  const sign = /[+-]/.exec(text.trim())?.[0];
  const [first = "", second] = sign === undefined ? [text.trim()] : text.trim().split(sign);
  const start = readPort(flag, text, first.trim());
  const end = second === undefined ? start : readPort(flag, text, second.trim()) + (sign === "+" ? start : 0);
  if (end < start) throw badArgument(flag, text, `end port cannot be less than start port: ${text}`);
  if (end > MAX_PORT && sign === "-") {
    throw badArgument(flag, text, `the port range cannot be greater than ${MAX_PORT}: ${text}`);
  }
  return { first: start, last: Math.min(end, MAX_PORT) };
}

function readPort(flag: string, text: string, part: string): number {
  if (/^\d+$/.test(part)) return Number(part);
  throw badArgument(flag, text, `strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`);
}

export function badArgument(flag: string, text: string, problem: string): Error {
  return new Error(`invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${problem}`);
}

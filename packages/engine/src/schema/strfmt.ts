/**
 * Times and durations as kube-openapi's strfmt parses them.
 *
 * That is not what it validates: `2020-01-01t00:00:00z` is a valid date-time that does not parse, and a date-time
 * without a zone parses although it is not valid.
 */
import { parseDuration } from "@portcullis/gostd/duration";
import { cannotParseTime, extraTimeText, timeOutOfRange } from "@portcullis/gostd/internal/messages";
import type { Result } from "@portcullis/gostd/result";
import { atoi } from "@portcullis/gostd/strconv";
import { type Instant, parseRfc3339 } from "@portcullis/gostd/time";

const LOCAL_LAYOUT = "2006-01-02T15:04:05";
const EPOCH: Instant = { seconds: 0n, nanos: 0 };

/** RFC 3339, or the same without a zone, which then is UTC. The empty text is the epoch. */
export function parseDateTime(text: string): Result<Instant> {
  if (text === "") return { value: EPOCH };
  const zoned = parseRfc3339(text);
  if (zoned.error === undefined) return zoned;
  const local = parseRfc3339(`${text}Z`);
  // Upstream reports what its last layout, the one without a zone, has to say.
  return local.error === undefined ? local : { error: localTimeError(text) };
}

interface Field {
  readonly layout: string;
  readonly pattern: RegExp;
  readonly range?: { readonly name: string; readonly min: number; readonly max: number };
}

// biome-ignore format: a table
const FIELDS: readonly Field[] = [
  { layout: "2006", pattern: /[0-9]{4}/y },
  { layout: "-",    pattern: /-/y },
  { layout: "01",   pattern: /[0-9]{2}/y, range: { name: "month", min: 1, max: 12 } },
  { layout: "-",    pattern: /-/y },
  // A day is held against its month only when all else is in order.
  { layout: "02",   pattern: /[0-9]{2}/y },
  { layout: "T",    pattern: /T/y },
  { layout: "15",   pattern: /[0-9]{1,2}/y, range: { name: "hour", min: 0, max: 23 } },
  { layout: ":",    pattern: /:/y },
  { layout: "04",   pattern: /[0-9]{2}/y, range: { name: "minute", min: 0, max: 59 } },
  { layout: ":",    pattern: /:/y },
  { layout: "05",   pattern: /[0-9]{2}/y, range: { name: "second", min: 0, max: 59 } },
];

function localTimeError(text: string): string {
  let rest = text;
  for (const { layout, pattern, range } of FIELDS) {
    pattern.lastIndex = 0;
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) return cannotParseTime(text, LOCAL_LAYOUT, rest, layout);
    if (range !== undefined && (Number(found) < range.min || Number(found) > range.max)) {
      return timeOutOfRange(text, range.name);
    }
    rest = rest.slice(found.length);
  }
  const extra = rest.replace(/^[.,][0-9]+/, "");
  return extra === "" ? timeOutOfRange(text, "day") : extraTimeText(text, extra);
}

// biome-ignore format: a table
const UNITS: readonly { readonly names: readonly string[]; readonly prefix: string; readonly nanos: bigint }[] = [
  { names: ["ns"],       prefix: "nano",  nanos: 1n },
  { names: ["us", "µs"], prefix: "micro", nanos: 1_000n },
  { names: ["ms"],       prefix: "milli", nanos: 1_000_000n },
  { names: ["s"],        prefix: "sec",   nanos: 1_000_000_000n },
  { names: ["m"],        prefix: "min",   nanos: 60_000_000_000n },
  { names: ["h", "hr"],  prefix: "hour",  nanos: 3_600_000_000_000n },
  { names: ["d"],        prefix: "day",   nanos: 86_400_000_000_000n },
  { names: ["w", "wk"],  prefix: "week",  nanos: 604_800_000_000_000n },
];

/** Go's notation, or anything that holds numbers with units such as `2 days, 3 hours`. */
export function parseFormattedDuration(text: string): Result<bigint> {
  const plain = parseDuration(text);
  if (plain.error === undefined) return plain;
  let total: bigint | undefined;
  for (const [, digits = "", unit = ""] of text.matchAll(/(?<![0-9])([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    const count = atoi(digits);
    if (count.error !== undefined) return count;
    const nanos = unitNanos(unit.toLowerCase());
    if (nanos !== undefined) total = (total ?? 0n) + count.value * nanos;
  }
  return total === undefined ? { error: `unable to parse ${text} as duration` } : { value: BigInt.asIntN(64, total) };
}

function unitNanos(unit: string): bigint | undefined {
  return UNITS.find(({ names, prefix }) => names.includes(unit) || unit.startsWith(prefix))?.nanos;
}

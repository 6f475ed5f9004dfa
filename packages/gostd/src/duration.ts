/**
 * Go's `time.Duration`: a signed 64-bit number of nanoseconds, here a bigint.
 *
 * Fractions use float64 as in Go, so the last nanosecond of a long fraction is the same.
 */
import { durationError, quoteSimply } from "./messages.ts";
import type { Result } from "./result.ts";

const LIMIT = 1n << 63n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** One number with its unit, such as `1.5h`; the digits may be missing on one side of the point. */
const TERM = /(\d*)(\.\d*)?([^.\d]*)/y;

/**
 * `time.ParseDuration`, in nanoseconds.
 * @example parseDuration("1.5h").value // 5400000000000n
 */
export function parseDuration(text: string): Result<bigint> {
  const negative = text.startsWith("-");
  const body = negative || text.startsWith("+") ? text.slice(1) : text;
  if (body === "0") return { value: 0n };
  const sum = sumTerms(body);
  if (typeof sum === "string") return { error: durationError(sum, text) };
  if (negative) return { value: -sum };
  return sum < LIMIT ? { value: sum } : { error: durationError("invalid duration", text) };
}

/** The magnitude, at most 2^63, or an error. */
function sumTerms(body: string): bigint | string {
  if (body === "") return "invalid duration";
  let sum = 0n;
  for (let at = 0; at < body.length; ) {
    TERM.lastIndex = at;
    const [term = "", whole = "", fraction = "", unit = ""] = TERM.exec(body) ?? [];
    if (whole === "" && fraction.length < 2) return "invalid duration";
    const amount = termValue(whole, fraction.slice(1), unit);
    if (typeof amount === "string") return amount;
    sum += amount;
    if (sum > LIMIT) return "invalid duration";
    at += term.length;
  }
  return sum;
}

function termValue(whole: string, fraction: string, unitName: string): bigint | string {
  const count = wholeValue(whole);
  if (count > LIMIT) return "invalid duration";
  if (unitName === "") return "missing unit in duration";
  const unit = UNITS.get(unitName);
  if (unit === undefined) return `unknown unit ${quoteSimply(unitName)} in duration`;
  if (count > LIMIT / unit) return "invalid duration";
  const value = count * unit + fractionValue(fraction, unit);
  return value > LIMIT ? "invalid duration" : value;
}

/** Any number above 2^63 means "too large", so a long run of digits is not converted. */
function wholeValue(digits: string): bigint {
  const significant = digits.replace(/^0+/, "");
  return significant.length > 19 ? LIMIT + 1n : BigInt(significant);
}

/** Go stops reading digits once the numerator would overflow, without an error. */
function fractionValue(digits: string, unit: bigint): bigint {
  let numerator = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (numerator > (LIMIT - 1n) / 10n) break;
    const next = numerator * 10n + BigInt(digit);
    if (next > LIMIT) break;
    numerator = next;
    scale *= 10;
  }
  if (numerator === 0n) return 0n;
  return BigInt(Math.trunc(Number(numerator) * (Number(unit) / scale)));
}

/**
 * `Duration.String()`: the largest units that fit, such as `1h15m30.918s`; below a second one small unit.
 * @example formatDuration(5_400_000_000_000n) // "1h30m0s"
 */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return sign + (magnitude < 1_000_000_000n ? formatSubSecond(magnitude) : formatClock(magnitude));
}

function formatSubSecond(nanoseconds: bigint): string {
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}µs`;
  return `${decimal(nanoseconds, 6)}ms`;
}

function formatClock(nanoseconds: bigint): string {
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${minutes}m${seconds}` : `${hours}h${minutes % 60n}m${seconds}`;
}

/** `value / 10^places` without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  const whole = digits.slice(0, -places);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/**
 * Instants and the proleptic Gregorian calendar, years 0 to 9999, of Go's package time.
 *
 * `time.Parse` is more lenient than RFC 3339: an hour may have one digit, the fraction may follow a comma, an offset may
 * be 24 hours or 60 minutes. Digits beyond nanoseconds are dropped.
 */
import { cannotParseTime, extraTimeText, timeOutOfRange } from "./messages.ts";
import type { Result } from "./result.ts";

/** A point in time. Example: `parseRfc3339("2026-01-01T00:00:00Z").value`. */
export interface Instant {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly seconds: bigint;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}

/** Date and time of day. Example: `toCivil(0n, 0).year`. */
export interface CivilTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 is 1 January. */
  readonly yearDay: number;
}

const RFC3339 = "2006-01-02T15:04:05Z07:00";
const DATE = "2006-01-02";
const SECONDS_A_DAY = 86_400;

/**
 * `time.Parse(time.RFC3339, text)`.
 * @example parseRfc3339("1970-01-01T01:00:00+01:00").value?.seconds // 0n
 */
export function parseRfc3339(text: string): Result<Instant> {
  return parseLayout(text, RFC3339, RFC3339_ELEMENTS);
}

/**
 * `time.Parse("2006-01-02", text)`: midnight UTC.
 * @example parseDate("1970-01-02").value?.seconds // 86400n
 */
export function parseDate(text: string): Result<Instant> {
  return parseLayout(text, DATE, DATE_ELEMENTS);
}

/**
 * `t.Format(time.RFC3339)`.
 * @example formatRfc3339(0n) // "1970-01-01T00:00:00Z"
 */
export function formatRfc3339(seconds: bigint, offsetSeconds: number = 0): string {
  return formatRfc3339Nano(seconds, 0, offsetSeconds);
}

/**
 * `t.Format(time.RFC3339Nano)`: trailing zeros of the fraction are left out, and so is a fraction of zero.
 * @example formatRfc3339Nano(0n, 500_000_000) // "1970-01-01T00:00:00.5Z"
 */
export function formatRfc3339Nano(seconds: bigint, nanos: number, offsetSeconds: number = 0): string {
  const civil = toCivil(seconds, offsetSeconds);
  const sign = civil.year < 0 ? "-" : "";
  const year = Math.abs(civil.year).toString().padStart(4, "0");
  const date = `${sign}${year}-${two(civil.month)}-${two(civil.day)}`;
  const clock = `${two(civil.hour)}:${two(civil.minute)}:${two(civil.second)}`;
  const fraction = nanos === 0 ? "" : `.${nanos.toString().padStart(9, "0").replace(/0+$/, "")}`;
  return `${date}T${clock}${fraction}${formatOffset(offsetSeconds)}`;
}

/**
 * The date and the time of day at an instant, with an offset in seconds east of UTC.
 * @example toCivil(0n, 3600).hour // 1
 */
export function toCivil(seconds: bigint, offsetSeconds: number): CivilTime {
  // Years 0 to 9999 are within the safe integers.
  const local = Number(seconds) + offsetSeconds;
  const days = Math.floor(local / SECONDS_A_DAY);
  const rest = local - days * SECONDS_A_DAY;
  const { year, month, day } = civilFromDays(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: modulo(days + 4, 7),
    yearDay: days - daysFromCivil(year, 1, 1) + 1,
  };
}

/**
 * Days since 1970-01-01.
 * @example daysFromCivil(1970, 2, 1) // 31
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Years are counted from March, so that the leap day comes last.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

/** Days in the 400 years after which the calendar repeats. */
const DAYS_PER_ERA = 146_097;
/** From 1 March of year 0 to 1 January 1970. */
const DAYS_TO_EPOCH = 719_468;

function civilFromDays(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

function two(value: number): string {
  return value.toString().padStart(2, "0");
}

function formatOffset(offsetSeconds: number): string {
  if (offsetSeconds === 0) return "Z";
  const minutes = Math.trunc(Math.abs(offsetSeconds) / 60);
  return `${offsetSeconds < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The fields that the elements of a layout set. */
interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  offset: number;
}

/** Reads one element: returns the rest of the text, `undefined` if it is missing, or the name of a field out of range. */
type Reader = (text: string, fields: Fields) => Step | undefined;

interface Step {
  readonly rest: string;
  readonly outOfRange?: string;
}

interface Element {
  /** As the layout spells it, for the message. */
  readonly layout: string;
  readonly read: Reader;
}

// biome-ignore format: a table
const DATE_ELEMENTS: readonly Element[] = [
  { layout: "2006", read: readYear },
  literal("-"),
  { layout: "01", read: twoDigits("month", 1, 12) },
  literal("-"),
  { layout: "02", read: twoDigits("day", 0, 99) },
];

// biome-ignore format: a table
const RFC3339_ELEMENTS: readonly Element[] = [
  ...DATE_ELEMENTS,
  literal("T"),
  { layout: "15", read: readHour },
  literal(":"),
  { layout: "04", read: twoDigits("minute", 0, 59) },
  literal(":"),
  { layout: "05", read: readSecond },
  { layout: "Z07:00", read: readZone },
];

function parseLayout(text: string, layout: string, elements: readonly Element[]): Result<Instant> {
  const fields: Fields = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0, nanos: 0, offset: 0 };
  let rest = text;
  for (const element of elements) {
    const step = element.read(rest, fields);
    if (step === undefined) return { error: cannotParseTime(text, layout, rest, element.layout) };
    if (step.outOfRange !== undefined) return { error: timeOutOfRange(text, step.outOfRange) };
    rest = step.rest;
  }
  if (rest !== "") return { error: extraTimeText(text, rest) };
  if (fields.day < 1 || fields.day > daysInMonth(fields.year, fields.month)) {
    return { error: timeOutOfRange(text, "day") };
  }
  return { value: { seconds: BigInt(toSeconds(fields)), nanos: fields.nanos } };
}

function daysInMonth(year: number, month: number): number {
  const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
  return next - daysFromCivil(year, month, 1);
}

function toSeconds({ year, month, day, hour, minute, second, offset }: Fields): number {
  return daysFromCivil(year, month, day) * SECONDS_A_DAY + hour * 3600 + minute * 60 + second - offset;
}

function literal(char: string): Element {
  return { layout: char, read: (text) => (text.startsWith(char) ? { rest: text.slice(1) } : undefined) };
}

function readYear(text: string, fields: Fields): Step | undefined {
  if (!/^\d{4}/.test(text)) return undefined;
  fields.year = Number(text.slice(0, 4));
  return { rest: text.slice(4) };
}

function twoDigits(name: "month" | "day" | "minute" | "second", least: number, most: number): Reader {
  return (text, fields) => {
    if (!/^\d\d/.test(text)) return undefined;
    const value = Number(text.slice(0, 2));
    fields[name] = value;
    return value < least || value > most ? { rest: text, outOfRange: name } : { rest: text.slice(2) };
  };
}

function readHour(text: string, fields: Fields): Step | undefined {
  const digits = /^\d\d?/.exec(text)?.[0];
  if (digits === undefined) return undefined;
  fields.hour = Number(digits);
  return fields.hour > 23 ? { rest: text, outOfRange: "hour" } : { rest: text.slice(digits.length) };
}

const readWholeSecond = twoDigits("second", 0, 59);

/** A fraction is read although the layout has none. */
function readSecond(text: string, fields: Fields): Step | undefined {
  const step = readWholeSecond(text, fields);
  if (step === undefined || step.outOfRange !== undefined) return step;
  const fraction = /^[.,]\d+/.exec(step.rest)?.[0];
  if (fraction === undefined) return step;
  fields.nanos = Number(fraction.slice(1, 10).padEnd(9, "0"));
  return { rest: step.rest.slice(fraction.length) };
}

function readZone(text: string, fields: Fields): Step | undefined {
  if (text.startsWith("Z")) return { rest: text.slice(1) };
  if (!/^[\0-\x7f]..:../s.test(text)) return undefined;
  const hours = numberOrZero(text.slice(1, 3));
  const minutes = numberOrZero(text.slice(4, 6));
  // Go reports the range first, even if the rest of the offset is not a number.
  if (hours > 24) return { rest: text, outOfRange: "time zone offset hour" };
  if (minutes > 60 && isTwoDigits(text.slice(1, 3))) return { rest: text, outOfRange: "time zone offset minute" };
  if (!/^[+-]\d\d:\d\d/.test(text)) return undefined;
  fields.offset = (hours * 60 + minutes) * 60 * (text.startsWith("-") ? -1 : 1);
  return { rest: text.slice(6) };
}

function isTwoDigits(text: string): boolean {
  return /^\d\d$/.test(text);
}

function numberOrZero(text: string): number {
  return isTwoDigits(text) ? Number(text) : 0;
}

/**
 * The getters of timestamps and durations.
 *
 * Of a timestamp they read one field of the calendar, in UTC or a zone given by name or offset; of a
 * duration they convert the whole span. Months, days of the month and of the year count from zero.
 */
import { atoi } from "@portcullis/gostd/strconv";
import { type CivilTime, toCivil } from "@portcullis/gostd/time";
import { loadLocation } from "@portcullis/gostd/zone";
import { type FunctionDecl, fn, method, type Overload } from "../types/decl.ts";
import { DURATION, INT, STRING, TIMESTAMP } from "../types/type.ts";
import { normalInt } from "../values/int.ts";
import { durationSeconds } from "../values/text.ts";
import { CelError, type Duration, type Timestamp, type Value } from "../values/value.ts";
import { typed } from "./typed.ts";

type Field = (civil: CivilTime, nanos: number) => number;

const MINUTE = 60_000_000_000n;
const HOUR = 60n * MINUTE;

// biome-ignore format: a table
export const timeFunctions: readonly FunctionDecl[] = [
  fn("getFullYear",     getters("timestamp_to_year",                 (civil) => civil.year),                            "returns the year", "timestamp('2026-03-04T05:06:07Z').getFullYear() == 2026"),
  fn("getMonth",        getters("timestamp_to_month",                (civil) => civil.month - 1),                       "returns the month; January is 0", "timestamp('2026-03-04T05:06:07Z').getMonth() == 2"),
  fn("getDayOfYear",    getters("timestamp_to_day_of_year",          (civil) => civil.yearDay - 1),                     "returns the day of the year, counted from 0", "timestamp('2026-01-04T05:06:07Z').getDayOfYear() == 3"),
  fn("getDayOfMonth",   getters("timestamp_to_day_of_month",         (civil) => civil.day - 1),                         "returns the day of the month, counted from 0", "timestamp('2026-03-04T05:06:07Z').getDayOfMonth() == 3"),
  fn("getDate",         getters("timestamp_to_day_of_month_1_based", (civil) => civil.day),                             "returns the day of the month, counted from 1", "timestamp('2026-03-04T05:06:07Z').getDate() == 4"),
  fn("getDayOfWeek",    getters("timestamp_to_day_of_week",          (civil) => civil.weekday),                         "returns the day of the week; Sunday is 0", "timestamp('2026-03-04T05:06:07Z').getDayOfWeek() == 3"),
  fn("getHours",        [...getters("timestamp_to_hours",            (civil) => civil.hour),                            total("duration_to_hours", (span) => inUnits(span, HOUR))],     "returns the hour of a timestamp, or a duration in hours", "duration('90m').getHours() == 1"),
  fn("getMinutes",      [...getters("timestamp_to_minutes",          (civil) => civil.minute),                          total("duration_to_minutes", (span) => inUnits(span, MINUTE))], "returns the minute of a timestamp, or a duration in minutes", "duration('90m').getMinutes() == 90"),
  fn("getSeconds",      [...getters("timestamp_to_seconds",          (civil) => civil.second, "timestamp_to_seconds_tz"), total("duration_to_seconds", (span) => Math.trunc(durationSeconds(span)) + 0)], "returns the second of a timestamp, or a duration in seconds", "timestamp('2026-03-04T05:06:07Z').getSeconds() == 7"),
  fn("getMilliseconds", [...getters("timestamp_to_milliseconds",     (_, nanos) => Math.trunc(nanos / 1_000_000)),      total("duration_to_milliseconds", (span) => normalInt(span.nanos / 1_000_000n))], "returns the millisecond of a timestamp, or a duration in milliseconds", "duration('1.5s').getMilliseconds() == 1500"),
];

function getters(id: string, field: Field, idWithZone = `${id}_with_tz`): Overload[] {
  return [
    method(
      id,
      TIMESTAMP,
      [],
      INT,
      typed((time: Timestamp) => field(toCivil(BigInt(time.seconds), 0), time.nanos)),
    ),
    method(
      idWithZone,
      TIMESTAMP,
      [STRING],
      INT,
      typed((time: Timestamp, zone: string) => inZone(time, zone, field)),
    ),
  ];
}

function total(id: string, call: (span: Duration) => Value): Overload {
  return method(id, DURATION, [], INT, typed(call));
}

/** Uses float64 as upstream does, so a span slightly below a whole unit may round up to it. */
function inUnits(span: Duration, unit: bigint): number {
  return Math.trunc(Number(span.nanos / unit) + Number(span.nanos % unit) / Number(unit)) + 0;
}

function inZone(time: Timestamp, zone: string, field: Field): Value {
  const seconds = BigInt(time.seconds);
  const offset = zone.includes(":") ? parseOffset(zone) : namedOffset(zone, seconds);
  return offset instanceof CelError ? offset : field(toCivil(seconds, offset), time.nanos);
}

function namedOffset(name: string, seconds: bigint): number | CelError {
  const zone = loadLocation(name);
  return zone.error === undefined ? zone.value.offsetAt(seconds) : new CelError(zone.error);
}

/** `[+-]hours:minutes`, neither of them limited to clock values. A leading minus applies to both. */
function parseOffset(text: string): number | CelError {
  const colon = text.indexOf(":");
  const hours = atoi(text.slice(0, colon));
  if (hours.error !== undefined) return new CelError(hours.error);
  const minutes = atoi(text.slice(colon + 1));
  if (minutes.error !== undefined) return new CelError(minutes.error);
  const total = text.startsWith("-") ? hours.value * 60n - minutes.value : hours.value * 60n + minutes.value;
  // The product is an int64 of nanoseconds upstream and wraps.
  return Number(BigInt.asIntN(64, total * MINUTE) / 1_000_000_000n);
}

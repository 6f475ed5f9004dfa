/**
 * Values as text: `string(x)`, and the looser form that error messages show (Go's `%v`).
 */
import { formatDuration } from "@portcullis/gostd/duration";
import { formatFloat } from "@portcullis/gostd/strconv";
import { formatRfc3339Nano, toCivil } from "@portcullis/gostd/time";
import { runtimeTypeName } from "./type-of.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

const NANOS_PER_SECOND = 1_000_000_000n;

export function doubleText(value: number): string {
  return formatFloat(value, "g", -1, 64);
}

/** With the offset of the timestamp's text. */
export function timestampText(value: Timestamp): string {
  return formatRfc3339Nano(BigInt(value.seconds), value.nanos, value.offset);
}

/** Seconds, never hours or minutes: `5400s`. Goes through float64 as upstream does. */
export function durationText(value: Duration): string {
  return `${formatFloat(durationSeconds(value), "f", -1, 64)}s`;
}

export function durationSeconds(value: Duration): number {
  const whole = value.nanos / NANOS_PER_SECOND;
  return Number(whole) + Number(value.nanos % NANOS_PER_SECOND) / 1e9;
}

/**
 * A value as Go's `%v` prints it inside an error message: `displayText(new ArrayList([1]))` is `[1]`.
 * @example displayText(new Double(1.5)) // "1.5"
 */
export function displayText(value: Value): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      // Null is an enum of value 0 upstream and prints as such.
      return value === null ? "0" : displayObject(value);
  }
}

function displayObject(value: Exclude<Value, null | string | number | bigint | boolean>): string {
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return doubleText(value.value);
  if (value instanceof ListValue) return displayList(value);
  if (value instanceof MapValue) return displayMap(value);
  if (value instanceof Timestamp) return displayTimestamp(value);
  if (value instanceof Duration) return formatDuration(value.nanos);
  if (value instanceof Bytes) return `[${Array.from(value.data).join(" ")}]`;
  if (value instanceof TypeValue) return runtimeTypeName(value.type);
  if (value instanceof CelError) return value.message;
  if (value instanceof OptionalValue) {
    return value.value === undefined ? "optional.none()" : `optional(${displayText(value.value)})`;
  }
  return runtimeTypeName(value.type);
}

function displayList(list: ListValue): string {
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) parts.push(displayText(list.at(index)));
  return `[${parts.join(", ")}]`;
}

function displayMap(map: MapValue): string {
  const parts = map.keys().map((key) => `${displayText(key)}: ${displayText(map.get(key) ?? null)}`);
  return `{${parts.join(", ")}}`;
}

/** Go's time.Time.String: `2024-01-02 03:04:05.5 +0000 UTC`. */
function displayTimestamp(value: Timestamp): string {
  const civil = toCivil(BigInt(value.seconds), value.offset);
  const date = `${digits(civil.year, 4)}-${digits(civil.month, 2)}-${digits(civil.day, 2)}`;
  const time = `${digits(civil.hour, 2)}:${digits(civil.minute, 2)}:${digits(civil.second, 2)}`;
  const fraction = value.nanos === 0 ? "" : `.${digits(value.nanos, 9).replace(/0+$/, "")}`;
  const zone = zoneText(value.offset);
  return `${date} ${time}${fraction} ${zone} ${value.offset === 0 ? "UTC" : zone}`;
}

function zoneText(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? "-" : "+"}${digits(Math.trunc(minutes / 60), 2)}${digits(minutes % 60, 2)}`;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

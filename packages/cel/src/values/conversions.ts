/**
 * The conversion functions: `int(x)`, `string(x)` and others.
 *
 * Every string that cannot be converted has the same `type conversion error`, without Go's reason.
 */
import { parseDuration } from "@portcullis/gostd/duration";
import * as strconv from "@portcullis/gostd/strconv";
import { parseRfc3339 } from "@portcullis/gostd/time";
import { decodeUtf8, encodeUtf8, isValidUtf8 } from "@portcullis/gostd/utf8";
import { type Int, normalInt } from "./int.ts";
import { conversionError, invalidUtf8, timestampOverflow } from "./messages.ts";
import { Bytes, type CelError, Double, Duration, Timestamp, Uint } from "./value.ts";

/** Year 1 to year 9999, in seconds since the epoch. */
export const MIN_TIMESTAMP_SECONDS = -62135596800;
const MAX_TIMESTAMP_SECONDS = 253402300799;

export function stringToInt(text: string): Int | CelError {
  const parsed = strconv.parseInt(text, 10, 64);
  return parsed.error === undefined ? normalInt(parsed.value) : conversionError("string", "int");
}

export function stringToUint(text: string): Uint | CelError {
  const parsed = strconv.parseUint(text, 10, 64);
  return parsed.error === undefined ? new Uint(normalInt(parsed.value)) : conversionError("string", "uint");
}

export function stringToDouble(text: string): Double | CelError {
  const parsed = strconv.parseFloat(text, 64);
  return parsed.error === undefined ? new Double(parsed.value) : conversionError("string", "double");
}

export function stringToBool(text: string): boolean | CelError {
  const parsed = strconv.parseBool(text);
  return parsed.error === undefined ? parsed.value : conversionError("string", "bool");
}

export function stringToBytes(text: string): Bytes {
  return new Bytes(encodeUtf8(text));
}

export function bytesToString(bytes: Bytes): string | CelError {
  return isValidUtf8(bytes.data) ? decodeUtf8(bytes.data) : invalidUtf8();
}

export function stringToDuration(text: string): Duration | CelError {
  const parsed = parseDuration(text);
  if (parsed.error === undefined) return new Duration(parsed.value);
  return conversionError("string", "google.protobuf.Duration");
}

export function stringToTimestamp(text: string): Timestamp | CelError {
  const parsed = parseRfc3339(text);
  if (parsed.error !== undefined) return conversionError("string", "google.protobuf.Timestamp");
  const seconds = Number(parsed.value.seconds);
  if (!isTimestampSecond(seconds)) return timestampOverflow();
  return new Timestamp(seconds, parsed.value.nanos, writtenOffset(text));
}

export function intToTimestamp(seconds: Int): Timestamp | CelError {
  if (typeof seconds === "bigint" || !isTimestampSecond(seconds)) return timestampOverflow();
  return new Timestamp(seconds, 0);
}

export function isTimestampSecond(seconds: number): boolean {
  return seconds >= MIN_TIMESTAMP_SECONDS && seconds <= MAX_TIMESTAMP_SECONDS;
}

/** The offset at the end of a valid time, in seconds: `+01:30` is 5400; 0 where it has none. */
export function writtenOffset(text: string): number {
  if (!/[+-][0-9]{2}:[0-9]{2}$/.test(text)) return 0;
  const [sign, hours, minutes] = [text.at(-6), text.slice(-5, -3), text.slice(-2)];
  const seconds = (Number(hours) * 60 + Number(minutes)) * 60;
  return sign === "-" ? 0 - seconds : seconds;
}

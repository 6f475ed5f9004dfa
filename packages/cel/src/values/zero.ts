/** Which values count as zero or empty. The zero timestamp is year 1, not 1970. */
import { MIN_TIMESTAMP_SECONDS } from "./conversions.ts";
import { Bytes, Double, Duration, ListValue, MapValue, Timestamp, Uint, type Value } from "./value.ts";

export function isZeroValue(value: Value): boolean {
  if (typeof value !== "object" || value === null)
    return value === null || value === 0 || value === "" || value === false;
  if (value instanceof ListValue || value instanceof MapValue) return value.isZero();
  if (value instanceof Double || value instanceof Uint) return value.value === 0;
  if (value instanceof Bytes) return value.data.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  return value instanceof Timestamp && value.seconds === MIN_TIMESTAMP_SECONDS && value.nanos === 0;
}

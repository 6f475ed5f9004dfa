/** Arithmetic on timestamps and durations. Spans overflow as the int64 of nanoseconds that they are. */
import { isTimestampSecond } from "./conversions.ts";
import { MAX_INT64, MIN_INT64 } from "./int.ts";
import { intOverflow, timestampOverflow } from "./messages.ts";
import { type CelError, Duration, Timestamp } from "./value.ts";

const NANOS_PER_SECOND = 1_000_000_000;
const BIG_NANOS_PER_SECOND = 1_000_000_000n;

export function addDurations(left: Duration, right: Duration): Duration | CelError {
  return checkedDuration(left.nanos + right.nanos);
}

export function subtractDurations(left: Duration, right: Duration): Duration | CelError {
  return checkedDuration(left.nanos - right.nanos);
}

export function negateDuration(span: Duration): Duration | CelError {
  return checkedDuration(-span.nanos);
}

/** The instant that many nanoseconds later, or earlier where negative. Keeps the offset. */
export function shiftTimestamp(from: Timestamp, nanos: bigint): Timestamp | CelError {
  let seconds = from.seconds + Number(nanos / BIG_NANOS_PER_SECOND);
  let rest = from.nanos + Number(nanos % BIG_NANOS_PER_SECOND);
  if (rest < 0) {
    seconds -= 1;
    rest += NANOS_PER_SECOND;
  } else if (rest >= NANOS_PER_SECOND) {
    seconds += 1;
    rest -= NANOS_PER_SECOND;
  }
  return isTimestampSecond(seconds) ? new Timestamp(seconds, rest, from.offset) : timestampOverflow();
}

/** left - right. */
export function timeBetween(left: Timestamp, right: Timestamp): Duration | CelError {
  const scaled = BigInt(left.seconds - right.seconds) * BIG_NANOS_PER_SECOND;
  // Upstream checks the seconds first, so a sum that would fit is still an error.
  if (scaled > MAX_INT64 || scaled < MIN_INT64) return intOverflow();
  return checkedDuration(scaled + BigInt(left.nanos - right.nanos));
}

function checkedDuration(nanos: bigint): Duration | CelError {
  return nanos > MAX_INT64 || nanos < MIN_INT64 ? intOverflow() : new Duration(nanos);
}

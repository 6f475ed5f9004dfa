/** uint64 arithmetic. Results hold a `number` while safe and a `bigint` beyond, like ints. */
import { MAX_UINT64 } from "../types/range.ts";
import { type Int, normalInt } from "./int.ts";
import { divisionByZero, intOverflow, modulusByZero, uintOverflow } from "./messages.ts";
import { type CelError, Uint } from "./value.ts";

const MAX_INT64 = 9223372036854775807n;
const TWO_TO_64 = 2 ** 64;

export function addUints(left: Uint, right: Uint): Uint | CelError {
  const a = left.value;
  const b = right.value;
  if (typeof a === "number" && typeof b === "number" && Number.isSafeInteger(a + b)) return new Uint(a + b);
  return checkedUint(BigInt(a) + BigInt(b));
}

export function subtractUints(left: Uint, right: Uint): Uint | CelError {
  const a = left.value;
  const b = right.value;
  if (b > a) return uintOverflow();
  if (typeof a === "number" && typeof b === "number") return new Uint(a - b);
  return checkedUint(BigInt(a) - BigInt(b));
}

export function multiplyUints(left: Uint, right: Uint): Uint | CelError {
  const a = left.value;
  const b = right.value;
  if (typeof a === "number" && typeof b === "number" && Number.isSafeInteger(a * b)) return new Uint(a * b);
  return checkedUint(BigInt(a) * BigInt(b));
}

export function divideUints(left: Uint, right: Uint): Uint | CelError {
  const a = left.value;
  const b = right.value;
  if (b === 0) return divisionByZero();
  if (typeof a === "number" && typeof b === "number") return new Uint((a - (a % b)) / b);
  return checkedUint(BigInt(a) / BigInt(b));
}

export function moduloUints(left: Uint, right: Uint): Uint | CelError {
  const a = left.value;
  const b = right.value;
  if (b === 0) return modulusByZero();
  if (typeof a === "number" && typeof b === "number") return new Uint(a % b);
  return checkedUint(BigInt(a) % BigInt(b));
}

/** A uint, or the overflow error where the value is negative or does not fit in 64 bits. */
function checkedUint(value: bigint): Uint | CelError {
  if (value < 0n || value > MAX_UINT64) return uintOverflow();
  return new Uint(normalInt(value));
}

export function intToUint(value: Int): Uint | CelError {
  return value < 0 ? uintOverflow() : new Uint(value);
}

export function uintToInt(value: Uint): Int | CelError {
  return value.value > MAX_INT64 ? intOverflow() : value.value;
}

export function doubleToUint(value: number): Uint | CelError {
  if (!(value >= 0 && value < TWO_TO_64)) return uintOverflow();
  const whole = Math.trunc(value) + 0;
  return new Uint(Number.isSafeInteger(whole) ? whole : BigInt(whole));
}

/** The uint with exactly this value, if there is one. */
export function exactUint(value: number): Uint | undefined {
  const uint = doubleToUint(value);
  return uint instanceof Uint && Number(uint.value) === value ? uint : undefined;
}

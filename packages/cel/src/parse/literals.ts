/** The values of number tokens. Undefined where a value does not fit its type. */
import { Double, Uint } from "../values/value.ts";

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;
/** No decimal or hexadecimal text this short exceeds the safe integers. */
const SHORT = 13;

/** An int token, with its sign where the literal has one: `-9223372036854775808` is in range, its positive is not. */
export function parseIntLiteral(text: string, negative: boolean): number | bigint | undefined {
  if (text.length <= SHORT) {
    const small = Number(text);
    // Not `-small`: an int has no negative zero.
    return negative ? 0 - small : small;
  }
  const magnitude = BigInt(text);
  const value = negative ? -magnitude : magnitude;
  return value < MIN_INT || value > MAX_INT ? undefined : shrink(value);
}

/** A uint token, its `u` included. */
export function parseUintLiteral(text: string): Uint | undefined {
  const digits = text.slice(0, -1);
  if (digits.length <= SHORT) return new Uint(Number(digits));
  const value = BigInt(digits);
  return value > MAX_UINT ? undefined : new Uint(shrink(value));
}

export function parseDoubleLiteral(text: string, negative: boolean): Double | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return new Double(negative ? -value : value);
}

function shrink(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

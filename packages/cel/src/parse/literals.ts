/** The values of literal tokens. Undefined if a token is not a literal or its value does not fit its type. */
import { Bytes, type Constant, Double, Uint } from "../values/value.ts";
import { Kind } from "./lexer.ts";
import { unescapeBytes, unescapeString } from "./unescape.ts";

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;
/** No decimal or hexadecimal text this short exceeds the safe integers. */
const SHORT = 13;

export function parseConstant(kind: number, text: string): Constant | undefined {
  switch (kind) {
    case Kind.string:
      return unescapeString(text).value;
    case Kind.true:
      return true;
    case Kind.false:
      return false;
    case Kind.null:
      return null;
    case Kind.uint:
      return parseUintLiteral(text);
    case Kind.bytes: {
      const data = unescapeBytes(text.slice(1)).value;
      return data && new Bytes(data);
    }
    default:
      return parseNumber(kind, text, false);
  }
}

/** An int or a double: the numbers that may have a sign. */
export function parseNumber(kind: number, text: string, negative: boolean): Constant | undefined {
  if (kind === Kind.int) return parseIntLiteral(text, negative);
  return kind === Kind.double ? parseDoubleLiteral(text, negative) : undefined;
}

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

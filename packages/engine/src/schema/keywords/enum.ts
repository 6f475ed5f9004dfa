/**
 * The keyword `enum`.
 *
 * Upstream converts the value to the Go type of each allowed value before it compares, so `1.0` is one of `[1]`, `1.5`
 * is too (the fraction is cut), and the integer 65 is one of `["A"]`. Null is one of nothing.
 */
import { deepEqual } from "../../value/equal.ts";
import { Float64, floatValue, isInteger, isNumber, type JsonValue } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";
import type { Finding, Place } from "../finding.ts";
import { notInEnum } from "../messages.ts";

export interface EnumCheck {
  readonly values: readonly JsonValue[];
  readonly texts: ReadonlySet<string>;
}

export function compileEnum(values: readonly JsonValue[] | undefined): EnumCheck | undefined {
  if (values === undefined || values.length === 0) return undefined;
  return { values, texts: new Set(values.filter((value) => typeof value === "string")) };
}

export function checkEnum(check: EnumCheck, value: JsonValue, place: Place | undefined): Finding | undefined {
  if (typeof value === "string") {
    return check.texts.has(value) ? undefined : notInEnum(place, value, check.values);
  }
  if (value !== null && check.values.some((allowed) => matches(value, allowed))) return undefined;
  return notInEnum(place, value, check.values);
}

function matches(value: JsonValue, allowed: JsonValue): boolean {
  if (isInteger(value)) {
    if (typeof allowed === "string") return codePointText(value) === allowed;
    return isNumber(allowed) && (isInteger(allowed) ? value === allowed : asFloat(value) === asFloat(allowed));
  }
  if (isNumber(value) && isInteger(allowed)) return deepEqual(truncate(asFloat(value)), allowed);
  return deepEqual(value, allowed);
}

/** Go's `string(i)`: one character, U+FFFD where the number is no code point. */
function codePointText(value: number | bigint): string {
  const isCodePoint = value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
  return isCodePoint ? String.fromCodePoint(Number(value)) : "\ufffd";
}

function truncate(value: number): JsonValue {
  const whole = Math.trunc(value) + 0;
  if (Number.isSafeInteger(whole)) return whole;
  const fits = whole >= -(2 ** 63) && whole < 2 ** 63;
  const number = fits ? BigInt(whole) : -(2n ** 63n);
  const boxed = floatValue(Number(number));
  return boxed instanceof Float64 ? number : boxed;
}

/**
 * The keyword `enum`.
 *
 * Upstream converts the value to the Go type of each allowed value before it compares, so `1.0` is one of `[1]`, `1.5`
 * is too (the fraction is cut), and the integer 65 is one of `["A"]`. Null is one of nothing.
 */
import { deepEqual } from "../../value/equal.ts";
import { Float64, isInteger, isNumber, type JsonValue } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";
import { canonicalJson } from "../../value/text.ts";
import type { Finding, Place } from "../finding.ts";
import { notInEnum } from "../messages.ts";

/** The allowed values, apart by kind, so that a long list costs one look. */
export interface EnumCheck {
  /** The values as messages have them, one by one and all together. */
  readonly labels: readonly string[];
  readonly list: string;
  readonly texts: ReadonlySet<string>;
  readonly integers: ReadonlySet<number | bigint>;
  readonly floats: ReadonlySet<number>;
  readonly booleans: ReadonlySet<boolean>;
  /** Lists and objects by their canonical text, in which an integer and an integral float look the same. */
  readonly compounds: ReadonlyMap<string, readonly JsonValue[]>;
}

export function compileEnum(values: readonly JsonValue[] | undefined): EnumCheck | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const numbers = values.filter(isNumber);
  const labels = values.map((value) => (typeof value === "string" ? value : canonicalJson(value)));
  return {
    labels,
    list: labels.join(" "),
    texts: new Set(values.filter((value) => typeof value === "string")),
    integers: new Set(numbers.filter(isInteger)),
    floats: new Set(numbers.filter((value) => !isInteger(value)).map(asFloat)),
    booleans: new Set(values.filter((value) => typeof value === "boolean")),
    compounds: byText(values.filter(isCompound)),
  };
}

function byText(values: readonly JsonValue[]): ReadonlyMap<string, readonly JsonValue[]> {
  const groups = new Map<string, JsonValue[]>();
  for (const value of values) {
    const text = canonicalJson(value);
    groups.set(text, [...(groups.get(text) ?? []), value]);
  }
  return groups;
}

function isCompound(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !(value instanceof Float64);
}

export function checkEnum(check: EnumCheck, value: JsonValue, place: Place | undefined): Finding | undefined {
  return isAllowed(check, value) ? undefined : notInEnum(place, value, check);
}

export function isAllowed(check: EnumCheck, value: JsonValue): boolean {
  if (typeof value === "string") return check.texts.has(value);
  if (typeof value === "boolean") return check.booleans.has(value);
  if (value === null) return false;
  if (isNumber(value)) return isInteger(value) ? isAllowedInteger(check, value) : isAllowedFloat(check, asFloat(value));
  return check.compounds.get(canonicalJson(value))?.some((allowed) => deepEqual(value, allowed)) === true;
}

function isAllowedInteger(check: EnumCheck, value: number | bigint): boolean {
  return check.integers.has(value) || check.floats.has(Number(value)) || check.texts.has(codePointText(value));
}

function isAllowedFloat(check: EnumCheck, value: number): boolean {
  return check.floats.has(value) || check.integers.has(truncate(value));
}

/** Go's `string(i)`: one character, U+FFFD if the number is not a code point. */
function codePointText(value: number | bigint): string {
  const isCodePoint = value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
  return isCodePoint ? String.fromCodePoint(Number(value)) : "\ufffd";
}

/** Go's `int64(f)`. */
function truncate(value: number): number | bigint {
  const whole = Math.trunc(value) + 0;
  if (Number.isSafeInteger(whole)) return whole;
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : -(2n ** 63n);
}

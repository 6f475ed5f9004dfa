/**
 * The number keywords: the range of `type` and `format`, `multipleOf`, `minimum`, `maximum`.
 *
 * Follows kube-openapi's number validator and its quirks: for an integer the bounds lose their fraction; a bound that
 * the type cannot hold is reported and then compared as a float64.
 */
import { floatValue, type JsonNumber } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";
import { since } from "../../value/server-version.ts";
import type { Finding, Place } from "../finding.ts";
import { type Bound, factorNotPositive, notMultiple, outOfBound, outOfRange } from "../messages.ts";
import type { Structural } from "../structural.ts";
import { isJsonInteger } from "./near-integer.ts";

export interface NumberCheck {
  /** "integer", "number", or "" where the schema has no single type and ranges are not checked. */
  readonly type: string;
  readonly format: string;
  readonly multipleOf: number | undefined;
  readonly minimum: Limit | undefined;
  readonly maximum: Limit | undefined;
}

/** The type of a number, and its format where the type knows it. */
type Range = Pick<NumberCheck, "type" | "format">;

interface Limit {
  /** What integers are compared with, and what floats are. */
  readonly exact: number | bigint;
  readonly float: JsonNumber;
  readonly exclusive: boolean;
  /** Whether the type can hold the limit itself. */
  readonly isHeld: boolean;
}

const INTEGER_FORMATS: readonly string[] = ["int32", "int64"];
const NUMBER_FORMATS: readonly string[] = ["float", "double"];

export function compileNumber(schema: Structural, types: readonly string[], format: string): NumberCheck {
  const single = types.length === 1 ? types[0] : undefined;
  // Before 1.36 the validator of numbers did not know the type.
  const type = since("1.36") && (single === "integer" || single === "number") ? single : "";
  const formats = type === "integer" ? INTEGER_FORMATS : NUMBER_FORMATS;
  const range = { type, format: type !== "" && formats.includes(format) ? format : "" };
  return {
    type: range.type,
    format: range.format,
    multipleOf: schema.multipleOf,
    minimum: compileLimit(schema.minimum, schema.exclusiveMinimum, range),
    maximum: compileLimit(schema.maximum, schema.exclusiveMaximum, range),
  };
}

function compileLimit(limit: number | undefined, exclusive: boolean, range: Range): Limit | undefined {
  if (limit === undefined) return undefined;
  const float = floatValue(limit);
  return { exact: toInt64(limit), float, exclusive, isHeld: fits(float, range) };
}

/** Whether only the type and the format are left to look at. */
export function acceptsAll({ multipleOf, minimum, maximum }: NumberCheck): boolean {
  return multipleOf === undefined && minimum === undefined && maximum === undefined;
}

export function checkNumber(check: NumberCheck, value: JsonNumber, place: Place | undefined, found: Finding[]): void {
  if (!fits(value, check)) found.push(outOfRange(place, "Checked", check.type, check.format));
  if (check.multipleOf !== undefined) checkMultiple(check, check.multipleOf, value, place, found);
  checkBound(check, "minimum", value, place, found);
  checkBound(check, "maximum", value, place, found);
}

function checkMultiple(
  check: NumberCheck,
  factor: number,
  value: JsonNumber,
  place: Place | undefined,
  found: Finding[],
): void {
  const isHeld = fits(floatValue(factor), check);
  if (!isHeld) found.push(outOfRange(place, "MultipleOf", check.type, check.format));
  const isExact = isHeld && isInt(value);
  const used = isExact ? toInt64(factor) : floatValue(factor);
  if (asFloat(used) <= 0) found.push(factorNotPositive(place, used));
  else if (!(isExact ? isIntMultiple(value, used) : isFloatMultiple(asFloat(value), factor))) {
    found.push(notMultiple(place, used, isExact ? value : floatValue(asFloat(value))));
  }
}

function checkBound(
  check: NumberCheck,
  bound: Bound,
  value: JsonNumber,
  place: Place | undefined,
  found: Finding[],
): void {
  const limit = check[bound];
  if (limit === undefined) return;
  const subject = bound === "minimum" ? "Minimum boundary" : "Maximum boundary";
  if (!limit.isHeld) found.push(outOfRange(place, subject, check.type, check.format));
  const isExact = limit.isHeld && isInt(value);
  const used = isExact ? limit.exact : limit.float;
  const compared = isExact ? value : floatValue(asFloat(value));
  const { exclusive } = limit;
  if (isBreached(bound, compared, used, exclusive)) {
    found.push(outOfBound(place, { bound, limit: used, exclusive, value: compared }));
  }
}

function isBreached(bound: Bound, value: JsonNumber, limit: JsonNumber, exclusive: boolean): boolean {
  const left = typeof value === "object" ? value.value : value;
  const right = typeof limit === "object" ? limit.value : limit;
  if (bound === "minimum") return exclusive ? left <= right : left < right;
  return exclusive ? left >= right : left > right;
}

/**
 * Whether the declared type and format can hold a bound or factor. If they cannot, every number is refused; without a
 * declared type nothing is checked.
 */
export function holdsLimit({ type, format }: Structural, limit: number): boolean {
  return type !== "integer" && type !== "number" ? true : fits(floatValue(limit), { type, format });
}

/** Whether the type and format can hold the number. */
function fits(value: JsonNumber, check: Range): boolean {
  if (check.type === "integer") return fitsInteger(value, check.format === "int32");
  if (check.format === "float") return Number.isFinite(Math.fround(asFloat(value)));
  return true;
}

function fitsInteger(value: JsonNumber, isInt32: boolean): boolean {
  const number = typeof value === "object" ? value.value : value;
  if (typeof number === "number" && !Number.isInteger(number)) return false;
  if (isInt32) return number >= -(2 ** 31) && number < 2 ** 31;
  // Upstream looks at the shortest text of a float64, and that of -2^63 is rounded beyond int64.
  if (typeof value === "object" && number <= -(2 ** 63)) return false;
  return number >= -(2 ** 63) && number < 2 ** 63;
}

function isInt(value: JsonNumber): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}

/** Go's `int64(f)`: the fraction is cut, and what does not fit becomes the smallest int64. */
function toInt64(value: number): number | bigint {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole + 0;
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : -(2n ** 63n);
}

function isIntMultiple(value: number | bigint, factor: JsonNumber): boolean {
  if (typeof value === "number" && typeof factor === "number") return value % factor === 0;
  return BigInt(value) % BigInt(asFloat(factor)) === 0n;
}

function isFloatMultiple(value: number, factor: number): boolean {
  return isJsonInteger(factor < 1 ? (1 / factor) * value : value / factor);
}

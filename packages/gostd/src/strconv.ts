/**
 * Go's strconv: numbers and booleans to text and back, with its error messages.
 *
 * Integers are bigints. The shortest `%g`, and so `%v`, takes the exponent form from 1e+06 and below 1e-04, unlike
 * JavaScript, and an exponent has at least two digits.
 */
import { type Decimal, exactDecimal, roundDecimal, shortestDecimal } from "./decimal.ts";
import { numberError } from "./messages.ts";
import { nearestFloat } from "./nearest-float.ts";
import type { Result } from "./result.ts";

/** The formats of `formatFloat`. Example: `formatFloat(1.5, "g", -1)`. */
export type FloatFormat = "g" | "e" | "f";
/** The sizes of integers. Example: `parseUint("255", 10, 8)`. */
export type IntBits = 8 | 16 | 32 | 64;

const SYNTAX = "invalid syntax";
const RANGE = "value out of range";

/**
 * `strconv.FormatFloat`; precision -1 means the fewest digits that read back as the same number.
 * @example formatFloat(1e21, "g", -1, 64) // "1e+21"
 */
export function formatFloat(value: number, format: FloatFormat, precision: number, bits: 32 | 64): string {
  if (Number.isNaN(value)) return "NaN";
  const negative = value < 0 || Object.is(value, -0);
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return negative ? "-Inf" : "+Inf";
  const text = precision < 0 ? formatShortest(magnitude, format, bits) : formatRounded(magnitude, format, precision);
  return negative ? `-${text}` : text;
}

/**
 * What `%v` prints for a float64.
 * @example formatV(1e6) // "1e+06"
 */
export function formatV(value: number): string {
  // The common case, where both languages print the same digits.
  if (Number.isInteger(value) && value > -1e6 && value < 1e6 && value !== 0) return value.toString();
  return formatFloat(value, "g", -1, 64);
}

function formatShortest(magnitude: number, format: FloatFormat, bits: 32 | 64): string {
  const decimal = shortestDecimal(magnitude, bits);
  const count = decimal.digits.length;
  if (format === "e") return formatExponent(decimal, Math.max(count - 1, 0));
  if (format === "f") return formatFixed(decimal, Math.max(count - decimal.point, 0));
  return formatGeneral(decimal, count, 6);
}

function formatRounded(magnitude: number, format: FloatFormat, precision: number): string {
  const exact = exactDecimal(magnitude);
  if (format === "e") return formatExponent(roundDecimal(exact, precision + 1), precision);
  if (format === "f") return formatFixed(roundDecimal(exact, exact.point + precision), precision);
  const wanted = Math.max(precision, 1);
  const decimal = roundDecimal(exact, wanted);
  const count = decimal.digits.length;
  return formatGeneral(decimal, wanted, wanted > count && count >= decimal.point ? count : wanted);
}

/** From the exponent `threshold` on, the exponent form is used. */
function formatGeneral(decimal: Decimal, precision: number, threshold: number): string {
  const { digits, point } = decimal;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= threshold) {
    return formatExponent(decimal, Math.max(Math.min(precision, digits.length) - 1, 0));
  }
  return formatFixed(decimal, Math.max((precision > point ? digits.length : precision) - point, 0));
}

function formatExponent({ digits, point }: Decimal, precision: number): string {
  const padded = digits.padEnd(precision + 1, "0");
  const fraction = precision > 0 ? `.${padded.slice(1, precision + 1)}` : "";
  const exponent = digits === "" ? 0 : point - 1;
  const sign = exponent < 0 ? "-" : "+";
  return `${padded.charAt(0) || "0"}${fraction}e${sign}${Math.abs(exponent).toString().padStart(2, "0")}`;
}

function formatFixed({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (precision === 0) return whole;
  const below = point >= 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  return `${whole}.${below.slice(0, precision).padEnd(precision, "0")}`;
}

/**
 * `strconv.ParseInt`.
 * @example parseInt("-7f", 16, 64).value // -127n
 */
function parseSigned(text: string, base: number, bits: IntBits): Result<bigint> {
  return parseSignedAs("ParseInt", text, base, bits);
}

/**
 * Base 10, 64 bits; differs from `parseInt` in the function name of its errors.
 * @example atoi("1.5").error // "strconv.Atoi: parsing \"1.5\": invalid syntax"
 */
export function atoi(text: string): Result<bigint> {
  return parseSignedAs("Atoi", text, 10, 64);
}

/**
 * `strconv.ParseUint`.
 * @example parseUint("ff", 16, 64).value // 255n
 */
export function parseUint(text: string, base: number, bits: IntBits): Result<bigint> {
  const parsed = readMagnitude(text, base, (1n << BigInt(bits)) - 1n);
  return typeof parsed === "string" ? { error: numberError("ParseUint", text, parsed) } : { value: parsed };
}

function parseSignedAs(func: string, text: string, base: number, bits: IntBits): Result<bigint> {
  if (base === 10 && bits === 64 && /^\d{1,15}$/.test(text)) return { value: BigInt(text) };
  const negative = text.startsWith("-");
  const digits = negative || text.startsWith("+") ? text.slice(1) : text;
  const parsed = readMagnitude(digits, base, (1n << BigInt(bits)) - 1n);
  if (typeof parsed === "string") return { error: numberError(func, text, parsed) };
  const limit = 1n << BigInt(bits - 1);
  if (negative ? parsed > limit : parsed >= limit) return { error: numberError(func, text, RANGE) };
  return { value: negative ? -parsed : parsed };
}

/** The number, or an error. Overflow is reported before a bad character further right, as in Go. */
function readMagnitude(text: string, base: number, max: bigint): bigint | string {
  if (text === "") return SYNTAX;
  if (base !== 0 && (base < 2 || base > 36)) return `invalid base ${base}`;
  const { digits, radix } = base === 0 ? detectBase(text) : { digits: text, radix: base };
  const step = BigInt(radix);
  let value = 0n;
  for (let i = 0; i < digits.length; i++) {
    if (base === 0 && digits.charAt(i) === "_") continue;
    const digit = digitValue(digits.charCodeAt(i));
    if (digit >= radix) return SYNTAX;
    value = value * step + BigInt(digit);
    if (value > max) return RANGE;
  }
  return digits.includes("_") && !underscoresSeparateDigits(text) ? SYNTAX : value;
}

const BASE_LETTERS: ReadonlyMap<string, number> = new Map([
  ["b", 2],
  ["o", 8],
  ["x", 16],
]);

function detectBase(text: string): { readonly digits: string; readonly radix: number } {
  if (!text.startsWith("0")) return { digits: text, radix: 10 };
  const radix = text.length >= 3 ? BASE_LETTERS.get(text.charAt(1).toLowerCase()) : undefined;
  return radix === undefined ? { digits: text.slice(1), radix: 8 } : { digits: text.slice(2), radix };
}

function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a && unit < 0x80 ? lower - 0x61 + 10 : 99;
}

/** A base prefix counts as a digit here, so `0x_1` is valid. */
function underscoresSeparateDigits(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, "").toLowerCase();
  const body = unsigned.replace(/^0[box]/, "0");
  const misplaced = unsigned.startsWith("0x") ? /(?:^|[^0-9a-f])_|_(?:[^0-9a-f]|$)/ : /(?:^|[^0-9])_|_(?:[^0-9]|$)/;
  return !misplaced.test(body);
}

const DECIMAL_FLOAT = /^[+-]?(?=[_.]*[0-9])([0-9_]*)(?:\.([0-9_]*))?(?:e([+-]?[0-9][0-9_]*))?$/i;
const HEX_FLOAT = /^[+-]?0x(?=[_.]*[0-9a-f])([0-9a-f_]*)(?:\.([0-9a-f_]*))?p([+-]?[0-9][0-9_]*)$/i;
const INFINITY = /^[+-]?inf(?:inity)?$/i;

/**
 * `strconv.ParseFloat`.
 * @example parseFloat("1e400", 64).error // "strconv.ParseFloat: parsing \"1e400\": value out of range"
 */
function parseFloating(text: string, bits: 32 | 64): Result<number> {
  const magnitude = readFloat(text, bits);
  if (magnitude === undefined) return { error: numberError("ParseFloat", text, SYNTAX) };
  const spelledOut = /i/i.test(text);
  if (magnitude === Number.POSITIVE_INFINITY && !spelledOut) {
    return { error: numberError("ParseFloat", text, RANGE) };
  }
  return { value: text.startsWith("-") ? -magnitude : magnitude };
}

/** Without the sign; `undefined` for text that is not a number. */
function readFloat(text: string, bits: 32 | 64): number | undefined {
  if (INFINITY.test(text)) return Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (text.includes("_") && !underscoresSeparateDigits(text)) return undefined;
  const decimal = DECIMAL_FLOAT.exec(text);
  if (decimal !== null) return decimalFloat(text, decimal, bits);
  const hex = HEX_FLOAT.exec(text);
  if (hex === null) return undefined;
  const { digits, exponent } = mantissaAndExponent(hex, 4);
  return scaledFloat({ mantissa: BigInt(`0x${digits}`), base: 2n, exponent }, bits);
}

function decimalFloat(text: string, match: RegExpExecArray, bits: 32 | 64): number {
  const value = Math.abs(Number(text.replaceAll("_", "")));
  if (bits === 64) return value;
  // Far outside the range of float32 the exact conversion is not needed.
  if (value === 0 || value > 1e39 || value < 1e-50) return Math.fround(value);
  const { digits, exponent } = mantissaAndExponent(match, 1);
  return scaledFloat({ mantissa: BigInt(digits), base: 10n, exponent }, bits);
}

function mantissaAndExponent(match: RegExpExecArray, exponentPerDigit: number) {
  const [, whole = "", fraction = "", exponent = "0"] = match.map((part) => part?.replaceAll("_", ""));
  return { digits: whole + fraction, exponent: Number(exponent) - fraction.length * exponentPerDigit };
}

interface Scaled {
  readonly mantissa: bigint;
  readonly base: bigint;
  readonly exponent: number;
}

function scaledFloat({ mantissa, base, exponent }: Scaled, bits: 32 | 64): number {
  // Beyond this no mantissa of reasonable length can bring the number back into range.
  const bounded = Math.max(Math.min(exponent, MAX_SCALE), -MAX_SCALE);
  const power = base ** BigInt(Math.abs(bounded));
  return bounded < 0 ? nearestFloat(mantissa, power, bits) : nearestFloat(mantissa * power, 1n, bits);
}

const MAX_SCALE = 100_000;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

/**
 * `strconv.ParseBool`.
 * @example parseBool("T").value // true
 */
export function parseBool(text: string): Result<boolean> {
  const value = BOOLEANS.get(text);
  return value === undefined ? { error: numberError("ParseBool", text, SYNTAX) } : { value };
}

export { parseFloating as parseFloat, parseSigned as parseInt };

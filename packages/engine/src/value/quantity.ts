/**
 * Resource quantities: `500m`, `1.5Gi`, `12e6`.
 *
 * Follows apimachinery api/resource. A quantity is an int64 times a power of ten while that is possible and a decimal
 * of any size otherwise; which of the two is observable (`asInteger` answers only for the first), so it is kept.
 * Numbers finer than a nano are rounded away from zero. A quantity already canonical keeps the text it was parsed
 * from, sign included; a decimal SI quantity past the last suffix loses its exponent when printed, as upstream's does.
 *
 * Upstream hangs on exponents in the billions. Here a power of ten beyond `MAX_SHIFT` is never computed: comparison
 * goes by magnitude, and adding numbers that far apart leaves the larger one.
 */
import type { Result } from "@portcullis/gostd/result";
import { NO_NUMBER, parseQuantityText, type QuantityFormat } from "./quantity-text.ts";

export interface Quantity {
  readonly unscaled: bigint;
  /** The power of ten `unscaled` is multiplied by. */
  readonly exponent: number;
  /** Set once the number has left the int64 form. */
  readonly decimal: boolean;
  readonly format: QuantityFormat;
  /** The text it was parsed from, where that is canonical already. */
  readonly text?: string;
}

const MAX_SHIFT = 10_000;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const NANO = -9;
const INT64_DIGITS = 18;

// The same few texts come again and again: `100m`, `128Mi`. What is remembered depends on the text alone.
const remembered = new Map<string, Result<Quantity>>();
const MAX_REMEMBERED = 1000;
const MAX_REMEMBERED_LENGTH = 20;
/** A number of a million digits takes a second to read, and is read again in each step of a request. */
const LONG = 1_000;
let longest: { readonly text: string; readonly parsed: Result<Quantity> } | undefined;

export function parseQuantity(text: string): Result<Quantity> {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (longest?.text === text) return longest.parsed;
  const parsed = parseAnew(text);
  if (text.length > LONG) longest = { text, parsed };
  if (text.length > MAX_REMEMBERED_LENGTH) return parsed;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, parsed);
  return parsed;
}

function parseAnew(text: string): Result<Quantity> {
  if (text === "0") return { value: { unscaled: 0n, exponent: 0, decimal: false, format: "DecimalSI", text } };
  const parts = parseQuantityText(text);
  if (parts.error !== undefined) return parts;
  const { negative, whole, fraction, suffix, hasDigits } = parts.value;
  const { base, power, format } = suffix;
  const sign = negative ? -1n : 1n;
  const magnitude = BigInt(whole + fraction) * (base === 2 ? 1n << BigInt(power) : 1n);
  // Upstream keeps exponents in an int32 and lets them wrap.
  const exponent = ((base === 10 ? power : 0) - fraction.length) | 0;
  if (fitsInt64(whole, fraction, suffix) && exponent >= NANO) {
    const quantity = { unscaled: sign * magnitude, exponent, decimal: false, format };
    const canonical = base === 2 ? isCanonicalBinary(whole) : isCanonicalDecimal(whole + fraction, exponent);
    return { value: canonical ? { ...quantity, text } : quantity };
  }
  // Only the int64 form takes a missing number for zero.
  if (!hasDigits) return NO_NUMBER;
  return { value: normalizeDecimal(sign, magnitude, exponent, format) };
}

export function isZero(quantity: Quantity): boolean {
  return quantity.unscaled === 0n;
}

export function signOf(quantity: Quantity): -1 | 0 | 1 {
  if (quantity.unscaled === 0n) return 0;
  return quantity.unscaled > 0n ? 1 : -1;
}

export function negate(quantity: Quantity): Quantity {
  return withoutText({ ...quantity, unscaled: -quantity.unscaled });
}

/** A zero takes the format of what is added to it. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = isZero(a) ? b.format : a.format;
  if (!a.decimal && !b.decimal) {
    const sum = addInt64(a, b);
    if (sum !== undefined) return { ...sum, decimal: false, format };
  }
  return { ...addDecimals(a, b), decimal: true, format };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, negate(b));
}

/** -1, 0 or 1 by value, whatever the formats. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0 || isZero(a)) return Math.sign(signs) as -1 | 0 | 1;
  const shift = a.exponent - b.exponent;
  if (Math.abs(shift) > MAX_SHIFT) return compareMagnitudes(a, b);
  const left = shift > 0 ? a.unscaled * pow10(shift) : a.unscaled;
  const right = shift < 0 ? b.unscaled * pow10(-shift) : b.unscaled;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The int64 value; undefined for a fraction, an overflow, or a number in decimal form. */
export function asInteger(quantity: Quantity): bigint | undefined {
  if (quantity.decimal || quantity.exponent < 0) return undefined;
  if (quantity.unscaled === 0n) return 0n;
  if (quantity.exponent > INT64_DIGITS) return undefined;
  const value = quantity.unscaled * pow10(quantity.exponent);
  return isInt64(value) ? value : undefined;
}

/** In units of a power of ten, rounded away from zero: 0 for whole ones, -3 for thousandths. Never beyond an int64. */
export function quantityAt({ unscaled, exponent }: Quantity, unit: number): bigint {
  const shift = exponent - unit;
  if (unscaled === 0n) return 0n;
  if (shift > INT64_DIGITS) return unscaled > 0n ? MAX_INT64 : MIN_INT64;
  if (shift >= 0) return clampInt64(unscaled * pow10(shift));
  if (-shift > MAX_SHIFT) return unscaled > 0n ? 1n : -1n;
  const divisor = pow10(-shift);
  const isExact = unscaled % divisor === 0n;
  return clampInt64(unscaled / divisor + (isExact ? 0n : unscaled > 0n ? 1n : -1n));
}

function clampInt64(value: bigint): bigint {
  return value > MAX_INT64 ? MAX_INT64 : value < MIN_INT64 ? MIN_INT64 : value;
}

export function isIntegerQuantity(quantity: Quantity): boolean {
  return asInteger(quantity) !== undefined;
}

/** Multiplied in floating point, so it may be off in the last digit and may be infinite, as upstream's. */
export function asApproximateFloat(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return quantity.exponent === 0 ? base : base * floatPow10(quantity.exponent);
}

// Go's math.Pow10 multiplies two table entries, so its powers are not always the nearest float64.
function floatPow10(exponent: number): number {
  if (exponent < -323) return 0;
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  const size = Math.abs(exponent);
  const coarse = size - (size % 32);
  return exponent < 0
    ? Number(`1e-${coarse}`) / Number(`1e${size % 32}`)
    : Number(`1e${coarse}`) * Number(`1e${size % 32}`);
}

export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (isZero(quantity)) return "0";
  const whole = quantity.format === "BinarySI" ? wholeValue(quantity) : undefined;
  if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return formatBinary(whole);
  return formatDecimal(quantity, quantity.format === "DecimalExponent");
}

// Upstream's estimate of what surely fits; anything longer takes the decimal form even where it would fit.
function fitsInt64(whole: string, fraction: string, suffix: { base: number; power: number }): boolean {
  if (suffix.base === 10) return whole.length + fraction.length <= INT64_DIGITS;
  if (fraction.length > 0) return false;
  return 15 - whole.length - Math.trunc((suffix.power * 3) / 10) - 1 >= 0;
}

function isCanonicalBinary(whole: string): boolean {
  return (BigInt(whole) & 7n) !== 0n;
}

function isCanonicalDecimal(digits: string, exponent: number): boolean {
  return exponent % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function normalizeDecimal(sign: bigint, magnitude: bigint, exponent: number, format: QuantityFormat): Quantity {
  let { unscaled, scale } = roundToNano(magnitude, exponent);
  if (format === "BinarySI" && scale === NANO && unscaled > MAX_INT64 * pow10(-NANO)) {
    unscaled = MAX_INT64;
    scale = 0;
  }
  const small = scale === NANO && unscaled > 0n && unscaled < pow10(-NANO);
  const shown = format === "BinarySI" && small ? "DecimalSI" : format;
  return { unscaled: sign * unscaled, exponent: scale, decimal: true, format: shown };
}

function roundToNano(magnitude: bigint, exponent: number): { unscaled: bigint; scale: number } {
  const shift = exponent - NANO;
  if (magnitude === 0n || shift > MAX_SHIFT) return { unscaled: magnitude, scale: exponent };
  if (shift >= 0) return { unscaled: magnitude * pow10(shift), scale: NANO };
  if (-shift > digitCount(magnitude)) return { unscaled: 1n, scale: NANO };
  const divisor = pow10(-shift);
  return { unscaled: (magnitude + divisor - 1n) / divisor, scale: NANO };
}

function addInt64(a: Quantity, b: Quantity): { unscaled: bigint; exponent: number } | undefined {
  if (isZero(b)) return { unscaled: a.unscaled, exponent: a.exponent };
  if (isZero(a)) return { unscaled: b.unscaled, exponent: b.exponent };
  const shift = a.exponent - b.exponent;
  if (Math.abs(shift) > INT64_DIGITS + 1) return undefined;
  const left = shift > 0 ? a.unscaled * pow10(shift) : a.unscaled;
  const right = shift < 0 ? b.unscaled * pow10(-shift) : b.unscaled;
  const unscaled = left + right;
  const fits = isInt64(left) && isInt64(right) && isInt64(unscaled);
  return fits ? { unscaled, exponent: Math.min(a.exponent, b.exponent) } : undefined;
}

function addDecimals(a: Quantity, b: Quantity): { unscaled: bigint; exponent: number } {
  const shift = a.exponent - b.exponent;
  if (Math.abs(shift) > MAX_SHIFT) {
    const larger = isZero(b) || (!isZero(a) && compareMagnitudes(absolute(a), absolute(b)) > 0) ? a : b;
    return { unscaled: larger.unscaled, exponent: larger.exponent };
  }
  const left = shift > 0 ? a.unscaled * pow10(shift) : a.unscaled;
  const right = shift < 0 ? b.unscaled * pow10(-shift) : b.unscaled;
  return { unscaled: left + right, exponent: Math.min(a.exponent, b.exponent) };
}

// For two numbers of one sign whose exponents lie too far apart to bring together.
function compareMagnitudes(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const left = digitCount(a.unscaled) + a.exponent;
  const right = digitCount(b.unscaled) + b.exponent;
  return Math.sign((left - right) * signOf(a)) as -1 | 0 | 1;
}

function absolute(quantity: Quantity): Quantity {
  return quantity.unscaled < 0n ? { ...quantity, unscaled: -quantity.unscaled } : quantity;
}

// The value when it is whole, so that binary suffixes may be used; undefined otherwise.
function wholeValue(quantity: Quantity): bigint | undefined {
  if (quantity.exponent > MAX_SHIFT) return undefined;
  if (quantity.exponent >= 0) return quantity.unscaled * pow10(quantity.exponent);
  if (-quantity.exponent > digitCount(quantity.unscaled)) return undefined;
  const divisor = pow10(-quantity.exponent);
  return quantity.unscaled % divisor === 0n ? quantity.unscaled / divisor : undefined;
}

const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL_SUFFIXES: ReadonlyMap<number, string> = new Map([
  [-9, "n"],
  [-6, "u"],
  [-3, "m"],
  [0, ""],
  [3, "k"],
  [6, "M"],
  [9, "G"],
  [12, "T"],
  [15, "P"],
  [18, "E"],
]);

function formatBinary(whole: bigint): string {
  let times = 0;
  let value = whole;
  for (; value % 1024n === 0n; times++) value /= 1024n;
  return `${value}${BINARY_SUFFIXES[times] ?? ""}`;
}

function formatDecimal(quantity: Quantity, withExponent: boolean): string {
  let { unscaled, exponent } = quantity;
  for (; unscaled % 10n === 0n; exponent++) unscaled /= 10n;
  exponent |= 0;
  for (; exponent % 3 !== 0; exponent--) unscaled *= 10n;
  const digits = digitsOf(unscaled);
  if (withExponent) return exponent === 0 ? digits : `${digits}e${exponent}`;
  return `${digits}${DECIMAL_SUFFIXES.get(exponent) ?? ""}`;
}

const LONG_NUMBER = 10n ** BigInt(LONG);
let written: { readonly value: bigint; readonly digits: string } | undefined;

/** Like `String`, but the last long number is remembered, as its text is. */
function digitsOf(value: bigint): string {
  if (value < LONG_NUMBER && value > -LONG_NUMBER) return String(value);
  if (written?.value !== value) written = { value, digits: String(value) };
  return written.digits;
}

function withoutText(quantity: Quantity): Quantity {
  const { unscaled, exponent, decimal, format } = quantity;
  return { unscaled, exponent, decimal, format };
}

function isInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64;
}

function digitCount(value: bigint): number {
  return digitsOf(value < 0n ? -value : value).length;
}

function pow10(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

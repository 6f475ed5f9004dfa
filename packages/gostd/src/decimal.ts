/**
 * The decimal digits of a float, for `formatFloat`.
 *
 * Shortest digits come from the JavaScript engine, which guarantees the same as Go: the fewest digits that read
 * back as the same number, and among those the closest. Digits cut at a precision are computed exactly and
 * rounded half to even as in Go; `toFixed` and the like round half up.
 */
export interface Decimal {
  /** Significant digits without trailing zeros; empty for zero. */
  readonly digits: string;
  /** The position of the decimal point in `digits`: "12" with 1 is 1.2. */
  readonly point: number;
}

const ZERO: Decimal = { digits: "", point: 0 };
/** No float32 needs more digits than this to be distinguished from its neighbours. */
const FLOAT32_DIGITS = 9;

export function shortestDecimal(magnitude: number, bits: 32 | 64): Decimal {
  if (magnitude === 0) return ZERO;
  return bits === 64 ? fromExponential(magnitude.toExponential()) : shortestFloat32(magnitude);
}

export function exactDecimal(magnitude: number): Decimal {
  if (magnitude === 0) return ZERO;
  const { mantissa, exponent } = decompose(magnitude);
  if (exponent >= 0) return trimmed((mantissa << BigInt(exponent)).toString(), 0);
  // m / 2^k = m * 5^k / 10^k
  return trimmed((mantissa * 5n ** BigInt(-exponent)).toString(), exponent);
}

/** Keeps `count` digits, half to even. */
export function roundDecimal(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count < 0) return ZERO;
  if (count >= digits.length) return decimal;
  const kept = digits.slice(0, count);
  if (!roundsUp(digits, count)) return trimmedAt(kept, point);
  if (kept === "") return { digits: "1", point: point + 1 };
  const raised = (BigInt(kept) + 1n).toString();
  return trimmedAt(raised, point + raised.length - kept.length);
}

function roundsUp(digits: string, count: number): boolean {
  const next = digits.charAt(count);
  const exactlyHalf = next === "5" && count === digits.length - 1;
  if (!exactlyHalf) return next >= "5";
  return count > 0 && Number(digits.charAt(count - 1)) % 2 === 1;
}

function fromExponential(text: string): Decimal {
  const [mantissa = "", exponent = ""] = text.split("e");
  return trimmedAt(mantissa.replace(".", ""), Number(exponent) + 1);
}

function shortestFloat32(magnitude: number): Decimal {
  const exact = exactDecimal(magnitude);
  const candidates = isPowerOfTwo(magnitude) ? [roundHalfUp, roundUp] : [roundDecimal];
  for (let precision = 1; precision < FLOAT32_DIGITS; precision++) {
    for (const round of candidates) {
      const rounded = round(exact, precision);
      if (Math.fround(toNumber(rounded)) === magnitude) return rounded;
    }
  }
  return roundDecimal(exact, FLOAT32_DIGITS);
}

/** Floats below a power of two are closer together than those above, so the nearest decimal may be the wrong one. */
function isPowerOfTwo(magnitude: number): boolean {
  const { mantissa } = decompose(magnitude);
  return (mantissa & (mantissa - 1n)) === 0n;
}

function roundHalfUp(decimal: Decimal, count: number): Decimal {
  return decimal.digits.charAt(count) >= "5" ? roundUp(decimal, count) : roundDecimal(decimal, count);
}

function roundUp({ digits, point }: Decimal, count: number): Decimal {
  if (count >= digits.length) return { digits, point };
  const raised = (BigInt(digits.slice(0, count)) + 1n).toString();
  return trimmedAt(raised, point + raised.length - count);
}

function toNumber({ digits, point }: Decimal): number {
  return Number(`0.${digits}e${point}`);
}

function decompose(magnitude: number): { readonly mantissa: bigint; readonly exponent: number } {
  const raw = new BigUint64Array(Float64Array.of(magnitude).buffer)[0] ?? 0n;
  const biased = Number(raw >> 52n) & 0x7ff;
  const fraction = raw & ((1n << 52n) - 1n);
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** The integer `digits` times ten to `exponent`. */
function trimmed(digits: string, exponent: number): Decimal {
  return trimmedAt(digits, digits.length + exponent);
}

function trimmedAt(digits: string, point: number): Decimal {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return end === 0 ? ZERO : { digits: digits.slice(0, end), point };
}

/** The float nearest to a fraction, ties to even; needed where the conversion of the JavaScript engine would round twice. */
interface FloatShape {
  /** Significant bits, the leading one included. */
  readonly precision: number;
  /** Exponent of the smallest positive number. */
  readonly minExponent: number;
  readonly max: number;
}

const SHAPES: Readonly<Record<32 | 64, FloatShape>> = {
  32: { precision: 24, minExponent: -149, max: 3.4028234663852886e38 },
  64: { precision: 53, minExponent: -1074, max: Number.MAX_VALUE },
};

/** Infinity where the result exceeds the largest float. Both arguments are positive, or the numerator is 0. */
export function nearestFloat(numerator: bigint, denominator: bigint, bits: 32 | 64): number {
  if (numerator === 0n) return 0;
  const { precision, minExponent, max } = SHAPES[bits];
  const magnitude = bitLength(numerator) - bitLength(denominator);
  if (magnitude > 1100) return Number.POSITIVE_INFINITY;
  // The quotient below has at least `precision` bits, unless it is subnormal.
  const exponent = Math.max(magnitude - precision, minExponent);
  const value = scale(roundedQuotient(numerator, denominator, exponent, precision));
  return value > max ? Number.POSITIVE_INFINITY : value;
}

interface Rounded {
  readonly quotient: bigint;
  readonly exponent: number;
}

/** `numerator / (denominator * 2^exponent)`, rounded to at most `precision` bits. */
function roundedQuotient(numerator: bigint, denominator: bigint, exponent: number, precision: number): Rounded {
  const over = exponent < 0 ? numerator << BigInt(-exponent) : numerator;
  const under = exponent < 0 ? denominator : denominator << BigInt(exponent);
  if (bitLength(over / under) > precision) return roundedQuotient(numerator, denominator, exponent + 1, precision);
  const quotient = over / under;
  const twiceRest = 2n * (over % under);
  const up = twiceRest > under || (twiceRest === under && quotient % 2n === 1n);
  return { quotient: up ? quotient + 1n : quotient, exponent };
}

function scale(rounded: Rounded): number {
  // In two steps because 2^exponent alone may underflow although the product does not.
  const half = Math.trunc(rounded.exponent / 2);
  return Number(rounded.quotient) * 2 ** half * 2 ** (rounded.exponent - half);
}

function bitLength(value: bigint): number {
  const hex = value.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

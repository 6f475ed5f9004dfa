/**
 * Arithmetic on estimate ranges: uint64 that saturates instead of wrapping.
 *
 * Sizes and costs share one shape and one arithmetic. Multiplying by a factor goes through float64 and
 * rounds up, as upstream does, so the precision lost beyond 2^53 is part of the result.
 * Follows cel-go checker/cost.go.
 */
import type { Range } from "./cost.ts";

export const MAX_UINT64 = 18446744073709551615n;
const TWO_TO_64 = 2 ** 64;

/** An unknown size. */
export const UNKNOWN_SIZE: Range = { min: 0n, max: MAX_UINT64 };

export const ZERO_RANGE: Range = { min: 0n, max: 0n };
export const ONE_RANGE: Range = { min: 1n, max: 1n };

export function fixedRange(value: bigint | number): Range {
  const exact = BigInt(value);
  return { min: exact, max: exact };
}

export function addRanges(left: Range, right: Range): Range {
  return { min: addUint64(left.min, right.min), max: addUint64(left.max, right.max) };
}

export function multiplyRanges(left: Range, right: Range): Range {
  return { min: multiplyUint64(left.min, right.min), max: multiplyUint64(left.max, right.max) };
}

/** Each bound times the factor, rounded up to the next integer. */
export function multiplyByCostFactor(range: Range, factor: number): Range {
  return { min: multiplyUint64ByFactor(range.min, factor), max: multiplyUint64ByFactor(range.max, factor) };
}

/** The smallest range that holds both. */
export function unionRanges(left: Range, right: Range): Range {
  return { min: lesser(left.min, right.min), max: greater(left.max, right.max) };
}

export function lesser(left: bigint, right: bigint): bigint {
  if (left < right) return left;
  return right;
}

export function greater(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}

export function addUint64(left: bigint, right: bigint): bigint {
  const sum = left + right;
  return sum > MAX_UINT64 ? MAX_UINT64 : sum;
}

export function multiplyUint64(left: bigint, right: bigint): bigint {
  const product = left * right;
  return product > MAX_UINT64 ? MAX_UINT64 : product;
}

export function multiplyUint64ByFactor(value: bigint, factor: number): bigint {
  const approximate = Number(value);
  if (approximate > 0 && factor > 0 && approximate > TWO_TO_64 / factor) return MAX_UINT64;
  const ceiling = Math.ceil(approximate * factor);
  return ceiling >= TWO_TO_64 ? MAX_UINT64 : BigInt(ceiling);
}

/** Multiplication that wraps at 2^64: a few of upstream's result sizes overflow, and must here too. */
export function wrapUint64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

/**
 * Doubles under comparisons. Each comparison changes its answer only at known points, so trying those points and the
 * doubles just before them decides.
 */
import type { RealForm } from "../evaluate/symbolic.ts";

export interface RealTest {
  readonly key: string;
  readonly holds: (value: number) => boolean;
  /** The answer is constant between two of them. */
  readonly breaks: readonly number[];
}

export interface RealDomain {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly tests: readonly { readonly test: RealTest; readonly wanted: boolean }[];
  /** Whether it is the result of a function, which may be infinite or NaN. Data is neither. */
  readonly isComputed?: boolean;
}

/** False for NaN only. */
export const IS_NUMBER: RealTest = { key: "is a number", holds: (value) => !Number.isNaN(value), breaks: [] };

export function isRealPossible(domain: RealDomain): boolean {
  return solveReals(domain, 1).length > 0;
}

/** Numbers that pass, those with a fraction first: whole numbers have their own kinds. */
export function solveReals(domain: RealDomain, limit: number): number[] {
  const points = candidates(domain).filter((value) => passes(domain, value));
  const rank = (value: number): number => (Number.isInteger(value) ? 1 : 0) + (Math.abs(value) > 1e15 ? 2 : 0);
  return points.sort((left, right) => rank(left) - rank(right)).slice(0, limit);
}

function candidates({ min, max, tests, isComputed = false }: RealDomain): number[] {
  const marks = [...new Set([min ?? [], max ?? [], 0, ...tests.flatMap(({ test }) => test.breaks)].flat())];
  const sorted = marks.filter(Number.isFinite).sort((left, right) => left - right);
  const between = sorted.slice(1).map((mark, index) => (mark + (sorted[index] ?? mark)) / 2);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  return [
    ...between,
    first - 1.5,
    last + 1.5,
    ...sorted,
    ...sorted.map((mark) => before(mark)),
    -Number.MAX_VALUE,
    Number.MAX_VALUE,
    ...(isComputed ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN] : []),
  ];
}

function passes({ min, max, tests }: RealDomain, value: number): boolean {
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) return false;
  return tests.every(({ test, wanted }) => test.holds(value) === wanted);
}

type Order = "<" | "<=" | "==" | ">" | ">=";

export function realTest({ apply, direction }: RealForm, key: string, order: Order, limit: number): RealTest {
  const signAt = (value: number): number => {
    const applied = apply(value);
    return (applied < limit ? -1 : applied > limit ? 1 : 0) * direction;
  };
  const reached = firstDouble((value) => signAt(value) >= 0);
  const passed = firstDouble((value) => signAt(value) > 0);
  const holds = (value: number): boolean => !Number.isNaN(apply(value)) && isOrdered(signAt(value) * direction, order);
  return { key: `${key}${order}${limit}`, holds, breaks: [reached ?? [], passed ?? []].flat() };
}

function isOrdered(sign: number, order: Order): boolean {
  if (order === "==") return sign === 0;
  if (order === "<") return sign < 0;
  if (order === "<=") return sign <= 0;
  return order === ">" ? sign > 0 : sign >= 0;
}

const bits = new DataView(new ArrayBuffer(8));

/** The index of a double in their order. */
function rankOf(value: number): bigint {
  bits.setFloat64(0, value);
  const raw = bits.getBigInt64(0);
  return raw >= 0n ? raw : -(raw & MASK);
}

const MASK = 2n ** 63n - 1n;

function ofRank(rank: bigint): number {
  bits.setBigInt64(0, rank >= 0n ? rank : -rank | -(2n ** 63n));
  return bits.getFloat64(0);
}

function before(value: number): number {
  return value === -Number.MAX_VALUE ? value : ofRank(rankOf(value) - 1n);
}

/** The smallest double for which a monotonic test is true. */
function firstDouble(isTrue: (value: number) => boolean): number | undefined {
  let [low, high] = [rankOf(-Number.MAX_VALUE), rankOf(Number.MAX_VALUE)];
  if (!isTrue(Number.MAX_VALUE)) return undefined;
  while (low < high) {
    const middle = low + (high - low) / 2n - (high - low < 0n ? 1n : 0n);
    if (isTrue(ofRank(middle))) high = middle;
    else low = middle + 1n;
  }
  return ofRank(low);
}

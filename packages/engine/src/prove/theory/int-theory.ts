/**
 * Whole numbers under constraints. Each constraint changes its answer only at known points, or repeats with a known
 * period between them, so trying one number (or one period) of each interval decides exactly whether any number is
 * left.
 */
import type { IntAlternative } from "../sorts/sort.ts";
import { tick } from "./time.ts";

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

export interface IntTest {
  /** Equal for equal constraints. */
  readonly key: string;
  readonly holds: (value: bigint) => boolean;
  /** Points where the answer may change: between two of them it is constant or periodic. */
  readonly breaks: readonly bigint[];
  readonly period?: bigint | undefined;
}

export interface IntDomain {
  readonly min: bigint;
  readonly max: bigint;
  readonly tests: readonly IntTest[];
}

export function intDomain({ min, max, multipleOf, excluded, listed }: Omit<IntAlternative, "kind">): IntDomain {
  const tests: IntTest[] = [];
  if (multipleOf !== undefined && multipleOf > 1n) {
    tests.push({
      key: `%${multipleOf}`,
      holds: (value) => value % multipleOf === 0n,
      breaks: [0n],
      period: multipleOf,
    });
  }
  for (const each of excluded ?? []) tests.push(notEqual(each));
  if (listed !== undefined) {
    const breaks = listed.flatMap((each) => [each, each + 1n]);
    tests.push({ key: `in ${listed.join()}`, holds: (value) => listed.includes(value), breaks });
  }
  return { min: min ?? INT64_MIN, max: max ?? INT64_MAX, tests };
}

function notEqual(excluded: bigint): IntTest {
  return { key: `!=${excluded}`, holds: (value) => value !== excluded, breaks: [excluded, excluded + 1n] };
}

export function negated(test: IntTest): IntTest {
  return { ...test, key: `!(${test.key})`, holds: (value) => !test.holds(value) };
}

export function withTest(domain: IntDomain, test: IntTest): IntDomain {
  if (domain.tests.some(({ key }) => key === test.key)) return domain;
  return { ...domain, tests: [...domain.tests, test] };
}

const MAX_PERIOD = 5000n;

/** Numbers that pass all tests, simple ones first; "unknown" if there are too many to try. */
export function solveInts(domain: IntDomain, limit: number): readonly bigint[] | "unknown" {
  const period = domain.tests.reduce((all, each) => lcm(all, each.period ?? 1n), 1n);
  if (period > MAX_PERIOD) return "unknown";
  const found: bigint[] = [];
  for (const [from, to] of stretches(domain)) {
    tick();
    const last = to - from >= period ? from + period - 1n : to;
    for (let value = from; value <= last; value++) {
      if (domain.tests.every(({ holds }) => holds(value))) found.push(value);
    }
  }
  return found.sort(byLikeability).slice(0, limit);
}

function stretches({ min, max, tests }: IntDomain): (readonly [bigint, bigint])[] {
  if (min > max) return [];
  const inside = [0n, 1n, ...tests.flatMap(({ breaks }) => breaks)].filter((each) => each > min && each <= max);
  const starts = [...new Set([min, ...inside])].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return starts.map((start, index) => [start, (starts[index + 1] ?? max + 1n) - 1n] as const);
}

function byLikeability(left: bigint, right: bigint): number {
  const distance = magnitude(left) - magnitude(right);
  return distance < 0n ? -1 : distance > 0n ? 1 : 0;
}

function magnitude(value: bigint): bigint {
  return value >= 0n ? value : -value * 2n;
}

function lcm(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return (left / a) * right;
}

/** The first number from `min` on for which a monotonic test is true; undefined if there is none. */
export function firstTrue(min: bigint, max: bigint, isTrue: (value: bigint) => boolean): bigint | undefined {
  if (!isTrue(max)) return undefined;
  let [low, high] = [min, max];
  while (low < high) {
    const middle = low + (high - low) / 2n;
    if (isTrue(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

export function isIntPossible(domain: IntDomain): boolean {
  const solved = solveInts(domain, 1);
  return solved === "unknown" || solved.length > 0;
}

/** The smallest and the largest number that may be left; undefined if not known. */
export function hullOf(domain: IntDomain): { readonly min: bigint; readonly max: bigint } | undefined {
  if (domain.tests.some(({ period }) => period !== undefined)) return undefined;
  const left = stretches(domain).filter(([from]) => domain.tests.every(({ holds }) => holds(from)));
  const [first, last] = [left[0], left.at(-1)];
  return first === undefined || last === undefined ? undefined : { min: first[0], max: last[1] };
}

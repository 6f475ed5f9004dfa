/**
 * Whether integers exist that satisfy comparisons of sums, multiples and inequalities.
 *
 * Bounds are narrowed until nothing changes; the rest is refuted over the rationals by eliminating one name after
 * another. A contradiction is a proof that there are none; otherwise nothing is proved.
 */
import type { Linear } from "./formula.ts";

/** A sum that is at most 0. */
export type AtMostZero = Linear;

export interface IntegerFacts {
  readonly atMostZero: readonly AtMostZero[];
  readonly zero: readonly Linear[];
  readonly nonZero: readonly Linear[];
  readonly multiples: readonly { readonly name: string; readonly factor: bigint; readonly isOne: boolean }[];
}

export interface Bounds {
  /** Undefined is unbounded. */
  low: bigint | undefined;
  high: bigint | undefined;
}

const MAX_ROUNDS = 60;
const MAX_COMBINED = 300;
const MAX_SKIPPED = 2000;

/** Undefined if the facts contradict each other; otherwise bounds that contain every solution. */
export function solveIntegers(facts: IntegerFacts): ReadonlyMap<string, Bounds> | undefined {
  const sums = [...facts.atMostZero, ...facts.zero.flatMap((each) => [each, negated(each)])];
  const bounds = new Map<string, Bounds>();
  for (const { terms } of [...sums, ...facts.nonZero]) for (const name of terms.keys()) boundsOf(bounds, name);
  for (const { name } of facts.multiples) boundsOf(bounds, name);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isChanged = false;
    for (const sum of sums) {
      const narrowed = narrow(sum, bounds);
      if (narrowed === undefined) return undefined;
      isChanged ||= narrowed;
    }
    const skipped = skipEnds(facts, bounds);
    if (skipped === undefined) return undefined;
    if (!isChanged && !skipped) break;
  }
  if (facts.nonZero.some((sum) => sum.terms.size === 0 && sum.constant === 0n)) return undefined;
  if (facts.nonZero.some((sum) => isFixed(sum, bounds))) return undefined;
  return isRefuted(
    withBounds(
      sums.filter(({ terms }) => terms.size > 1),
      bounds,
    ),
  )
    ? undefined
    : bounds;
}

function negated({ terms, constant }: Linear): Linear {
  return { terms: new Map([...terms].map(([name, factor]) => [name, -factor])), constant: -constant };
}

function boundsOf(bounds: Map<string, Bounds>, name: string): Bounds {
  const known = bounds.get(name) ?? { low: undefined, high: undefined };
  bounds.set(name, known);
  return known;
}

/** Whether a bound was narrowed; undefined if the sum cannot be at most 0. */
function narrow({ terms, constant }: Linear, bounds: Map<string, Bounds>): boolean | undefined {
  if (terms.size === 0) return constant <= 0n ? false : undefined;
  let isChanged = false;
  for (const [name, factor] of terms) {
    const rest = leastOf(terms, constant, bounds, name);
    if (rest === undefined) continue;
    // factor * name <= -rest
    const own = boundsOf(bounds, name);
    if (factor > 0n) {
      const high = floorDivide(-rest, factor);
      if (own.high === undefined || high < own.high) {
        own.high = high;
        isChanged = true;
      }
    } else {
      const low = -floorDivide(-rest, -factor);
      if (own.low === undefined || low > own.low) {
        own.low = low;
        isChanged = true;
      }
    }
    if (own.low !== undefined && own.high !== undefined && own.low > own.high) return undefined;
  }
  return isChanged;
}

/** The smallest sum of all terms but one. */
function leastOf(
  terms: ReadonlyMap<string, bigint>,
  constant: bigint,
  bounds: Map<string, Bounds>,
  except: string,
): bigint | undefined {
  let sum = constant;
  for (const [name, factor] of terms) {
    if (name === except) continue;
    const { low, high } = boundsOf(bounds, name);
    const end = factor > 0n ? low : high;
    if (end === undefined) return undefined;
    sum += factor * end;
  }
  return sum;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by !== 0n && value < 0n !== by < 0n ? quotient - 1n : quotient;
}

/** Skips ends that are excluded, or not of the required multiples. */
function skipEnds({ nonZero, multiples }: IntegerFacts, bounds: Map<string, Bounds>): boolean | undefined {
  let isChanged = false;
  for (const [name, own] of bounds) {
    const excluded = new Set(nonZero.flatMap((sum) => excludedValue(sum, name)));
    const wanted = multiples.filter((each) => each.name === name);
    if (excluded.size === 0 && wanted.length === 0) continue;
    const isOut = (value: bigint): boolean =>
      excluded.has(value) || wanted.some(({ factor, isOne }) => (value % factor === 0n) !== isOne);
    for (let skipped = 0; own.low !== undefined && isOut(own.low); skipped++) {
      if (skipped > MAX_SKIPPED || (own.high !== undefined && own.low > own.high)) break;
      own.low += 1n;
      isChanged = true;
    }
    for (let skipped = 0; own.high !== undefined && isOut(own.high); skipped++) {
      if (skipped > MAX_SKIPPED || (own.low !== undefined && own.low > own.high)) break;
      own.high -= 1n;
      isChanged = true;
    }
    if (own.low !== undefined && own.high !== undefined && own.low > own.high) return undefined;
    if (impossibleMultiples(wanted)) return undefined;
  }
  return isChanged;
}

/** Such as a multiple of 12 that is not a multiple of 4. */
function impossibleMultiples(wanted: IntegerFacts["multiples"]): boolean {
  const common = wanted.filter(({ isOne }) => isOne).reduce((sum, { factor }) => lcm(sum, factor), 1n);
  return wanted.some(({ factor, isOne }) => !isOne && common % factor === 0n);
}

function lcm(left: bigint, right: bigint): bigint {
  return (left / gcd(left, right)) * right;
}

function gcd(left: bigint, right: bigint): bigint {
  return right === 0n ? (left < 0n ? -left : left) : gcd(right, left % right);
}

function excludedValue({ terms, constant }: Linear, name: string): bigint[] {
  const factor = terms.get(name);
  if (terms.size !== 1 || factor === undefined || constant % factor !== 0n) return [];
  return [-constant / factor];
}

/** Whether the sum can only be 0. */
function isFixed({ terms, constant }: Linear, bounds: ReadonlyMap<string, Bounds>): boolean {
  let sum = constant;
  for (const [name, factor] of terms) {
    const own = bounds.get(name);
    if (own?.low === undefined || own.low !== own.high) return false;
    sum += factor * own.low;
  }
  return sum === 0n;
}

/** Sums of several names, and the bounds of each name. */
function withBounds(sums: readonly Linear[], bounds: ReadonlyMap<string, Bounds>): Linear[] {
  const found = [...sums];
  for (const name of new Set(sums.flatMap(({ terms }) => [...terms.keys()]))) {
    const { low, high } = bounds.get(name) ?? { low: undefined, high: undefined };
    if (low !== undefined) found.push({ terms: new Map([[name, -1n]]), constant: low });
    if (high !== undefined) found.push({ terms: new Map([[name, 1n]]), constant: -high });
  }
  return found;
}

/** Fourier-Motzkin elimination: names are eliminated until a positive constant would have to be at most 0. */
function isRefuted(sums: readonly Linear[]): boolean {
  let left = sums;
  for (;;) {
    if (left.some(({ terms, constant }) => terms.size === 0 && constant > 0n)) return true;
    const name = cheapestName(left);
    if (name === undefined || left.length > MAX_COMBINED) return false;
    left = eliminate(left, name);
  }
}

/** The name whose elimination makes the fewest sums. */
function cheapestName(sums: readonly Linear[]): string | undefined {
  const counts = new Map<string, { above: number; below: number }>();
  for (const { terms } of sums) {
    for (const [name, factor] of terms) {
      const count = counts.get(name) ?? { above: 0, below: 0 };
      counts.set(name, count);
      if (factor > 0n) count.above++;
      else count.below++;
    }
  }
  let best: { readonly name: string; readonly cost: number } | undefined;
  for (const [name, { above, below }] of counts) {
    const cost = above * below;
    if (best === undefined || cost < best.cost) best = { name, cost };
  }
  return best?.name;
}

function eliminate(sums: readonly Linear[], name: string): Linear[] {
  const above = sums.filter(({ terms }) => (terms.get(name) ?? 0n) > 0n);
  const below = sums.filter(({ terms }) => (terms.get(name) ?? 0n) < 0n);
  const rest = sums.filter(({ terms }) => !terms.has(name));
  const combined = above.flatMap((upper) =>
    below.map((lower) => combine(upper, -(lower.terms.get(name) ?? 0n), lower, upper.terms.get(name) ?? 0n)),
  );
  return [...rest, ...combined];
}

function combine(left: Linear, leftFactor: bigint, right: Linear, rightFactor: bigint): Linear {
  const terms = new Map<string, bigint>();
  const add = (source: Linear, by: bigint): void => {
    for (const [name, factor] of source.terms) {
      const sum = (terms.get(name) ?? 0n) + factor * by;
      if (sum === 0n) terms.delete(name);
      else terms.set(name, sum);
    }
  };
  add(left, leftFactor);
  add(right, rightFactor);
  return { terms, constant: left.constant * leftFactor + right.constant * rightFactor };
}

/** Sums of integers with too many cases to list: only their least and greatest value are known. */
import type { Translator } from "./cel-scope.ts";
import { isFirstFact } from "./data-terms.ts";
import { and, type Formula, type Linear, not, or } from "./formula.ts";
import { atMost, constantLinear, type IntRange, variable } from "./linear.ts";
import { NONE, type Terms } from "./term.ts";

const INT64: IntRange = { low: -(2n ** 63n), high: 2n ** 63n - 1n };

/** `name` is that of the sum. Undefined if some case is not bounded, or the sum may be an overflow. */
export function boundedSum(name: string, left: Terms, right: Terms, within: Translator): Terms | undefined {
  const [one, other] = [rangeOf(left, within.bounds), rangeOf(right, within.bounds)];
  if (one === undefined || other === undefined) return undefined;
  const range: IntRange = { low: one.low + other.low, high: one.high + other.high };
  if (!isInt64Range(range)) return undefined;
  const own = `sum ${name}`;
  within.bounds.set(own, range);
  const sum = variable(own);
  if (isFirstFact(within.facts, own)) within.facts.push(isWithin(sum, range));
  // Exactly one case holds.
  const isThere = not(or(...[...left, ...right].flatMap(({ when, is }) => (is.sort === "none" ? [when] : []))));
  return [
    { when: isThere, is: { sort: "int", linear: sum } },
    { when: not(isThere), is: NONE },
  ];
}

/** Whether the range is known, and no value of it is an overflow. */
export function isInt64Range(range: IntRange | undefined): boolean {
  return range !== undefined && range.low >= INT64.low && range.high <= INT64.high;
}

function isWithin(value: Linear, { low, high }: IntRange): Formula {
  return and(atMost(constantLinear(low), value), atMost(value, constantLinear(high)));
}

/** The range of all cases. */
function rangeOf(terms: Terms, bounds: ReadonlyMap<string, IntRange>): IntRange | undefined {
  let range: IntRange | undefined;
  for (const { is } of terms) {
    if (is.sort === "none") continue;
    const own = is.sort === "int" ? rangeOfLinear(is.linear, bounds) : undefined;
    if (own === undefined) return undefined;
    range = range === undefined ? own : { low: lesser(range.low, own.low), high: greater(range.high, own.high) };
  }
  return range;
}

export function rangeOfLinear(
  { terms, constant }: Linear,
  bounds: ReadonlyMap<string, IntRange>,
): IntRange | undefined {
  let [low, high] = [constant, constant];
  for (const [name, factor] of terms) {
    const own = bounds.get(name);
    if (own === undefined) return undefined;
    low += factor * (factor > 0n ? own.low : own.high);
    high += factor * (factor > 0n ? own.high : own.low);
  }
  return { low, high };
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

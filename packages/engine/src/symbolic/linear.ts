/** Sums of integers with integer factors, and comparisons of them. */
import { FALSE, type Formula, type Linear, literal, not, TRUE } from "./formula.ts";

/** The least and the greatest value of an integer. */
export interface IntRange {
  readonly low: bigint;
  readonly high: bigint;
}

export function constantLinear(constant: bigint): Linear {
  return { terms: new Map(), constant };
}

export function variable(name: string): Linear {
  return { terms: new Map([[name, 1n]]), constant: 0n };
}

export function add(left: Linear, right: Linear): Linear {
  const terms = new Map(left.terms);
  for (const [name, factor] of right.terms) {
    const sum = (terms.get(name) ?? 0n) + factor;
    if (sum === 0n) terms.delete(name);
    else terms.set(name, sum);
  }
  return { terms, constant: left.constant + right.constant };
}

export function scale({ terms, constant }: Linear, factor: bigint): Linear {
  if (factor === 0n) return constantLinear(0n);
  return { terms: new Map([...terms].map(([name, each]) => [name, each * factor])), constant: constant * factor };
}

export function subtract(left: Linear, right: Linear): Linear {
  return add(left, scale(right, -1n));
}

export function atMost(left: Linear, right: Linear): Formula {
  const linear = subtract(left, right);
  if (linear.terms.size === 0) return linear.constant <= 0n ? TRUE : FALSE;
  // `1 <= x` and `!(x <= 0)` are the same for integers: one of them is used for both.
  if (firstFactor(linear) > 0n) return literal({ kind: "int", linear, relation: "<=" });
  return not(literal({ kind: "int", linear: add(scale(linear, -1n), constantLinear(1n)), relation: "<=" }));
}

/** The factor of the first name in the order of the alphabet. */
function firstFactor({ terms }: Linear): bigint {
  let first: readonly [string, bigint] | undefined;
  for (const term of terms) if (first === undefined || term[0] < first[0]) first = term;
  return first?.[1] ?? 0n;
}

export function lessThan(left: Linear, right: Linear): Formula {
  return not(atMost(right, left));
}

export function equalTo(left: Linear, right: Linear): Formula {
  const linear = subtract(left, right);
  if (linear.terms.size === 0) return linear.constant === 0n ? TRUE : FALSE;
  return literal({ kind: "int", linear, relation: "==" });
}

/** The same comparison always has the same text. */
export function linearText({ terms, constant }: Linear): string {
  const sorted = [...terms].sort(([left], [right]) => (left < right ? -1 : 1));
  return `${sorted.map(([name, factor]) => `${factor}*${name}`).join(" + ")} + ${constant}`;
}

/**
 * Sums of numbers at several places: whole numbers, and quantities in billionths. What is assumed of them on an
 * execution path is a system of linear inequalities; a path whose system has no solution is impossible.
 */
import { normalInt } from "@portcullis/cel/internal";
import type { Linear } from "../../symbolic/formula.ts";
import { type Bounds, solveIntegers } from "../../symbolic/integers.ts";
import { add, constantLinear, scale, subtract, variable } from "../../symbolic/linear.ts";
import type { State } from "../evaluate/state.ts";
import type { Scalar, Sym } from "../evaluate/symbolic.ts";
import { hullOf, INT64_MAX, INT64_MIN } from "../theory/int-theory.ts";
import { INFEASIBLE } from "../theory/path-search.ts";
import { inBillionths, isQuantity } from "./quantity-terms.ts";

/** A value as a sum; undefined if it is not known to be one. */
export function sumOf(sym: Sym): Linear | undefined {
  if (sym.k === "const") return constantSum(sym);
  if (sym.k !== "scalar") return undefined;
  if (sym.sum !== undefined) return sym.sum;
  const isPlace = sym.kind === "int" && sym.form?.variable === sym.term.key;
  return isPlace || isQuantity(sym) ? variable(sym.term.key) : undefined;
}

function constantSum({ value }: Sym & { k: "const" }): Linear | undefined {
  if (typeof value === "number" || typeof value === "bigint") return constantLinear(BigInt(value));
  const billionths = inBillionths(value);
  return billionths === undefined ? undefined : constantLinear(billionths);
}

/** What one value is more than another of the same type; undefined if one of them is not known to be a sum. */
export function excessOf(left: Sym, right: Sym): Linear | undefined {
  if (isQuantity(left) !== isQuantity(right)) return undefined;
  const [first, second] = [sumOf(left), sumOf(right)];
  return first && second && subtract(first, second);
}

/** The signs that a sum may have. */
export function signsOf(state: State, sum: Linear): readonly number[] {
  if (sum.terms.size === 0) return [sum.constant < 0n ? -1 : sum.constant > 0n ? 1 : 0];
  return [-1, 0, 1].filter((sign) => isPossible(state, withSign(sum, sign)));
}

export function requireSign(state: State, sum: Linear, sign: number): void {
  state.sums.push(...withSign(sum, sign));
}

/** As sums that are at most 0. */
function withSign(sum: Linear, sign: number): Linear[] {
  const [one, negative] = [constantLinear(1n), scale(sum, -1n)];
  if (sign < 0) return [add(sum, one)];
  return sign > 0 ? [add(negative, one)] : [sum, negative];
}

/** Whether a sum is within an int64; a choice if both are possible. */
export function fitsInt64(state: State, key: string, sum: Linear): boolean {
  const [over, under] = [subtract(constantLinear(INT64_MAX + 1n), sum), subtract(sum, constantLinear(INT64_MIN - 1n))];
  const within = [subtract(sum, constantLinear(INT64_MAX)), subtract(constantLinear(INT64_MIN), sum)];
  const fact = `fits ${key}`;
  const known = state.facts.get(fact);
  if (known !== undefined) return known === 0;
  const options = [within, [over], [under]];
  const possible = options.filter((each) => isPossible(state, each));
  const taken = possible[state.choices.choose(possible.length)];
  if (taken === undefined) throw INFEASIBLE;
  const isWithin = taken === within;
  state.facts.set(fact, isWithin ? 0 : 1);
  state.sums.push(...taken);
  return isWithin;
}

/** Whether the assumptions of the path about sums have a solution, with some more of them. */
export function isPossible(state: State, more: readonly Linear[] = []): boolean {
  return boundsOfSums(state, more) !== undefined;
}

/** Bounds for each place that a sum depends on; undefined if the assumptions contradict each other. */
function boundsOfSums(state: State, more: readonly Linear[]): ReadonlyMap<string, Bounds> | undefined {
  const sums = connected([...state.sums], more);
  return solveIntegers({ atMostZero: [...sums, ...placeBounds(state, sums)], zero: [], nonZero: [], multiples: [] });
}

/** Those that share places with the new ones, directly or through others. */
function connected(known: Linear[], more: readonly Linear[]): Linear[] {
  if (more.length === 0) return known;
  const found = [...more];
  const places = new Set(more.flatMap(({ terms }) => [...terms.keys()]));
  let left = known;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((sum) => {
      const isNear = [...sum.terms.keys()].some((name) => places.has(name));
      if (isNear) {
        found.push(sum);
        for (const name of sum.terms.keys()) places.add(name);
      }
      return !isNear;
    });
  }
  return found;
}

/** What is known of each place by itself. */
function placeBounds(state: State, sums: readonly Linear[]): Linear[] {
  const places = new Set(sums.flatMap(({ terms }) => [...terms.keys()]));
  return [...places].flatMap((name) => {
    const domain = state.ints.get(name);
    if (domain === undefined) return [];
    const { min, max } = hullOf(domain) ?? domain;
    return [subtract(constantLinear(min), variable(name)), subtract(variable(name), constantLinear(max))];
  });
}

/** The product of two sums: each product of two places is treated like a place. */
export function product(state: State, left: Linear, right: Linear): Linear {
  let all = constantLinear(0n);
  for (const [one, factor] of [...left.terms, ["", left.constant] as const]) {
    for (const [other, otherFactor] of [...right.terms, ["", right.constant] as const]) {
      const names = [one, other].filter((name) => name !== "").sort();
      const place = names.length === 0 ? constantLinear(1n) : variable(names.join(" * "));
      if (names.length === 2) boundProduct(state, names);
      all = add(all, scale(place, factor * otherFactor));
    }
  }
  return all;
}

function boundProduct(state: State, names: readonly string[]): void {
  const key = names.join(" * ");
  const [first, second] = names.map((name) => state.ints.get(name));
  if (first === undefined || second === undefined || state.ints.has(key)) return;
  const ends = [first.min, first.max].flatMap((one) => [one * second.min, one * second.max]);
  const sorted = ends.sort((left, right) => (left < right ? -1 : 1));
  state.ints.set(key, { min: sorted.at(0) ?? 0n, max: sorted.at(-1) ?? 0n, tests: [] });
}

/** A quotient by a positive number of a number that is not negative, or the remainder. */
export function quotientOf(state: State, dividend: Linear, divisor: bigint, key: string): Linear {
  const quotient = variable(`${key} as a quotient`);
  const rest = subtract(dividend, scale(quotient, divisor));
  const fact = `quotient ${key}`;
  if (!state.facts.has(fact)) {
    state.facts.set(fact, 0);
    state.sums.push(scale(rest, -1n), subtract(rest, constantLinear(divisor - 1n)));
  }
  return quotient;
}

export function isNeverNegative(state: State, sum: Linear): boolean {
  return !isPossible(state, withSign(sum, -1));
}

/** The same number with a form if it depends on a single place. */
export function withForm(scalar: Scalar, sum: Linear): Sym {
  const [[name, factor] = ["", 0n], ...rest] = sum.terms;
  if (sum.terms.size === 0) return { k: "const", value: normalInt(sum.constant) };
  if (rest.length > 0) return { ...scalar, sum };
  const apply = (value: bigint): bigint => value * factor + sum.constant;
  return {
    ...scalar,
    sum,
    form: { variable: name, apply, direction: factor < 0n ? -1 : 1, line: { factor, constant: sum.constant } },
  };
}

/** Values for the places of sums that solve the assumptions, as far as they are easily found. */
export function solvedPlaces(state: State): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  if (state.sums.length === 0) return found;
  const places = new Set(state.sums.flatMap(({ terms }) => [...terms.keys()]));
  const fixed: Linear[] = [];
  for (const name of places) {
    const bounds = boundsOfSums(state, fixed)?.get(name);
    if (bounds === undefined) continue;
    const tries = [0n, bounds.low, bounds.high].filter((each) => each !== undefined);
    for (const value of tries) {
      if ((bounds.low !== undefined && value < bounds.low) || (bounds.high !== undefined && value > bounds.high))
        continue;
      const equal = subtract(variable(name), constantLinear(value));
      const next = [...fixed, equal, scale(equal, -1n)];
      if (!isPossible(state, next)) continue;
      fixed.push(equal, scale(equal, -1n));
      found.set(name, value);
      break;
    }
  }
  return found;
}

/** The decimal digits of a number as a string: its length, and tests of it. */

import type { State } from "../evaluate/state.ts";
import type { IntForm, Scalar } from "../evaluate/symbolic.ts";
import { firstTrue, INT64_MIN, type IntDomain, type IntTest, intDomain } from "../theory/int-theory.ts";
import type { TextTest } from "../theory/text-theory.ts";

/** The number of characters of a number's text, which is monotonic for numbers of one sign; undefined if not known. */
export function digitCount(state: State, { form, isSigned = false }: Scalar): IntForm | undefined {
  if (form === undefined || form.direction === undefined || !isWhole(state, form)) return undefined;
  if (isSigned && !excludesZero(state, form)) return undefined;
  const { variable, apply, direction } = form;
  const isFirst = (value: bigint): boolean => BigInt(apply(value) ?? 0n) < 0n === direction < 0;
  const domain = domainOf(state, variable);
  const start = firstTrue(domain.min, domain.max, isFirst) ?? domain.max + 1n;
  const isUpper = decideFrom(state, variable, start);
  const isNegative = isUpper === direction < 0;
  return {
    variable,
    apply: (value) => BigInt(String(apply(value)).length),
    direction: isNegative ? (direction > 0 ? -1 : 1) : direction,
  };
}

function domainOf(state: State, variable: string): IntDomain {
  return state.ints.get(variable) ?? intDomain({});
}

function isWhole(state: State, { variable, apply }: IntForm): boolean {
  return typeof apply(domainOf(state, variable).min) === "bigint";
}

/** The text of a double that is zero may be `-0`. */
function excludesZero(state: State, { variable, apply }: IntForm): boolean {
  const domain = domainOf(state, variable);
  const zero: IntTest = { key: "=0", holds: (value) => value === 0n, breaks: [0n, 1n] };
  return apply(INT64_MIN) === INT64_MIN && apply(domain.max) === domain.max && !state.decideInt(variable, zero);
}

/** Whether a number is in the upper part of its domain, which is narrowed; a choice if both are possible. */
function decideFrom(state: State, variable: string, start: bigint): boolean {
  const isUpper = state.decideInt(variable, { key: `>=${start}`, holds: (value) => value >= start, breaks: [start] });
  const { min, max, tests } = domainOf(state, variable);
  const above = isUpper && start > min;
  const below = !isUpper && start <= max;
  state.ints.set(variable, { min: above ? start : min, max: below ? start - 1n : max, tests });
  return isUpper;
}

const MOST = 70_000n;

/** A test of the text of a number that has few values; undefined if there are many. */
export function digitsTest(state: State, { form, isSigned = false }: Scalar, test: TextTest): IntTest | undefined {
  if (form === undefined || isSigned || !isWhole(state, form)) return undefined;
  const { min, max } = domainOf(state, form.variable);
  if (max - min > MOST) return undefined;
  const holds = (value: bigint): boolean => test.holds(String(form.apply(value)));
  const breaks: bigint[] = [];
  for (let value = min + 1n; value <= max; value++) if (holds(value) !== holds(value - 1n)) breaks.push(value);
  return { key: `text of ${form.variable} ${test.key}`, holds, breaks };
}

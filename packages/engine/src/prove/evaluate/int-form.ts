/** Arithmetic on whole numbers that depend on one place, and comparisons of such numbers with constants. */
import { Double, Uint, type Value } from "@portcullis/cel/internal";
import { firstTrue, INT64_MAX, INT64_MIN, type IntDomain, type IntTest, intDomain } from "../theory/int-theory.ts";
import type { State } from "./state.ts";
import type { IntForm, Scalar } from "./symbolic.ts";

export type Order = "<" | "<=" | "==" | ">" | ">=";

/** A number in a comparison: exact for ints, as it is for doubles. */
export type Limit = bigint | number;

export function limitOf(value: Value): Limit | undefined {
  if (typeof value === "number") return BigInt(value);
  if (typeof value === "bigint") return value;
  if (value instanceof Uint) return BigInt(value.value);
  return value instanceof Double && Number.isFinite(value.value) ? value.value : undefined;
}

/** The language rounds an int to a double to compare it with one. */
function compareWith(value: Limit, limit: Limit, isDouble: boolean): number {
  const [left, right] = isDouble ? [Number(value), Number(limit)] : [value, limit];
  return left < right ? -1 : left > right ? 1 : 0;
}

function isOrdered(sign: number, order: Order): boolean {
  if (order === "==") return sign === 0;
  if (order === "<") return sign < 0;
  if (order === "<=") return sign <= 0;
  return order === ">" ? sign > 0 : sign >= 0;
}

/** A comparison of a number with a constant. */
export interface Comparison {
  readonly key: string;
  readonly order: Order;
  readonly limit: Limit;
  /** Whether one of the two is a double. */
  readonly isDouble: boolean;
}

/** Undefined if the intervals with a constant answer are not known. */
export function orderTest(form: IntForm, comparison: Comparison, domain: IntDomain): IntTest | undefined {
  const { key, order, limit, isDouble } = comparison;
  const holds = (value: bigint): boolean => {
    const applied = form.apply(value);
    return applied !== undefined && isOrdered(compareWith(applied, limit, isDouble), order);
  };
  const name = `${key}${order}${typeof limit}${limit}${isDouble ? " as double" : ""}`;
  if (form.period !== undefined) return { key: name, holds, breaks: form.breaks ?? [], period: form.period };
  if (form.direction === undefined) return undefined;
  return { key: name, holds, breaks: turningPoints(form, form.direction, comparison, domain) };
}

/** Where the number reaches the limit, and where it passes it. */
function turningPoints(
  { apply }: IntForm,
  direction: 1 | -1,
  { limit, isDouble }: Comparison,
  { min, max }: IntDomain,
): bigint[] {
  const signAt = (value: bigint): number => {
    const applied = apply(value);
    return applied === undefined ? 0 : compareWith(applied, limit, isDouble) * direction;
  };
  const reached = firstTrue(min, max, (value) => signAt(value) >= 0);
  const passed = firstTrue(min, max, (value) => signAt(value) > 0);
  return [reached ?? [], passed ?? []].flat();
}

export type Arithmetic = "*" | "+" | "-" | "/" | "%";

/** A form and a constant; undefined if it is not one of the simple cases, "overflow" if the result is not an int64. */
export function combine(
  state: State,
  form: IntForm,
  operator: Arithmetic,
  constant: bigint,
  isLeft: boolean,
): IntForm | "overflow" | undefined {
  if (form.direction === undefined) return undefined;
  const domain = state.ints.get(form.variable) ?? intDomain({});
  const made = isLeft ? constantFirst(form, operator, constant) : constantLast(form, operator, constant, domain);
  if (made === undefined) return undefined;
  return fitsInt64(state, made, domain) ? made : "overflow";
}

/** Whether the result is an int64; a choice if both are possible. The place is bounded if it is. */
function fitsInt64(state: State, { variable, apply, direction }: IntForm, { min, max }: IntDomain): boolean {
  if (direction === undefined) return true;
  const rising = (value: bigint): bigint => BigInt(apply(value) ?? 0n) * BigInt(direction);
  const [least, most] = direction > 0 ? [INT64_MIN, INT64_MAX] : [-INT64_MAX, -INT64_MIN];
  if (rising(min) >= least && rising(max) <= most) return true;
  const low = firstTrue(min, max, (value) => rising(value) >= least) ?? max + 1n;
  const high = (firstTrue(min, max, (value) => rising(value) > most) ?? max + 1n) - 1n;
  const holds = (value: bigint): boolean => value >= low && value <= high;
  if (!state.decideInt(variable, { key: `${low}..${high}`, holds, breaks: [low, high + 1n] })) return false;
  const decided = state.ints.get(variable) ?? intDomain({});
  state.ints.set(variable, { ...decided, min: low, max: high });
  return true;
}

function mapped(form: IntForm, direction: 1 | -1, operate: (value: bigint) => bigint): IntForm {
  const apply = (value: bigint): bigint | undefined => {
    const inner = form.apply(value);
    return typeof inner === "bigint" ? operate(inner) : undefined;
  };
  return { variable: form.variable, apply, direction: form.direction === direction ? 1 : -1 };
}

function constantLast(form: IntForm, operator: Arithmetic, constant: bigint, domain: IntDomain): IntForm | undefined {
  const direction = constant < 0n ? -1 : 1;
  if (operator === "+") return mapped(form, 1, (value) => value + constant);
  if (operator === "-") return mapped(form, 1, (value) => value - constant);
  if (operator === "*") return constant === 0n ? undefined : mapped(form, direction, (value) => value * constant);
  if (constant === 0n) return undefined;
  if (operator === "/") return mapped(form, direction, (value) => value / constant);
  return remainder(form, constant, domain);
}

function constantFirst(form: IntForm, operator: Arithmetic, constant: bigint): IntForm | undefined {
  if (operator === "+") return mapped(form, 1, (value) => constant + value);
  if (operator === "-") return mapped(form, -1, (value) => constant - value);
  if (operator === "*" && constant !== 0n) return mapped(form, constant < 0n ? -1 : 1, (value) => constant * value);
  return undefined;
}

/** Periodic as long as the sign stays the same; only multiples of the place and a constant are supported. */
function remainder({ variable, line }: IntForm, divisor: bigint, { min, max }: IntDomain): IntForm | undefined {
  if (line === undefined || line.factor === 0n) return undefined;
  const at = (value: bigint): bigint => value * line.factor + line.constant;
  // The least number has no remainder: dividing it by -1 overflows.
  if (divisor === -1n && (at(min) === INT64_MIN || at(max) === INT64_MIN)) return undefined;
  const period = divisor < 0n ? -divisor : divisor;
  // The first number of another sign, or the two that 0 separates.
  const turn = -line.constant / line.factor;
  return {
    variable,
    apply: (value) => at(value) % divisor,
    direction: undefined,
    period,
    breaks: [turn - 1n, turn, turn + 1n, turn + 2n],
  };
}

/** A number of which only bounds are decided. */
export function compareBounded({ isAtMost }: Scalar, order: Order, limit: bigint | number): boolean | undefined {
  if (isAtMost === undefined) return undefined;
  const isWhole = typeof limit === "bigint" || Number.isInteger(limit);
  if (!Number.isFinite(Number(limit))) return undefined;
  const floor = typeof limit === "bigint" ? limit : BigInt(Math.floor(limit));
  const below = isWhole ? floor - 1n : floor;
  if (order === "<=") return isAtMost(floor);
  if (order === "<") return isAtMost(below);
  if (order === "==") {
    if (!isWhole) return false;
    const [within, lower] = [isAtMost(floor), isAtMost(below)];
    return within === undefined || lower === undefined ? undefined : within && !lower;
  }
  const within = isAtMost(order === ">" ? floor : below);
  return within === undefined ? undefined : !within;
}

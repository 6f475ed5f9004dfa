/** The order of two terms that no theory covers: chosen once, and consistent with earlier choices. */
import { compareValues, equalValues, isError as isCelError, normalInt, type Value } from "@portcullis/cel/internal";
import { excessOf, requireSign, signsOf } from "../relations/sums.ts";
import { areUnequalKeys } from "../relations/unique.ts";
import { callFunction } from "./concrete.ts";
import { keyOf, symValue } from "./keys.ts";
import type { State } from "./state.ts";
import type { Assignment, Sym } from "./symbolic.ts";

/** Less, equal or greater, chosen once for two terms. */
export function threeWay(state: State, left: Sym, right: Sym): number {
  const [first, second] = [keyOf(left), keyOf(right)];
  if (first === second) return 0;
  if (left.k === "const" && right.k === "scalar") return -threeWay(state, right, left);
  const isSwapped = first > second && right.k !== "const";
  const key = isSwapped ? `cmp(${second}, ${first})` : `cmp(${first}, ${second})`;
  const known = state.facts.get(key);
  const sign =
    known === undefined ? chooseOrder(state, key, isSwapped ? right : left, isSwapped ? left : right) : known - 1;
  return isSwapped ? -sign : sign;
}

function chooseOrder(state: State, key: string, left: Sym, right: Sym): number {
  const excess = excessOf(left, right);
  const known = right.k === "const" ? possibleSigns(state, keyOf(left), right.value) : signsOfTwo(state, left, right);
  const possible = excess === undefined ? known : signsOf(state, excess).filter((sign) => known.includes(sign));
  const sign = possible[state.choices.choose(possible.length)] ?? 0;
  state.facts.set(key, sign + 1);
  if (excess !== undefined) requireSign(state, excess, sign);
  if (right.k === "const")
    state.orders.set(keyOf(left), [...(state.orders.get(keyOf(left)) ?? []), { value: right.value, sign }]);
  noteOrder(state, key, left, right, sign);
  return sign;
}

function signsOfTwo(state: State, left: Sym, right: Sym): number[] {
  const areUnequal = left.k === "scalar" && right.k === "scalar" && areUnequalKeys(state, left, right);
  return areUnequal ? [-1, 1] : [-1, 0, 1];
}

/** The signs that are still possible after earlier comparisons with constants. */
function possibleSigns(state: State, key: string, value: Value): number[] {
  return [-1, 0, 1].filter((sign) =>
    (state.orders.get(key) ?? []).every((known) => {
      const between = orderOf(value, known.value);
      if (between === undefined) return true;
      if (between === 0) return sign === known.sign;
      if (between < 0) return known.sign < 0 || sign > 0;
      return known.sign > 0 || sign < 0;
    }),
  );
}

/** The order of two values of one type; undefined if they have none. */
function orderOf(left: Value, right: Value): number | undefined {
  const sign = compareValues(left, right);
  if (typeof sign === "number") return Math.sign(sign);
  const compared = callFunction("compareTo", true, [left, right]);
  return typeof compared === "number" ? Math.sign(compared) : undefined;
}

function noteOrder(state: State, key: string, left: Sym, right: Sym, sign: number): void {
  const agrees = (values: Assignment): boolean | undefined => {
    const [a, b] = [symValue(left, values), symValue(right, values)];
    if (a === undefined || b === undefined || isCelError(a) || isCelError(b)) return undefined;
    if (sign === 0) return equalValues(a, b) === true;
    const compared = orderOf(a, b);
    return compared === undefined ? equalValues(a, b) !== true : compared === sign;
  };
  const variables = [left, right].flatMap((sym) => (sym.k === "scalar" ? sym.term.variables : []));
  state.opaque.push({
    key,
    variables,
    agrees,
    suggest: (variable, values) => suggestions(variable, left, right, values),
  });
}

/** Values at, just below and just above the other side. */
function suggestions(variable: string, left: Sym, right: Sym, values: Assignment): Value[] {
  const isPlain = (sym: Sym): boolean => sym.k === "scalar" && sym.term.key === variable;
  const other = isPlain(left) ? right : isPlain(right) ? left : undefined;
  const value = other && symValue(other, values);
  if (typeof value === "string") return [value, `${value}a`];
  if (typeof value !== "number" && typeof value !== "bigint") return [];
  return [0n, 1n, -1n].map((step) => normalInt(BigInt(value) + step));
}

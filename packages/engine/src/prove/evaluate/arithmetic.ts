/** Arithmetic, conversions and zero values of what depends on the request. */
import { Double } from "@portcullis/cel/internal";
import type { Linear } from "../../symbolic/formula.ts";
import { add, scale, subtract } from "../../symbolic/linear.ts";
import { fitsInt64, isNeverNegative, product, quotientOf, sumOf, withForm } from "../relations/sums.ts";
import { type Call, type Known, termOf } from "./call.ts";
import { type Arithmetic, combine } from "./int-form.ts";
import { isEqual, kindName } from "./relate.ts";
import { sizeOf } from "./sizes.ts";
import type { State } from "./state.ts";
import { constant, ERROR, type IntForm, type Scalar, type Sym } from "./symbolic.ts";

export function arithmetic(operator: Arithmetic): Known {
  return (state, call) => {
    const [left, right] = call.args;
    if (left === undefined || right === undefined || (left.k === "const" && right.k === "const")) return undefined;
    const [leftType, rightType] = [numberType(left), numberType(right)];
    if (leftType === undefined && rightType === undefined) return undefined;
    if (leftType !== rightType) return hasTime(left) || hasTime(right) ? undefined : ERROR;
    if ((operator === "/" || operator === "%") && isZero(right)) return ERROR;
    return intArithmetic(state, operator, left, right, call) ?? realArithmetic(operator, left, right, call);
  };
}

/** The opposite of the least int overflows, as if it were subtracted from 0. */
export const negation: Known = (state, call) => {
  const [only] = call.args;
  if (only?.k !== "scalar" || only.kind !== "int") return undefined;
  return intArithmetic(state, "-", constant(0), only, call);
};

/** Dividing an int by zero is an error. */
function isZero(sym: Sym): boolean {
  return sym.k === "const" && (sym.value === 0 || sym.value === 0n);
}

function hasTime(sym: Sym): boolean {
  return kindName(sym).startsWith("google.protobuf");
}

function numberType(sym: Sym): "double" | "int" | undefined {
  if (sym.k === "count") return "int";
  if (sym.k === "scalar") return sym.kind === "int" || sym.kind === "double" ? sym.kind : undefined;
  if (sym.k !== "const") return undefined;
  if (typeof sym.value === "number" || typeof sym.value === "bigint") return "int";
  return sym.value instanceof Double ? "double" : undefined;
}

function intArithmetic(state: State, operator: Arithmetic, left: Sym, right: Sym, call: Call): Sym | undefined {
  return withConstant(state, operator, left, right, call) ?? sumArithmetic(state, operator, left, right, call);
}

function withConstant(state: State, operator: Arithmetic, left: Sym, right: Sym, call: Call): Sym | undefined {
  const [scalar, other] = left.k === "scalar" ? [left, right] : [right, left];
  if (scalar.k !== "scalar" || scalar.kind !== "int" || scalar.form === undefined || other.k !== "const")
    return undefined;
  if (typeof other.value !== "number" && typeof other.value !== "bigint") return undefined;
  if (operator === "*" && BigInt(other.value) === 0n) return constant(0);
  const form = combine(state, scalar.form, operator, BigInt(other.value), left.k === "const");
  if (form === undefined) return undefined;
  if (form === "overflow") return ERROR;
  const term = termOf(call);
  const sum = sumWith(state, operator, left, right, term.key);
  return {
    k: "scalar",
    kind: "int",
    term,
    form: { ...form, line: lineOf(form.variable, sum) },
    sum,
    lengthOf: lengthWith(scalar, operator, left, other.value),
  };
}

function lineOf(variable: string, sum: Linear | undefined): IntForm["line"] {
  const factor = sum?.terms.get(variable);
  return sum === undefined || factor === undefined || sum.terms.size > 1
    ? undefined
    : { factor, constant: sum.constant };
}

/** A sum of several places. */
function sumArithmetic(state: State, operator: Arithmetic, left: Sym, right: Sym, call: Call): Sym | undefined {
  if (numberType(left) !== "int" || numberType(right) !== "int") return undefined;
  const term = termOf(call);
  const sum = sumWith(state, operator, left, right, term.key);
  if (sum === undefined) return undefined;
  return fitsInt64(state, term.key, sum) ? withForm({ k: "scalar", kind: "int", term }, sum) : ERROR;
}

function sumWith(state: State, operator: Arithmetic, left: Sym, right: Sym, key: string): Linear | undefined {
  const [first, second] = [sumOf(left), sumOf(right)];
  if (first === undefined || second === undefined) return undefined;
  if (operator === "+") return add(first, second);
  if (operator === "-") return subtract(first, second);
  if (operator === "*" && left.k === "const") return scale(second, first.constant);
  if (operator === "*") return right.k === "const" ? scale(first, second.constant) : product(state, first, second);
  if (right.k !== "const") return undefined;
  if (second.constant <= 0n || !isNeverNegative(state, first)) return undefined;
  const quotient = quotientOf(state, first, second.constant, key.slice("_%_".length));
  return operator === "/" ? quotient : subtract(first, scale(quotient, second.constant));
}

const SMALL = 2 ** 31;

/** The length of a text and a constant. */
function lengthWith({ lengthOf }: Scalar, operator: Arithmetic, left: Sym, value: bigint | number): Scalar["lengthOf"] {
  const isSum = operator === "+" || (operator === "-" && left.k === "scalar");
  if (lengthOf === undefined || !isSum || Math.abs(Number(value)) > SMALL) return undefined;
  return { ...lengthOf, more: lengthOf.more + (operator === "+" ? Number(value) : -Number(value)) };
}

/** Doubles: rounding keeps the order, so these functions are monotonic. */
function realArithmetic(operator: Arithmetic, left: Sym, right: Sym, call: Call): Sym | undefined {
  const [scalar, other] = left.k === "scalar" ? [left, right] : [right, left];
  if (scalar.k !== "scalar" || scalar.kind !== "double" || other.k !== "const" || !(other.value instanceof Double))
    return undefined;
  const { value } = other.value;
  const step = realStep(operator, value, left.k === "const");
  if (step === undefined || !Number.isFinite(value)) return undefined;
  const turned = <D extends 1 | -1 | undefined>(direction: D): 1 | -1 | undefined =>
    direction === undefined ? undefined : direction === step.direction ? 1 : -1;
  const { form, real } = scalar;
  const term = termOf(call);
  if (real !== undefined) {
    return {
      k: "scalar",
      kind: "double",
      term,
      real: { ...real, apply: (x) => step.apply(real.apply(x)), direction: turned(real.direction) ?? 1 },
    };
  }
  if (form === undefined || form.period !== undefined) return undefined;
  const apply = (x: bigint): bigint | number | undefined => {
    const inner = form.apply(x);
    return inner === undefined ? undefined : step.apply(Number(inner));
  };
  return { k: "scalar", kind: "double", term, form: { ...form, apply, direction: turned(form.direction) } };
}

function realStep(
  operator: Arithmetic,
  constant: number,
  isLeft: boolean,
): { apply: (x: number) => number; direction: 1 | -1 } | undefined {
  const sign = constant < 0 ? -1 : 1;
  if (operator === "+") return { apply: (x) => x + constant, direction: 1 };
  if (operator === "-")
    return isLeft ? { apply: (x) => constant - x, direction: -1 } : { apply: (x) => x - constant, direction: 1 };
  if (constant === 0 || operator === "%") return undefined;
  if (operator === "*") return { apply: (x) => x * constant, direction: sign };
  return isLeft ? undefined : { apply: (x) => x / constant, direction: sign };
}

/** Beyond this a double is not formatted with all its digits. */
const PLAIN_DIGITS = 10n ** 15n;

/** The decimal string of a whole number determines the number, unless it may be a negative zero. Bytes may fail. */
export function toText(state: State, call: Call): Sym | undefined {
  const [first] = call.args;
  if (first?.k !== "scalar" || first.type === "bytes") return undefined;
  if (first.kind === "string") return first;
  const { form, kind } = first;
  const domain = form && state.ints.get(form.variable);
  const isPlain = domain !== undefined && domain.min > -PLAIN_DIGITS && domain.max < PLAIN_DIGITS;
  const isNumber = kind === "int" || isPlain;
  const isSigned = kind === "double";
  return { k: "scalar", kind: "string", term: termOf(call), form: isNumber ? form : undefined, isSigned };
}

/** Rounding to a double keeps the order. */
export function toDouble(call: Call): Sym | undefined {
  const [first] = call.args;
  if (first?.k !== "scalar") return undefined;
  if (first.kind === "double") return first;
  const { form } = first;
  if (first.kind !== "int" || form === undefined || form.period !== undefined) return undefined;
  const apply = (value: bigint): number | undefined => {
    const inner = form.apply(value);
    return inner === undefined ? undefined : Number(inner);
  };
  return { k: "scalar", kind: "double", term: termOf(call), form: { ...form, apply } };
}

export function toInt({ args: [first] }: Call): Sym | undefined {
  if (first?.k !== "scalar") return undefined;
  if (first.kind === "int") return first;
  const isPlace = first.kind === "double" && first.form?.variable === first.term.key;
  return isPlace ? { ...first, kind: "int" } : undefined;
}

/** An optional without a value if it is the zero value of its type. */
export function nonZero(state: State, sym: Sym): Sym | undefined {
  const value = state.resolve(sym);
  if (value.k === "const") return undefined;
  const kind = kindName(value);
  const isSized = kind === "list" || (value.k === "mapnode" && value.alternative.open !== undefined);
  const zero = ZEROS[kind];
  if (isSized) return optionalUnless(isEqual(state, sizeOf(state, value), constant(0)), value);
  return zero === undefined ? undefined : optionalUnless(isEqual(state, value, zero), value);
}

const ZEROS: Readonly<Record<string, Sym>> = { string: constant(""), number: constant(0), bool: constant(false) };

function optionalUnless(isZero: boolean, value: Sym): Sym {
  return { k: "optional", value: isZero ? undefined : value };
}

/** Equality and order of values that depend on the request. */
import {
  compareValues,
  equalValues,
  normalInt,
  runtimeTypeName,
  TypeValue,
  typeOfValue,
  type Value,
} from "@portcullis/cel/internal";
import { decideText, equalsItsCase } from "../texts/texts.ts";
import { intDomain } from "../theory/int-theory.ts";
import { Unmodeled } from "../theory/path-search.ts";
import { IS_NUMBER, realTest } from "../theory/real-theory.ts";
import { exactly, textsBefore } from "../theory/text-theory.ts";
import { compareBounded, limitOf, type Order, orderTest } from "./int-form.ts";
import { keyOf } from "./keys.ts";
import { threeWay } from "./order.ts";
import { equalsTest, memberOf } from "./places.ts";
import { elementAt, isCountAtLeast, quantify, splitParts } from "./quantify.ts";
import { sizeOf } from "./sizes.ts";
import type { State } from "./state.ts";
import { ERROR, FALSE, isConstBool, type Scalar, type Sym, TRUE, truth, type ViewPart } from "./symbolic.ts";

type Const = Sym & { k: "const" };

/** `==`, which never fails on JSON. */
export function isEqual(state: State, leftSym: Sym, rightSym: Sym): boolean {
  const [left, right] = [state.resolve(leftSym), state.resolve(rightSym)];
  if (left.k === "const" && right.k === "const") return equalValues(left.value, right.value) === true;
  if (left.k === "optional" || right.k === "optional") return equalOptionals(state, left, right);
  if (left.k === "count" || right.k === "count") return compareCounts(state, left, "==", right);
  const [leftKind, rightKind] = [kindName(left), kindName(right)];
  if (leftKind !== rightKind) return false;
  if (keyOf(left) === keyOf(right)) return isSelfEqual(state, left);
  if (isUnordered(state, left, right)) return false;
  if (leftKind === "list") return equalLists(state, left, right);
  if (leftKind === "map") return equalMaps(state, left, right);
  if (left.k === "scalar" && right.k === "const") return equalScalar(state, left, right);
  if (right.k === "scalar" && left.k === "const") return equalScalar(state, right, left);
  const ownCase = left.k === "scalar" && right.k === "scalar" ? equalsItsCase(state, left, right) : undefined;
  return ownCase ?? threeWay(state, left, right) === 0;
}

/** Whether one of two numbers is NaN, which equals nothing and has no order: comparing it is an error. */
function isUnordered(state: State, left: Sym, right: Sym): boolean {
  return [left, right].some((sym) => sym.k === "scalar" && isNaNPossible(state, sym) && isNotANumber(state, sym));
}

/** Only NaN, and what contains it, differs from itself. */
function isSelfEqual(state: State, sym: Sym): boolean {
  if (sym.k === "scalar") return !isNaNPossible(state, sym) || !isNotANumber(state, sym);
  if (sym.k === "items") return sym.items.every((item) => isSelfEqual(state, state.resolve(item)));
  if (sym.k === "entries") return [...sym.entries.values()].every((value) => isSelfEqual(state, state.resolve(value)));
  const isMapped = sym.k === "view" && sym.parts.some(({ steps }) => steps.some(({ kind }) => kind === "map"));
  return !isMapped || state.fact(`equal to itself: ${keyOf(sym)}`, 2) === 0;
}

function isNaNPossible(state: State, { real }: Scalar): boolean {
  return real !== undefined && state.reals.get(real.variable)?.isComputed === true;
}

function isNotANumber(state: State, { real }: Scalar): boolean {
  return real !== undefined && !state.decideReal(real.variable, IS_NUMBER);
}

function equalOptionals(state: State, left: Sym, right: Sym): boolean {
  if (left.k !== "optional" || right.k !== "optional") return false;
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return isEqual(state, left.value, right.value);
}

/** Kinds that are never equal to others; all numbers are one kind. */
export function kindName(sym: Sym): string {
  if (sym.k === "scalar")
    return sym.kind === "double" || sym.kind === "int"
      ? "number"
      : sym.kind === "other"
        ? (sym.type ?? "other")
        : sym.kind;
  if (sym.k === "items" || sym.k === "view") return "list";
  if (sym.k === "entries" || sym.k === "mapnode") return "map";
  if (sym.k === "count") return "number";
  if (sym.k !== "const") return sym.k;
  const name = runtimeTypeName(typeOfValue(sym.value));
  return name === "int" || name === "double" || name === "uint" ? "number" : name;
}

function equalScalar(state: State, scalar: Scalar, sym: Const): boolean {
  const { value } = sym;
  if (scalar.kind === "string" && typeof value === "string") return equalText(state, scalar, value);
  if (scalar.kind === "bool") return state.decideBool(scalar.term) === value;
  const ordered = compareNumber(state, scalar, "==", value);
  if (ordered !== undefined) return ordered;
  return threeWay(state, scalar, sym) === 0;
}

/** The string of a whole number is compared as the number. */
function equalText(state: State, scalar: Scalar, text: string): boolean {
  const isZero = text === "0" || text === "-0";
  if (scalar.form === undefined || (scalar.isSigned === true && isZero))
    return decideText(state, scalar, equalsTest(text));
  if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return false;
  const number = compareNumber(state, { ...scalar, kind: "int" }, "==", normalInt(BigInt(text)));
  return number ?? decideText(state, scalar, equalsTest(text));
}

/** Undefined if no theory covers it. */
function compareNumber(state: State, scalar: Scalar, order: Order, value: Value): boolean | undefined {
  const limit = limitOf(value);
  if (limit === undefined || (scalar.kind !== "int" && scalar.kind !== "double")) return undefined;
  const { form, term, lengthOf } = scalar;
  const bounded = compareBounded(scalar, order, limit);
  if (bounded !== undefined) return bounded;
  if (lengthOf !== undefined) return compareLength(state, lengthOf.variable, order, Number(limit) - lengthOf.more);
  if (form !== undefined) {
    const isDouble = scalar.kind === "double" || typeof limit === "number";
    const comparison = { key: term.key, order, limit, isDouble };
    const test = orderTest(form, comparison, state.ints.get(form.variable) ?? intDomain({}));
    return test && state.decideInt(form.variable, test);
  }
  const { real } = scalar;
  return real && state.decideReal(real.variable, realTest(real, term.key, order, Number(limit)));
}

/** The length of a string is decided by the theory of strings. */
function compareLength(state: State, variable: string, order: Order, limit: number): boolean {
  const atLeast = (minLength: number): boolean => {
    if (minLength <= 0) return true;
    const holds = (text: string): boolean => [...text].length >= minLength;
    return state.decideText(variable, { key: `size>=${minLength}`, holds, minLength });
  };
  const [up, down] = [Math.ceil(limit), Math.floor(limit)];
  if (order === ">=") return atLeast(up);
  if (order === ">") return atLeast(down + 1);
  if (order === "<") return !atLeast(up);
  if (order === "<=") return !atLeast(down + 1);
  return up === down && up >= 0 && atLeast(up) && !atLeast(up + 1);
}

/** `<` and similar operators: an error for values without an order. */
export function isOrdered(state: State, leftSym: Sym, order: Order, rightSym: Sym): Sym {
  const [left, right] = [state.resolve(leftSym), state.resolve(rightSym)];
  if (left.k === "error" || right.k === "error") return ERROR;
  if (left.k === "const" && right.k === "const") return orderConstants(left.value, order, right.value);
  const kind = kindName(left);
  if (kind !== kindName(right) || !ORDERED.has(kind)) return ERROR;
  if (left.k === "count" || right.k === "count") return truth(compareCounts(state, left, order, right));
  if (isUnordered(state, left, right)) return ERROR;
  if (left.k === "scalar" && right.k === "const") return truth(orderScalar(state, left, order, right));
  if (right.k === "scalar" && left.k === "const") return truth(orderScalar(state, right, FLIPPED[order], left));
  return truth(holdsFor(threeWay(state, left, right), order));
}

const ORDERED = new Set(["number", "string", "bool", "bytes", "google.protobuf.Timestamp", "google.protobuf.Duration"]);
const FLIPPED: Readonly<Record<Order, Order>> = { "<": ">", "<=": ">=", "==": "==", ">": "<", ">=": "<=" };

function orderConstants(left: Value, order: Order, right: Value): Sym {
  const sign = compareValues(left, right);
  if (typeof sign !== "number") return ERROR;
  return truth(holdsFor(sign, order));
}

function holdsFor(sign: number, order: Order): boolean {
  if (order === "==") return sign === 0;
  if (order === "<" || order === "<=") return sign < 0 || (order === "<=" && sign === 0);
  return sign > 0 || (order === ">=" && sign === 0);
}

function orderScalar(state: State, scalar: Scalar, order: Order, sym: Const): boolean {
  const { value } = sym;
  if (scalar.kind === "string" && typeof value === "string") return orderText(state, scalar, order, value);
  const known = compareNumber(state, scalar, order, value);
  return known ?? holdsFor(threeWay(state, scalar, sym), order);
}

function orderText(state: State, scalar: Scalar, order: Order, limit: string): boolean {
  if (order === ">") return !orderText(state, scalar, "<=", limit);
  if (order === ">=") return !orderText(state, scalar, "<", limit);
  const before = textsBefore(limit);
  const pattern = order === "<" ? before : `${before}|${exactly(limit)}`;
  const holds = (text: string): boolean => {
    const sign = compareValues(text, limit);
    return typeof sign === "number" && (sign < 0 || (order === "<=" && sign === 0));
  };
  return decideText(state, scalar, { key: `${order}${JSON.stringify(limit)}`, holds, pattern });
}

function compareCounts(state: State, left: Sym, order: Order, right: Sym): boolean {
  if (left.k === "count" && right.k === "const") return compareCount(state, left.view.parts, order, right.value);
  if (right.k === "count" && left.k === "const")
    return compareCount(state, right.view.parts, FLIPPED[order], left.value);
  return holdsFor(threeWay(state, left, right), order);
}

function compareCount(state: State, parts: readonly ViewPart[], order: Order, value: Value): boolean {
  const limit = limitOf(value);
  if (limit === undefined) throw new Unmodeled("a count that is compared with a number that is not finite");
  const [floor, isWhole] = [Math.floor(Number(limit)), Number.isInteger(Number(limit))];
  const atLeast = (count: number): boolean => count <= 0 || isCountAtLeast(state, parts, count);
  if (order === ">=") return atLeast(isWhole ? floor : floor + 1);
  if (order === ">") return atLeast(floor + 1);
  if (order === "<") return !atLeast(isWhole ? floor : floor + 1);
  if (order === "<=") return !atLeast(floor + 1);
  return isWhole && floor >= 0 && atLeast(floor) && !atLeast(floor + 1);
}

/** Compares a list with a literal list: the sizes, then element by element. */
function equalLists(state: State, left: Sym, right: Sym): boolean {
  const [leftItems, rightItems] = [literalItems(left), literalItems(right)];
  if (leftItems !== undefined && rightItems !== undefined) {
    return (
      leftItems.length === rightItems.length &&
      leftItems.every((item, at) => isEqual(state, item, rightItems[at] ?? ERROR))
    );
  }
  const items = leftItems ?? rightItems;
  const other = leftItems === undefined ? left : right;
  if (items === undefined) return threeWay(state, left, right) === 0;
  if (!isEqual(state, sizeOf(state, other), { k: "const", value: normalInt(BigInt(items.length)) })) return false;
  const source = plainList(other);
  if (items.length === 0) return true;
  if (source === undefined) return threeWay(state, left, right) === 0;
  return items.every((item, at) => isEqual(state, elementAt(state, source, at), item));
}

export function literalItems(sym: Sym): readonly Sym[] | undefined {
  if (sym.k === "items") return sym.items;
  if (sym.k !== "view") return undefined;
  const { items, symbolic } = splitParts(sym.parts);
  return symbolic.length === 0 ? items : undefined;
}

/** The list itself, if a view has no steps. */
export function plainList(sym: Sym) {
  const [part, ...rest] = sym.k === "view" ? sym.parts : [];
  if (part === undefined || rest.length > 0 || part.steps.length > 0) return undefined;
  return part.source.k === "listnode" ? part.source : undefined;
}

function equalMaps(state: State, left: Sym, right: Sym): boolean {
  const [literal, other] = left.k === "entries" ? [left, right] : [right, left];
  if (literal.k !== "entries") return threeWay(state, left, right) === 0;
  if (other.k === "entries") {
    return (
      literal.entries.size === other.entries.size &&
      [...literal.entries].every(([key, value]) => isEqual(state, value, other.entries.get(key) ?? ERROR))
    );
  }
  if (other.k !== "mapnode" || other.alternative.open === undefined) return threeWay(state, left, right) === 0;
  if (!isEqual(state, sizeOf(state, other), { k: "const", value: literal.entries.size })) return false;
  return [...literal.entries].every(([key, value]) => {
    const member = memberOf(state, other, key);
    return member !== undefined && isEqual(state, member, value);
  });
}

/** `in`, on the right a list or a map. */
export function isMember(state: State, element: Sym, collection: Sym): Sym {
  const [value, within] = [state.resolve(element), state.resolve(collection)];
  if (value.k === "error" || within.k === "error") return ERROR;
  if (within.k === "items") return truth(within.items.some((item) => isEqual(state, value, item)));
  if (within.k === "view") return quantifyEqual(state, within.parts, value);
  if (within.k !== "entries" && within.k !== "mapnode") return ERROR;
  const key = value.k === "const" ? value.value : undefined;
  if (typeof key === "string") return truth(memberOf(state, within, key) !== undefined);
  if (within.k === "entries")
    return truth([...within.entries.keys()].some((each) => isEqual(state, value, { k: "const", value: each })));
  if (value.k === "const") return FALSE;
  return quantifyEqual(
    state,
    [{ source: { k: "keys", node: within.node, alternative: within.alternative }, steps: [] }],
    value,
  );
}

/** Equality does not fail, so the error outcome is impossible. */
function quantifyEqual(state: State, parts: readonly ViewPart[], value: Sym): Sym {
  const found = quantify(state, parts, ([item]) => truth(item !== undefined && isEqual(state, item, value)), "T");
  return isConstBool(found, true) ? TRUE : found;
}

/** The value of `type(x)`. */
export function typeOf(sym: Sym): Sym | undefined {
  if (sym.k === "const") return { k: "const", value: new TypeValue(typeOfValue(sym.value)) };
  return undefined;
}

/** Comparisons of terms, as CEL compares values. */
import { opaqueBool, termOf } from "./data-terms.ts";
import {
  and,
  before,
  FALSE,
  type Formula,
  implies,
  literal,
  matches,
  not,
  or,
  same,
  sizeName,
  TRUE,
} from "./formula.ts";
import { atMost, constantLinear, equalTo, lessThan, variable } from "./linear.ts";
import type { BoolTerm, Case, Data, Place, Term } from "./term.ts";
import { beforePattern, equalsPattern } from "./texts.ts";

/** Undefined if the comparison is not modelled. */
export function equalTerms(left: Term, right: Term): Formula | undefined {
  if (left.sort === "int" && right.sort === "int") return equalTo(left.linear, right.linear);
  if (left.sort === "text" && right.sort === "text") return equalTexts(left, right);
  if (left.sort === "double" && right.sort === "double") return equalDoubles(left, right);
  if (left.sort === "measure" && right.sort === "measure")
    return left.kind === right.kind ? equalTo(left.linear, right.linear) : undefined;
  if (left.sort === "bool" && right.sort === "bool") return undefined;
  if (left.sort === "other" && right.sort === "other" && left.isScalar && right.isScalar)
    return same(left.name, right.name);
  return undefined;
}

/**
 * Lists, maps and objects are only known to be equal by name. Equal ones have the same size, and the members that
 * equality compares are equal.
 */
export function equalPlaces(left: Place, right: Place): BoolTerm {
  const { yes, no } = equalUnknown(left.whole, right.whole);
  return { sort: "bool", yes: and(yes, ...equalParts(left, right)), no };
}

/** Values that may hold lists are only known to be equal by the names of both, in this order. */
export function equalUnknown(left: string, right: string): BoolTerm {
  return opaqueBool(`_==_(${left}, ${right})`);
}

function equalParts(left: Place, right: Place): Formula[] {
  if (left.sort !== right.sort) return [];
  if (left.sort === "list" || left.sort === "map")
    return [
      equalTo(variable(sizeName(left.name)), variable(sizeName(right.name))),
      ...(left.sort === "list" ? sharedItems(right, left) : []),
      ...(left.sort === "list" && (left.isSet !== true || right.isDistinct === true) ? sharedItems(left, right) : []),
    ];
  const [mine, theirs] = [left.compared?.(), right.compared?.()];
  if (mine === undefined || theirs === undefined) return [];
  const names = new Set([...mine, ...theirs]);
  return [...names].flatMap((name) => equalMembers(left.member(name), right.member(name)));
}

/** Every item of one list is in the other, whatever the order: sets and list maps are compared without it. */
function sharedItems(one: Place, other: Place): Formula[] {
  const [range, within] = [one.range, other.range];
  if (range === undefined || within === undefined) return [];
  const isSame = (mine: string, theirs: string): Formula | undefined => {
    const [left, right] = [scalarItem(one, mine), scalarItem(other, theirs)];
    return left && right && equalTerms(left, right);
  };
  if (isSame("probe", "probe") === undefined) return [];
  const body = (mine: string): Formula => ({
    op: "some",
    range: within,
    body: (theirs) => isSame(mine, theirs) ?? TRUE,
  });
  return [{ op: "every", range, body }];
}

/** An item that is a string or a number. */
function scalarItem(list: Place, key: string): Term | undefined {
  const [only, second] = list.element(key);
  if (only?.is.kind !== "place" || second !== undefined) return undefined;
  const term = termOf(only.is);
  return term.sort === "int" || term.sort === "text" || term.sort === "double" ? term : undefined;
}

function equalMembers(left: readonly Case<Data>[], right: readonly Case<Data>[]): Formula[] {
  const [one, other] = [left, right].map((cases) =>
    or(...cases.filter(({ is }) => is.kind !== "missing").map(({ when }) => when)),
  ) as [Formula, Formula];
  const values = left.flatMap((mine) =>
    right.map((theirs) => implies(and(mine.when, theirs.when), equalData(mine.is, theirs.is))),
  );
  return [implies(one, other), implies(other, one), ...values];
}

function equalData(left: Data, right: Data): Formula {
  if (left.kind === "missing" || right.kind === "missing") return TRUE;
  const [one, other] = [termOf(left), termOf(right)];
  if (one.sort === "bool" && other.sort === "bool") return equalBools(one, other).yes;
  if (one.sort === "place" && other.sort === "place") return equalPlaces(one.place, other.place).yes;
  return equalTerms(one, other) ?? TRUE;
}

/** Two conditions are equal if both are true or both are false. */
export function equalBools(left: BoolTerm, right: BoolTerm): BoolTerm {
  return {
    sort: "bool",
    yes: or(and(left.yes, right.yes), and(left.no, right.no)),
    no: or(and(left.yes, right.no), and(left.no, right.yes)),
  };
}

type TextTerm = Extract<Term, { sort: "text" }>;
type DoubleTerm = Extract<Term, { sort: "double" }>;

function equalTexts(left: TextTerm, right: TextTerm): Formula {
  if (left.constant !== undefined && right.constant !== undefined)
    return left.constant === right.constant ? TRUE : FALSE;
  if (left.constant !== undefined) return equalTexts(right, left);
  if (right.constant === undefined) return same(left.name, right.name);
  return left.equals?.(right.constant) ?? matches(left.name, equalsPattern(right.constant));
}

function equalDoubles(left: DoubleTerm, right: DoubleTerm): Formula {
  if (left.constant !== undefined && right.constant !== undefined)
    return left.constant === right.constant ? TRUE : FALSE;
  if (left.constant !== undefined) return equalDoubles(right, left);
  if (right.constant === undefined) return same(left.name, right.name);
  return literal({ kind: "double", name: left.name, relation: "==", value: right.constant });
}

/** Whether the first is less than the second, by the order of their type. */
export function lessTerms(left: Term, right: Term): Formula | undefined {
  if (left.sort === "int" && right.sort === "int") return lessThan(left.linear, right.linear);
  if (left.sort === "measure" && right.sort === "measure")
    return left.kind === right.kind ? lessThan(left.linear, right.linear) : undefined;
  if (left.sort === "double" && right.sort === "double") return lessDoubles(left, right);
  if (left.sort === "int" && right.sort === "double" && right.constant !== undefined)
    return intBelow(left, right.constant);
  if (left.sort === "double" && right.sort === "int" && left.constant !== undefined)
    return intAbove(right, left.constant);
  if (left.sort === "text" && right.sort === "text") return lessTexts(left, right);
  return left.sort === "other" && right.sort === "other" ? before(left.name, right.name) : undefined;
}

/** Whether the first is at most the second: the negation of the reverse order, since JSON has no NaN. */
export function atMostTerms(left: Term, right: Term): Formula | undefined {
  if (left.sort === "int" && right.sort === "int") return atMost(left.linear, right.linear);
  const less = lessTerms(right, left);
  return less && not(less);
}

function lessDoubles(left: DoubleTerm, right: DoubleTerm): Formula {
  if (left.constant !== undefined && right.constant !== undefined) return left.constant < right.constant ? TRUE : FALSE;
  if (right.constant !== undefined && left.constant === undefined)
    return literal({ kind: "double", name: left.name, relation: "<", value: right.constant });
  if (left.constant !== undefined && right.constant === undefined)
    return not(literal({ kind: "double", name: right.name, relation: "<=", value: left.constant }));
  return left.constant === undefined && right.constant === undefined ? before(left.name, right.name) : FALSE;
}

type IntTerm = Extract<Term, { sort: "int" }>;
const SAFE = 2 ** 53;

/** An integer is less than a fraction if it is at most the integer below. */
function intBelow({ linear }: IntTerm, limit: number): Formula | undefined {
  if (!(Math.abs(limit) < SAFE)) return undefined;
  return atMost(linear, constantLinear(BigInt(Math.ceil(limit) - 1)));
}

function intAbove({ linear }: IntTerm, limit: number): Formula | undefined {
  if (!(Math.abs(limit) < SAFE)) return undefined;
  return atMost(constantLinear(BigInt(Math.floor(limit) + 1)), linear);
}

function lessTexts(left: TextTerm, right: TextTerm): Formula {
  if (left.constant !== undefined && right.constant !== undefined)
    return compareCodePoints(left.constant, right.constant) < 0 ? TRUE : FALSE;
  if (right.constant !== undefined && left.constant === undefined)
    return matches(left.name, beforePattern(right.constant));
  if (left.constant !== undefined && right.constant === undefined)
    return and(
      not(matches(right.name, beforePattern(left.constant))),
      not(matches(right.name, equalsPattern(left.constant))),
    );
  return left.constant === undefined && right.constant === undefined ? before(left.name, right.name) : FALSE;
}

/** Go compares bytes of UTF-8, which is the order of code points. */
function compareCodePoints(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const difference = (one[index]?.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** The length of a string in code points. */
export function lengthOf(text: TextTerm): Extract<Term, { sort: "int" }> {
  const linear =
    text.constant === undefined ? variable(sizeName(text.name)) : constantLinear(BigInt([...text.constant].length));
  return { sort: "int", linear };
}

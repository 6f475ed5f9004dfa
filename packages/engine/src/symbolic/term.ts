/** Values of expressions over unknown data: one case for each possible result. */
import type { JsonValue } from "../value/json.ts";
import { literalText } from "./facts.ts";
import { and, FALSE, type Formula, type Linear, or, type Range } from "./formula.ts";

export type Sort = "int" | "double" | "text" | "bool" | "list" | "map" | "object" | "other";

/** A piece of unknown data. */
export interface Place {
  /** Equal names mean equal values: all facts about the value use its name. */
  readonly name: string;
  /**
   * The name for results that depend on the value in a way that is not modelled. It differs from `name` if the same
   * expression could read the data differently, such as after its type has changed.
   */
  readonly whole: string;
  /** The name for its presence. */
  readonly presence: string;
  readonly sort: Sort;
  /** Set for sort `other`: whether it is neither a list, a map nor an object. */
  readonly isScalar?: boolean | undefined;
  /** Whether it exists wherever the object exists that holds it. */
  readonly isAlways?: boolean;
  /** A member of an object, by the name that expressions use: in which cases it is present, and its value then. */
  readonly member: (name: string) => readonly Case<Data>[];
  /** The same without checking its presence, for names. */
  readonly child: (name: string) => Place | undefined;
  /**
   * Members of an object, by the names that expressions use, that are present and equal wherever two such objects are
   * equal. Undefined if nothing is known: equality ignores some nulls, and fields that the schema does not declare.
   */
  readonly compared?: (() => readonly string[] | undefined) | undefined;
  /** Whether equality only checks that a list of the same size has no other items: sets are compared so. */
  readonly isSet?: boolean | undefined;
  /** The largest number of items of a list, if it is known. */
  readonly mostItems?: number | undefined;
  /** Whether no two items of a list are equal for rules. */
  readonly isDistinct?: boolean | undefined;
  /** Items of a list, keys of a map. */
  readonly range: Range | undefined;
  /** The item of a list, or the value of a map, that belongs to an element of the range. */
  readonly element: (key: string) => readonly Case<Data>[];
  readonly elementChild: (key: string) => Place | undefined;
  /** The condition under which two elements of a list must be the same one, because items are unique. */
  readonly unique?: ((one: string, other: string) => Formula) | undefined;
}

export type Data =
  | { readonly kind: "place"; readonly place: Place }
  | {
      readonly kind: "constant";
      readonly value: JsonValue;
      readonly sort: Sort;
      readonly place: Place | undefined;
      /** The items of a list. */
      readonly items?: readonly Data[] | undefined;
    }
  /** Data that exists but cannot be described. */
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "missing" };

export interface Case<T> {
  readonly when: Formula;
  readonly is: T;
}

export type Term =
  | BoolTerm
  | { readonly sort: "int"; readonly linear: Linear }
  | { readonly sort: "double"; readonly name: string; readonly constant?: undefined }
  | { readonly sort: "double"; readonly constant: number }
  | {
      readonly sort: "text";
      readonly name: string;
      readonly constant?: undefined;
      /** The condition under which it equals a constant, where that is known about what it was made from. */
      readonly equals?: ((text: string) => Formula) | undefined;
    }
  | { readonly sort: "text"; readonly constant: string }
  /** A list, a map or an object. */
  | { readonly sort: "place"; readonly place: Place }
  | { readonly sort: "items"; readonly items: readonly Terms[] }
  | Stream
  /** An amount with an order: nanoseconds, or billionths of a quantity, which has no finer values. */
  | { readonly sort: "measure"; readonly kind: Measure; readonly linear: Linear }
  | { readonly sort: "optional"; readonly value: Terms }
  | {
      readonly sort: "other";
      readonly name: string;
      /**
       * Whether it is known to be neither a list, a map nor an object. Equality is an equivalence for such values only:
       * sets and list maps ignore the order of another list, which does not ignore theirs.
       */
      readonly isScalar?: boolean | undefined;
    }
  /** A value without an order, and not known to be equal to itself: comparisons with it are opaque. */
  | { readonly sort: "computed"; readonly name: string }
  /** No value: an error, or an empty optional. */
  | { readonly sort: "none" };

export type Measure = "duration" | "timestamp" | "quantity";

/** What `filter` and `map` make of the elements of a list or map. */
export interface Stream {
  readonly sort: "stream";
  readonly place: Place;
  /** The name of the number of elements; undefined if all elements pass. */
  readonly count: string | undefined;
  readonly passes: (key: string) => Formula;
  /** What the loop makes of an element. */
  readonly item: (key: string) => StreamItem;
}

export interface StreamItem {
  readonly terms: Terms;
  /** The place in the data, if it is data: for names. */
  readonly place: Place | undefined;
  readonly label: string;
}

/** If neither holds, the evaluation is an error. */
export interface BoolTerm {
  readonly sort: "bool";
  readonly yes: Formula;
  readonly no: Formula;
}

/** Exactly one case holds. */
export type Terms = readonly Case<Term>[];

export const NONE: Term = { sort: "none" };

export function always(term: Term): Terms {
  return [{ when: { op: "true" }, is: term }];
}

const MAX_CASES = 48;

/** Cases of cases; undefined if there are too many. */
export function andThen<T>(cases: readonly Case<T>[], next: (each: T) => Terms | undefined): Terms | undefined {
  const found: Case<Term>[] = [];
  for (const { when, is } of cases) {
    const inner = next(is);
    if (inner === undefined) return undefined;
    for (const each of inner) {
      const both = and(when, each.when);
      if (both.op !== "false" && !contradicts(when, each.when)) found.push({ when: both, is: each.is });
    }
  }
  return found.length > MAX_CASES ? undefined : found;
}

const MAX_COMPARED = 12;

/** Whether one of the conditions has a literal that the other one negates. */
function contradicts(one: Formula, other: Formula): boolean {
  const [left, right] = [partsOf(one), partsOf(other)];
  if (left.length * right.length > MAX_COMPARED ** 2) return false;
  return left.some((each) => right.some((opposite) => isNegation(each, opposite) || isNegation(opposite, each)));
}

function partsOf(formula: Formula): readonly Formula[] {
  return formula.op === "and" ? formula.parts : [formula];
}

function isNegation(one: Formula, other: Formula): boolean {
  if (one.op !== "literal" || other.op !== "not" || other.part.op !== "literal") return false;
  return one.literal.kind === other.part.literal.kind && literalText(one.literal) === literalText(other.part.literal);
}

/** The condition that there is a value and not an error. */
export function isDefined(terms: Terms): Formula {
  const cases = terms.map(({ when, is }) => {
    if (is.sort === "none") return FALSE;
    return is.sort === "bool" ? and(when, or(is.yes, is.no)) : when;
  });
  return or(...cases);
}

/** Combines all cases into one condition; a value that is not a boolean is neither true nor false. */
export function toBool(terms: Terms): BoolTerm {
  const part = (side: "yes" | "no"): Formula =>
    or(...terms.map(({ when, is }) => (is.sort === "bool" ? and(when, is[side]) : FALSE)));
  return { sort: "bool", yes: part("yes"), no: part("no") };
}

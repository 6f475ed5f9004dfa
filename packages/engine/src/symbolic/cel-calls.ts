/** Operators and functions of CEL that the solver models. */
import type { Expr } from "@portcullis/cel/internal";
import { choice } from "./cel-choice.ts";
import { decided, equality, indexed, listCall } from "./cel-list-calls.ts";
import { compareMeasures, constantMeasure } from "./cel-measures.ts";
import { nameOf } from "./cel-names.ts";
import type { Scope, Translator } from "./cel-scope.ts";
import { boundedSum, isInt64Range, rangeOfLinear } from "./cel-sums.ts";
import { isTextCall, textCall, textOfInt } from "./cel-text-calls.ts";
import { atMostTerms, lengthOf, lessTerms } from "./compare-terms.ts";
import { isFirstFact, termOf } from "./data-terms.ts";
import { and, flag, type Linear, literal, matches, not, or, same, sizeName, TRUE } from "./formula.ts";
import {
  add,
  atMost,
  constantLinear,
  equalTo,
  type IntRange,
  lessThan,
  linearText,
  scale,
  subtract,
  variable,
} from "./linear.ts";
import { always, andThen, type BoolTerm, isDefined, NONE, type Term, type Terms, toBool } from "./term.ts";
import { escapePattern } from "./texts.ts";

type Call = Extract<Expr, { kind: "call" }>;

/** No request has as many items. */
const MAX_SIZE = 2 ** 40;

const INT64_MIN = constantLinear(-(2n ** 63n));
const INT64_MAX = constantLinear(2n ** 63n - 1n);

/** Undefined if the call is not modelled. */
export function callTerms(call: Call, scope: Scope, within: Translator): Terms | undefined {
  const parts = [...(call.target === undefined ? [] : [call.target]), ...call.args];
  const [first, second, third] = parts;
  if (first === undefined)
    return call.function === "optional.none" ? always({ sort: "optional", value: always(NONE) }) : undefined;
  const isModelled = Object.hasOwn(LOGIC, call.function);
  if (isModelled) return LOGIC[call.function]?.(parts, scope, within);
  const values = parts.map((part) => within.terms(part, scope));
  const [left, right] = values;
  if (left === undefined) return undefined;
  if (call.function === "_[_]" || call.function === "_[?_]")
    return right !== undefined && call.function === "_[_]" ? indexed(left, right, within) : undefined;
  if (call.function === "_?._") return optionalField(left, second);
  if (call.function === "orValue" && right !== undefined)
    return andThen(left, (term) =>
      term.sort === "optional"
        ? andThen(term.value, (each) => (each.sort === "none" ? right : always(each)))
        : undefined,
    );
  const constant = parts.length === 1 ? constantMeasure(call.function, first) : undefined;
  if (constant !== undefined) return constant;
  const made = textTerms(call, values, within);
  if (made !== undefined) return made;
  if (parts.length === 1)
    return andThen(left, (term) => {
      if (term.sort === "none") return always(NONE);
      return listCall(call, [term], scope, within) ?? unary(call, term, within);
    });
  if (parts.length !== 2 || right === undefined || second === undefined || third !== undefined) return undefined;
  const found = andThen(left, (one) =>
    andThen(right, (other) =>
      one.sort === "none" || other.sort === "none"
        ? always(NONE)
        : (listCall(call, [one, other], scope, within) ?? binary(call, one, other, within)),
    ),
  );
  return found ?? (call.function === "_+_" ? boundedSum(nameOf(call, scope), left, right, within) : undefined);
}

/** Functions that make a string of a string, with constants as further arguments. */
function textTerms(call: Call, values: readonly Terms[], within: Translator): Terms | undefined {
  if (!isTextCall(call.function)) return undefined;
  const [first, ...others] = values;
  const constants = others.map(([only, second]) => (second === undefined ? only?.is : undefined));
  if (first === undefined || constants.some((each) => each === undefined)) return undefined;
  return andThen(first, (text) => {
    if (text.sort === "none") return always(NONE);
    return textCall(call.function, [text, ...constants.flatMap((each) => each ?? [])], within.facts);
  });
}

type Logic = (parts: readonly Expr[], scope: Scope, within: Translator) => Terms | undefined;

/** Operators on conditions that may have a result even if some operands are errors. */
const LOGIC: Readonly<Record<string, Logic>> = {
  "_&&_": (parts, scope, within) => {
    const all = parts.map((part) => within.bool(part, scope));
    return always({ sort: "bool", yes: and(...all.map(({ yes }) => yes)), no: or(...all.map(({ no }) => no)) });
  },
  "_||_": (parts, scope, within) => {
    const all = parts.map((part) => within.bool(part, scope));
    return always({ sort: "bool", yes: or(...all.map(({ yes }) => yes)), no: and(...all.map(({ no }) => no)) });
  },
  "!_": ([part], scope, within) => {
    if (part === undefined) return undefined;
    const { yes, no } = within.bool(part, scope);
    return always({ sort: "bool", yes: no, no: yes });
  },
  "_?_:_": ([condition, yes, no], scope, within) =>
    condition && yes && no && choice([condition, yes, no], scope, within),
};

function unary(call: Call, term: Term, within: Translator): Terms | undefined {
  if (call.function === "size") return sizeOf(term, within);
  if (call.function === "hasValue" && term.sort === "optional") return always(isThere(term.value));
  if (call.function === "value" && term.sort === "optional") return term.value;
  if (call.function === "optional.of") return optionalOf(term);
  if (call.function === "-_" && term.sort === "int") return checked(scale(term.linear, -1n), within.bounds);
  if (call.function === "string" && term.sort === "int") return always(textOfInt(term.linear));
  return undefined;
}

/** An error has no optional. */
function optionalOf(term: Term): Terms {
  const isThere = isDefined(always(term));
  return [
    { when: isThere, is: { sort: "optional", value: always(term) } },
    { when: not(isThere), is: NONE },
  ];
}

function isThere(value: Terms): BoolTerm {
  const yes = or(...value.filter(({ is }) => is.sort !== "none").map(({ when }) => when));
  return { sort: "bool", yes, no: not(yes) };
}

function sizeOf(term: Term, { bounds }: Translator): Terms | undefined {
  if (term.sort === "text") return always(lengthOf(term));
  if (term.sort === "items") return always({ sort: "int", linear: constantLinear(BigInt(term.items.length)) });
  if (term.sort !== "place" || (term.place.sort !== "list" && term.place.sort !== "map")) return undefined;
  const name = sizeName(term.place.name);
  bounds.set(name, { low: 0n, high: BigInt(term.place.mostItems ?? MAX_SIZE) });
  return always({ sort: "int", linear: variable(name) });
}

/** A result outside of int64 is an error. */
function checked(linear: Linear, bounds: ReadonlyMap<string, IntRange>): Terms {
  if (isInt64Range(rangeOfLinear(linear, bounds))) return always({ sort: "int", linear });
  const fits = and(atMost(INT64_MIN, linear), atMost(linear, INT64_MAX));
  return [
    { when: fits, is: { sort: "int", linear } },
    { when: not(fits), is: NONE },
  ];
}

function binary(call: Call, left: Term, right: Term, within: Translator): Terms | undefined {
  const { function: name } = call;
  if (ORDERS.includes(name) && !areOrdered(call, left, right, within)) return undefined;
  switch (name) {
    case "_==_":
      return equality(left, right);
    case "_!=_":
      return negated(equality(left, right));
    case "_<_":
      return decided(lessTerms(left, right));
    case "_<=_":
      return decided(atMostTerms(left, right));
    case "_>_":
      return decided(lessTerms(right, left));
    case "_>=_":
      return decided(atMostTerms(right, left));
    case "isLessThan":
    case "isGreaterThan":
    case "compareTo":
      return compareMeasures(name, left, right);
    case "_+_":
    case "_-_":
    case "_*_":
      return arithmetic(name, left, right, within);
    case "_/_":
    case "_%_":
      return division(name, left, right, within);
    default:
      return textTest(name, left, right);
  }
}

const ORDERS: readonly string[] = ["_<_", "_<=_", "_>_", "_>=_"];

/** Values of unknown types may have no order: comparing them is an error then. */
function areOrdered({ args }: Call, left: Term, right: Term, within: Translator): boolean {
  if (left.sort !== "other" && right.sort !== "other") return true;
  const [one, other] = args.map((each) => within.typeOf(each));
  return one === other && one !== "dyn" && one !== "type_param";
}

function negated(terms: Terms | undefined): Terms | undefined {
  if (terms === undefined) return undefined;
  const { yes, no } = toBool(terms);
  return always({ sort: "bool", yes: no, no: yes });
}

function arithmetic(name: string, left: Term, right: Term, { bounds }: Translator): Terms | undefined {
  if (left.sort !== "int" || right.sort !== "int") return undefined;
  if (name === "_+_") return checked(add(left.linear, right.linear), bounds);
  if (name === "_-_") return checked(subtract(left.linear, right.linear), bounds);
  if (left.linear.terms.size === 0) return checked(scale(right.linear, left.linear.constant), bounds);
  return right.linear.terms.size === 0 ? checked(scale(left.linear, right.linear.constant), bounds) : undefined;
}

/** Division by a constant: quotient and remainder get names, and their relation is recorded as a fact. */
function division(name: string, left: Term, right: Term, within: Translator): Terms | undefined {
  if (left.sort !== "int" || right.sort !== "int" || right.linear.terms.size > 0) return undefined;
  const by = right.linear.constant;
  if (by <= 0n) return undefined;
  const text = `${linearText(left.linear)} by ${by}`;
  const [quotient, rest] = [variable(`quotient of ${text}`), variable(`rest of ${text}`)];
  const zero = constantLinear(0n);
  const isNegative = lessThan(left.linear, zero);
  const most = constantLinear(by - 1n);
  const found = [
    equalTo(left.linear, add(scale(quotient, by), rest)),
    or(
      and(isNegative, atMost(scale(most, -1n), rest), atMost(rest, zero)),
      and(not(isNegative), atMost(zero, rest), atMost(rest, most)),
    ),
  ];
  const single = singleName(left.linear);
  if (single !== undefined) {
    const isMultiple = literal({ kind: "multiple", name: single, factor: by });
    const isWhole = equalTo(rest, zero);
    found.push(or(not(isMultiple), isWhole), or(isMultiple, not(isWhole)));
  }
  if (isFirstFact(within.facts, text)) within.facts.push(...found);
  return always({ sort: "int", linear: name === "_/_" ? quotient : rest });
}

/** The name of a sum that is one variable. */
function singleName({ terms, constant }: Linear): string | undefined {
  const [first, second] = terms;
  return constant === 0n && second === undefined && first?.[1] === 1n ? first[0] : undefined;
}

const TEXT_PATTERNS: Readonly<Record<string, (text: string) => string>> = {
  startsWith: (text) => `^(?:${escapePattern(text)})`,
  endsWith: (text) => `(?:${escapePattern(text)})$`,
  contains: (text) => `(?:${escapePattern(text)})`,
  matches: (text) => text,
};

function textTest(name: string, left: Term, right: Term): Terms | undefined {
  const pattern = Object.hasOwn(TEXT_PATTERNS, name) ? TEXT_PATTERNS[name] : undefined;
  if (pattern === undefined || left.sort !== "text" || left.constant !== undefined || right.sort !== "text")
    return undefined;
  if (right.constant === undefined) {
    if (name === "matches") return undefined;
    // Every string starts with itself, ends with itself and contains itself.
    return decided(or(same(left.name, right.name), flag(`${name} ${left.name} ${right.name}`)));
  }
  // Every string contains the empty string.
  if (right.constant === "" && name !== "matches") return decided(TRUE);
  return decided(matches(left.name, pattern(right.constant)));
}

/** A member that may be missing: an empty optional instead of an error. */
function optionalField(terms: Terms, field: Expr | undefined): Terms | undefined {
  const name = field?.kind === "literal" && typeof field.value === "string" ? field.value : undefined;
  if (name === undefined) return undefined;
  return andThen(terms, (term): Terms | undefined => {
    if (term.sort === "none") return always(NONE);
    const inner = term.sort === "optional" ? term.value : always(term);
    const value = andThen(inner, (each) => {
      if (each.sort === "none") return always(NONE);
      if (each.sort !== "place" || each.place.sort !== "object") return undefined;
      return andThen(each.place.member(name), (data) => always(termOf(data)));
    });
    return value && always({ sort: "optional", value });
  });
}

/** Functions of lists and maps: membership, sizes, sets, least and greatest elements, and single elements. */
import type { Expr } from "@portcullis/cel/internal";
import { atMostOne, elementsOf } from "./cel-loops.ts";
import { nameOf } from "./cel-names.ts";
import type { Scope, Translator } from "./cel-scope.ts";
import { equalBools, equalPlaces, equalTerms, equalUnknown } from "./compare-terms.ts";
import { isFirstFact, isInt64, termOf } from "./data-terms.ts";
import { and, FALSE, type Formula, flag, implies, matches, not, or, type Range, sizeName } from "./formula.ts";
import { atMost, constantLinear, equalTo, variable } from "./linear.ts";
import {
  always,
  andThen,
  type BoolTerm,
  NONE,
  type Place,
  type Stream,
  type Term,
  type Terms,
  toBool,
} from "./term.ts";
import { equalsPattern } from "./texts.ts";

type Call = Extract<Expr, { kind: "call" }>;

/** Undefined if the call is not one of these, or not modelled. */
export function listCall(
  call: Call,
  [first, second]: readonly Term[],
  scope: Scope,
  within: Translator,
): Terms | undefined {
  if (first === undefined) return undefined;
  switch (call.function) {
    case "size":
      return first.sort === "stream" ? countOf(first, within) : undefined;
    case "@in":
      return second && known(isMember(first, second));
    case "sets.contains":
      return second && known(containsAll(first, second));
    case "sets.intersects":
      return second && known(containsSome(first, second));
    case "isSorted":
      return second === undefined ? sorted(first, nameOf(call, scope)) : undefined;
    case "min":
    case "max":
      return second === undefined ? extreme(call.function, first, within) : undefined;
    default:
      return undefined;
  }
}

function known(bool: BoolTerm | undefined): Terms | undefined {
  return bool && always(bool);
}

export function decided(yes: Formula | undefined): Terms | undefined {
  return yes && always({ sort: "bool", yes, no: not(yes) });
}

export function equality(left: Term, right: Term): Terms | undefined {
  if (left.sort === "bool" && right.sort === "bool") return always(equalBools(left, right));
  if (left.sort === "place" && right.sort === "place") return always(equalPlaces(left.place, right.place));
  const found = decided(equalTerms(left, right));
  if (found !== undefined || left.sort !== "other" || right.sort !== "other") return found;
  return always(equalUnknown(left.name, right.name));
}

/** How many elements pass: none, one or more is known, and that there are not more than elements. */
function countOf({ place, count: name, passes }: Stream, within: Translator): Terms {
  const size = variable(sizeName(place.name));
  if (name === undefined) return always({ sort: "int", linear: size });
  const count = variable(`count ${name}`);
  const { range } = place;
  if (range !== undefined && isFirstFact(within.facts, `count ${name}`)) {
    const some: Formula = { op: "some", range, body: passes };
    const [isOne, isMany] = [1n, 2n].map((least) => atMost(constantLinear(least), count)) as [Formula, Formula];
    within.facts.push(
      atMost(constantLinear(0n), count),
      atMost(count, size),
      or(not(isOne), some),
      or(isOne, not(some)),
      or(isMany, atMostOne(place, range, passes)),
      or(not(isMany), not(atMostOne(place, range, passes))),
    );
  }
  return always({ sort: "int", linear: count });
}

/** The elements of a list or the keys of a map, as far as they can be looped over. */
function streamOf(term: Term): { readonly stream: Stream; readonly range: Range } | undefined {
  const stream = term.sort === "place" ? elementsOf(term.place) : term.sort === "stream" ? term : undefined;
  const range = stream?.place.range;
  return stream && range && { stream, range };
}

/** `in` a list of constants or of expressions; in a list or map of the data. */
function isMember(left: Term, right: Term): BoolTerm | undefined {
  if (right.sort === "items") {
    const all = right.items.map((item) => isEqual(left, item));
    if (all.some((each) => each === undefined)) return undefined;
    const bools = all.flatMap((each) => each ?? []);
    return { sort: "bool", yes: or(...bools.map(({ yes }) => yes)), no: and(...bools.map(({ no }) => no)) };
  }
  const found = streamOf(right);
  if (found === undefined) return undefined;
  const { stream, range } = found;
  if (isEqual(left, stream.item("probe").terms) === undefined) return undefined;
  const yes: Formula = {
    op: "some",
    range,
    body: (key) => and(stream.passes(key), isEqual(left, stream.item(key).terms)?.yes ?? FALSE),
  };
  return { sort: "bool", yes, no: not(yes) };
}

function isEqual(left: Term, right: Terms): BoolTerm | undefined {
  // Items of a list are never errors.
  const test = andThen(right, (each) => (each.sort === "none" ? always(NEITHER) : equality(left, each)));
  return test && toBool(test);
}

const NEITHER: BoolTerm = { sort: "bool", yes: FALSE, no: FALSE };

/** Every element of the second list is in the first. */
function containsAll(list: Term, parts: Term): BoolTerm | undefined {
  if (parts.sort === "items") {
    const all = parts.items.map((item) => isEachMember(item, list));
    if (all.some((each) => each === undefined)) return undefined;
    const bools = all.flatMap((each) => each ?? []);
    return { sort: "bool", yes: and(...bools.map(({ yes }) => yes)), no: or(...bools.map(({ no }) => no)) };
  }
  const found = streamOf(parts);
  if (found === undefined || isEachMember(found.stream.item("probe").terms, list) === undefined) return undefined;
  const { stream, range } = found;
  const yes: Formula = {
    op: "every",
    range,
    body: (key) => implies(stream.passes(key), isEachMember(stream.item(key).terms, list)?.yes ?? FALSE),
  };
  return { sort: "bool", yes, no: not(yes) };
}

/** Some element of one list is in the other. */
function containsSome(list: Term, other: Term): BoolTerm | undefined {
  const [items, data] = list.sort === "items" ? [list, other] : [other, list];
  if (items.sort !== "items") return undefined;
  const all = items.items.map((item) => isEachMember(item, data));
  if (all.some((each) => each === undefined)) return undefined;
  const bools = all.flatMap((each) => each ?? []);
  return { sort: "bool", yes: or(...bools.map(({ yes }) => yes)), no: and(...bools.map(({ no }) => no)) };
}

function isEachMember(item: Terms, list: Term): BoolTerm | undefined {
  const test = andThen(item, (each) => {
    const member = each.sort === "none" ? NEITHER : isMember(each, list);
    return member && always(member);
  });
  return test && toBool(test);
}

/** A list with at most one element is sorted; of others only the name is known. */
function sorted(list: Term, name: string): Terms | undefined {
  if (list.sort !== "place" || list.place.sort !== "list") return undefined;
  const isShort = atMost(variable(sizeName(list.place.name)), constantLinear(1n));
  return decided(or(isShort, flag(`true ${name}`)));
}

/** The least or greatest integer of a list: an error if the list is empty. */
function extreme(which: "min" | "max", list: Term, within: Translator): Terms | undefined {
  if (list.sort !== "place" || list.place.sort !== "list") return undefined;
  const { place } = list;
  const { range } = place;
  if (range === undefined || integerOf(place, "probe") === undefined) return undefined;
  // Not the name of the expression, which may choose between lists.
  const name = `${which}(${place.whole})`;
  const value = variable(name);
  const isFilled = atMost(constantLinear(1n), variable(sizeName(place.name)));
  const compare = (key: string): Formula => {
    const item = integerOf(place, key);
    if (item === undefined) return FALSE;
    return which === "max" ? atMost(item, value) : atMost(value, item);
  };
  const reached = (key: string): Formula => {
    const item = integerOf(place, key);
    return item === undefined ? FALSE : equalTo(item, value);
  };
  if (isFirstFact(within.facts, name))
    within.facts.push(
      isInt64(name),
      { op: "every", range, body: compare },
      implies(isFilled, { op: "some", range, body: reached }),
    );
  return [
    { when: isFilled, is: { sort: "int", linear: value } },
    { when: not(isFilled), is: NONE },
  ];
}

function integerOf(place: Place, key: string): Extract<Term, { sort: "int" }>["linear"] | undefined {
  const [only, second] = elementsOf(place).item(key).terms;
  return second === undefined && only?.is.sort === "int" ? only.is.linear : undefined;
}

/** An element: of a map by the key of a loop over it or by a constant, of a list by a constant. */
export function indexed(container: Terms, keys: Terms, within: Translator): Terms | undefined {
  return andThen(container, (term) =>
    andThen(keys, (key): Terms | undefined => {
      if (term.sort === "none" || key.sort === "none") return always(NONE);
      if (term.sort !== "place" || term.place.range === undefined) return undefined;
      const { place } = term;
      const { range } = term.place;
      if (place.sort === "list" && key.sort === "int" && key.linear.terms.size === 0)
        return itemAt(place, term.place.range, key.linear.constant, within);
      if (place.sort !== "map" || key.sort !== "text") return undefined;
      if (key.constant !== undefined) return valueAt(place, term.place.range, key.constant, within);
      if (!isKeyOf(range, key.name)) return undefined;
      return andThen(place.element(key.name), (data) => always(termOf(data)));
    }),
  );
}

/** Whether the name is that of a key of a loop over the map, which always exists, and not of something below it. */
function isKeyOf({ name }: Range, key: string): boolean {
  return key.startsWith(`${name}[#`) && /^\[#[0-9]+\]$/.test(key.slice(name.length));
}

function itemAt(place: Place, range: Range, index: bigint, within: Translator): Terms | undefined {
  if (index < 0n) return undefined;
  const isThere = atMost(constantLinear(index + 1n), variable(sizeName(place.name)));
  return elementIf(isThere, place, range, `${range.name}[${index}]`, within);
}

function valueAt(place: Place, range: Range, key: string, within: Translator): Terms | undefined {
  const isThere: Formula = { op: "some", range, body: (each) => matches(each, equalsPattern(key)) };
  const element = `${range.name}[${JSON.stringify(key)}]`;
  if (isFirstFact(within.facts, `key ${element}`)) within.facts.push(matches(element, equalsPattern(key)));
  return elementIf(isThere, place, range, element, within);
}

function elementIf(
  isThere: Formula,
  place: Place,
  range: Range,
  element: string,
  within: Translator,
): Terms | undefined {
  if (isFirstFact(within.facts, element)) within.facts.push(implies(isThere, { op: "element", range, element }));
  const value = andThen(place.element(element), (data) => always(termOf(data)));
  return andThen(
    [
      { when: isThere, is: value },
      { when: not(isThere), is: always(NONE) },
    ],
    (each) => each,
  );
}

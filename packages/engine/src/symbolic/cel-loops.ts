/** Loops of CEL: `all`, `exists`, `exists_one`, `filter` and `map`. */
import type { Expr } from "@portcullis/cel/internal";
import { nameOf } from "./cel-names.ts";
import type { Binding, Scope, Translator } from "./cel-scope.ts";
import { termOf } from "./data-terms.ts";
import { and, FALSE, type Formula, named, not, or, type Range, same, TRUE } from "./formula.ts";
import { variable } from "./linear.ts";
import {
  always,
  andThen,
  type BoolTerm,
  type Case,
  type Data,
  isDefined,
  NONE,
  type Place,
  type Stream,
  type StreamItem,
  type Terms,
} from "./term.ts";

type Comprehension = Extract<Expr, { kind: "comprehension" }>;

/** A loop and where it is. */
interface Loop {
  readonly loop: Comprehension;
  readonly scope: Scope;
  readonly within: Translator;
  /** The name of the loop, or of one like it over the same elements. */
  readonly nameIt: (loop: Comprehension) => string;
}

/** Undefined if the loop is not modelled. */
export function loopTerms(loop: Comprehension, scope: Scope, within: Translator): Terms | undefined {
  const bound = boundVariable(loop);
  if (bound !== undefined) return bindingTerms(bound, loop, scope, within);
  const shape = shapeOf(loop);
  if (shape === undefined) return undefined;
  const ranges = within.terms(loop.range, scope);
  const isChoice = ranges.filter(({ is }) => is.sort !== "none").length > 1;
  // A loop over one of several lists is a different value for each of them.
  const over = (stream: Stream): Terms | undefined => {
    const suffix = isChoice ? ` over ${streamName(stream)}` : "";
    const nameIt = (each: Comprehension): string => `${nameOf(each, scope)}${suffix}`;
    return overStream(shape, stream, { loop, scope, within, nameIt });
  };
  return andThen(ranges, (range) => {
    if (range.sort === "none") return always(NONE);
    if (range.sort === "items" && shape.kind !== "map" && loop.iterVar2 === undefined)
      return overItems(shape, range.items, loop, scope, within);
    if (range.sort === "stream") return loop.iterVar2 === undefined ? over(range) : undefined;
    if (range.sort !== "place" || range.place.range === undefined) return undefined;
    return over(elementsOf(range.place));
  });
}

function streamName({ place, count, item }: Stream): string {
  return `${place.whole} ${count ?? ""} ${item("probe").label}`;
}

type Shape =
  | { readonly kind: "all" | "exists" | "exists_one"; readonly body: Expr }
  | { readonly kind: "filter"; readonly body: Expr }
  | { readonly kind: "map"; readonly body: Expr | undefined; readonly item: Expr };

/** The macro that the loop was written with. */
function shapeOf({ accuInit, accuVar, iterVar, loopStep, result }: Comprehension): Shape | undefined {
  if (loopStep.kind !== "call") return undefined;
  const [first, second, third] = loopStep.args;
  const isStart = (value: unknown): boolean => accuInit.kind === "literal" && accuInit.value === value;
  const isResult = result.kind === "ident" && result.name === accuVar;
  if (isStart(true) && loopStep.function === "_&&_" && second && isResult) return { kind: "all", body: second };
  if (isStart(false) && loopStep.function === "_||_" && second && isResult) return { kind: "exists", body: second };
  const isKept = loopStep.function === "_?_:_" && third?.kind === "ident" && third.name === accuVar;
  if (isKept && isStart(0) && first && result.kind === "call" && result.function === "_==_")
    return { kind: "exists_one", body: first };
  if (!isResult || accuInit.kind !== "list" || accuInit.elements.length > 0) return undefined;
  const item = appendedItem(isKept ? second : loopStep, accuVar);
  if (item === undefined) return undefined;
  if (isKept && first && item.kind === "ident" && item.name === iterVar) return { kind: "filter", body: first };
  return { kind: "map", body: isKept ? first : undefined, item };
}

/** What a step adds to the list. */
function appendedItem(step: Expr | undefined, accuVar: string): Expr | undefined {
  if (step?.kind !== "call" || step.function !== "_+_") return undefined;
  const [list, added] = step.args;
  if (list?.kind !== "ident" || list.name !== accuVar || added?.kind !== "list") return undefined;
  const [item, second] = added.elements;
  return second === undefined && added.optionalIndices.length === 0 ? item : undefined;
}

function overItems(
  { kind, body }: Exclude<Shape, { kind: "map" }>,
  items: readonly Terms[],
  loop: Comprehension,
  scope: Scope,
  within: Translator,
): Terms | undefined {
  if (!within.canExpand(items.length)) return undefined;
  const label = nameOf(loop.range, scope);
  const each = items.map((terms, index) =>
    within.bool(body, new Map(scope).set(loop.iterVar, { terms, place: undefined, label: `${label}[${index}]` })),
  );
  if (kind === "filter") return filtered(items, each);
  if (kind === "exists_one") return exactlyOne(each);
  const [yes, no] = [each.map((item) => item.yes), each.map((item) => item.no)];
  return always(
    kind === "all"
      ? { sort: "bool", yes: and(...yes), no: or(...no) }
      : { sort: "bool", yes: or(...yes), no: and(...no) },
  );
}

const MAX_ITEMS = 6;

/** Which items pass: one case for each combination. */
function filtered(items: readonly Terms[], tests: readonly BoolTerm[]): Terms | undefined {
  if (items.length > MAX_ITEMS) return undefined;
  let cases: { when: Formula; kept: readonly Terms[] }[] = [{ when: { op: "true" }, kept: [] }];
  for (const [index, test] of tests.entries()) {
    const item = items[index] ?? [];
    cases = cases.flatMap(({ when, kept }) => [
      { when: and(when, test.yes), kept: [...kept, item] },
      { when: and(when, test.no), kept },
    ]);
  }
  const isKnown = and(...tests.map(({ yes, no }) => or(yes, no)));
  return [
    ...cases.map(({ when, kept }): Case<Terms[number]["is"]> => ({ when, is: { sort: "items", items: kept } })),
    { when: { op: "not", part: isKnown }, is: NONE },
  ];
}

function exactlyOne(tests: readonly BoolTerm[]): Terms | undefined {
  if (tests.length > MAX_ITEMS) return undefined;
  const one = tests.map((_, chosen) => and(...tests.map(({ yes, no }, index) => (index === chosen ? yes : no))));
  const isKnown = and(...tests.map(({ yes, no }) => or(yes, no)));
  const yes = or(...one);
  return always({ sort: "bool", yes, no: and(isKnown, { op: "not", part: yes }) });
}

/** All elements of a list or map. */
export function elementsOf(place: Place): Stream {
  return { sort: "stream", place, count: undefined, passes: () => TRUE, item: (key) => elementOf(place, key) };
}

function overStream(shape: Shape, stream: Stream, at: Loop): Terms | undefined {
  const { loop, scope, within, nameIt } = at;
  const { place } = stream;
  const { range } = place;
  if (range === undefined) return undefined;
  const inner = (key: string): Scope => loopScope(loop, stream, key, scope);
  if (shape.kind === "map" || shape.kind === "filter") return derived(shape, stream, range, at);
  const { kind, body } = shape;
  const bodyOf = (key: string): BoolTerm => within.bool(body, inner(key));
  const every = (side: "yes" | "no"): Formula => ({
    op: "every",
    range,
    body: (key) => or(not(stream.passes(key)), bodyOf(key)[side]),
  });
  const passes = (side: "yes" | "no", key: string): Formula => and(stream.passes(key), bodyOf(key)[side]);
  const some = (side: "yes" | "no"): Formula => ({ op: "some", range, body: (key) => passes(side, key) });
  if (kind === "all") return always({ sort: "bool", yes: every("yes"), no: some("no") });
  if (kind === "exists") return always({ sort: "bool", yes: some("yes"), no: every("no") });
  const isKnown = knownItems(stream, range, (key) => or(bodyOf(key).yes, bodyOf(key).no));
  const name = nameIt(loop);
  const isOne = and(
    some("yes"),
    atMostOne(place, range, (key) => passes("yes", key)),
  );
  return always({
    sort: "bool",
    yes: named(`true ${name}`, and(isKnown, isOne)),
    no: named(`false ${name}`, and(isKnown, not(isOne))),
  });
}

/** No element is an error. */
function knownItems(stream: Stream, range: Range, isKnown: (key: string) => Formula): Formula {
  return { op: "every", range, body: (key) => or(not(stream.passes(key)), isKnown(key)) };
}

/** `filter` and `map`: an element that is an error makes the list an error. */
function derived(
  shape: Extract<Shape, { kind: "map" | "filter" }>,
  stream: Stream,
  range: Range,
  { loop, scope, within, nameIt }: Loop,
): Terms {
  const inner = (key: string): Scope => loopScope(loop, stream, key, scope);
  const { body } = shape;
  const test = (key: string): BoolTerm =>
    body === undefined ? { sort: "bool", yes: TRUE, no: FALSE } : within.bool(body, inner(key));
  const item = (key: string): StreamItem =>
    shape.kind === "filter" ? stream.item(key) : itemOf(shape.item, inner(key), within);
  const isMade = (key: string): Formula => (shape.kind === "filter" ? TRUE : isDefined(item(key).terms));
  const isKnown = knownItems(stream, range, (key) => or(test(key).no, and(test(key).yes, isMade(key))));
  const made: Stream = {
    sort: "stream",
    place: stream.place,
    // The same name as that of the number of elements in expressions that are not modelled.
    count: body === undefined ? stream.count : nameIt({ ...loop, loopStep: body }),
    passes: (key) => and(stream.passes(key), test(key).yes),
    item,
  };
  return [
    { when: isKnown, is: made },
    { when: not(isKnown), is: NONE },
  ];
}

function itemOf(expr: Expr, scope: Scope, within: Translator): StreamItem {
  return { terms: within.terms(expr, scope), place: undefined, label: nameOf(expr, scope) };
}

/** The names of a loop for an element: with two names, the index or key comes first. */
function loopScope(loop: Comprehension, stream: Stream, key: string, scope: Scope): Scope {
  const { iterVar, iterVar2 } = loop;
  const own = stream.item(key);
  if (iterVar2 === undefined) return new Map(scope).set(iterVar, own);
  const { place } = stream;
  const first =
    place.sort === "map"
      ? own
      : { terms: always({ sort: "int", linear: variable(`index ${key}`) }), place: undefined, label: `index ${key}` };
  return new Map(scope).set(iterVar, first).set(iterVar2, place.sort === "map" ? elementValue(place, key) : own);
}

/** Two elements that pass are the same element. Keys of a map are the same if their texts are. */
export function atMostOne({ sort, unique }: Place, range: Range, passes: (key: string) => Formula): Formula {
  const isSame = (one: string, other: string): Formula =>
    sort === "map" ? same(one, other) : or(same(`item ${one}`, `item ${other}`), unique?.(one, other) ?? FALSE);
  return {
    op: "every",
    range,
    body: (one) => ({
      op: "every",
      range,
      body: (other) => (one === other ? TRUE : or(not(passes(one)), not(passes(other)), isSame(one, other))),
    }),
  };
}

/** Loops over maps go over their keys. */
function elementOf(place: Place, key: string): Binding {
  if (place.sort === "map") return { terms: always({ sort: "text", name: key }), place: undefined, label: key };
  return elementValue(place, key);
}

function elementValue(place: Place, key: string): Binding {
  const terms = andThen(place.element(key), (data: Data) => always(termOf(data))) ?? [];
  return { terms, place: place.elementChild(key), label: place.sort === "map" ? `${key} value` : key };
}

/** `cel.bind` and `optMap`: an empty loop that binds a name to a value. */
function boundVariable({ range, accuInit, loopCondition, accuVar }: Comprehension): Expr | undefined {
  const isEmpty = range.kind === "list" && range.elements.length === 0;
  const isNever = loopCondition.kind === "literal" && loopCondition.value === false;
  return isEmpty && isNever && accuVar !== "@result" && accuVar !== "__result__" ? accuInit : undefined;
}

function bindingTerms(value: Expr, loop: Comprehension, scope: Scope, within: Translator): Terms {
  const terms = within.terms(value, scope);
  const inner = new Map(scope).set(loop.accuVar, { terms, place: undefined, label: nameOf(value, scope) });
  return within.terms(loop.result, inner);
}

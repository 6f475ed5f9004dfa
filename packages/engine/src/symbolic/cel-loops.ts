/** Loops of CEL: `all`, `exists`, `exists_one`, and the sizes of `filter` and `map`. */
import type { Expr } from "@portcullis/cel/internal";
import { nameOf } from "./cel-names.ts";
import type { Binding, Scope, Translator } from "./cel-scope.ts";
import { termOf } from "./data-terms.ts";
import { and, type Formula, named, not, or, type Range, same, TRUE } from "./formula.ts";
import { always, andThen, type BoolTerm, type Case, type Data, NONE, type Place, type Terms } from "./term.ts";

type Comprehension = Extract<Expr, { kind: "comprehension" }>;

/** Undefined if the loop is not modelled. */
export function loopTerms(loop: Comprehension, scope: Scope, within: Translator): Terms | undefined {
  const bound = boundVariable(loop);
  if (bound !== undefined) return bindingTerms(bound, loop, scope, within);
  const shape = shapeOf(loop);
  if (shape === undefined || loop.iterVar2 !== undefined) return undefined;
  return andThen(within.terms(loop.range, scope), (range) => {
    if (range.sort === "none") return always(NONE);
    if (range.sort === "items") return overItems(shape, range.items, loop, scope, within);
    if (range.sort !== "place" || range.place.range === undefined) return undefined;
    return overPlace(shape, range.place, loop, scope, within);
  });
}

interface Shape {
  readonly kind: "all" | "exists" | "exists_one" | "filter";
  readonly body: Expr;
}

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
  const isAppended = second?.kind === "call" && second.function === "_+_" && second.args[1]?.kind === "list";
  const item = isAppended && second.args[1]?.kind === "list" ? second.args[1].elements[0] : undefined;
  const isItem = item?.kind === "ident" && item.name === iterVar;
  return isKept && isItem && first && isResult && accuInit.kind === "list"
    ? { kind: "filter", body: first }
    : undefined;
}

function overItems(
  { kind, body }: Shape,
  items: readonly Terms[],
  loop: Comprehension,
  scope: Scope,
  within: Translator,
): Terms | undefined {
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

function overPlace(
  { kind, body }: Shape,
  place: Place,
  loop: Comprehension,
  scope: Scope,
  within: Translator,
): Terms | undefined {
  const { range } = place;
  if (range === undefined) return undefined;
  const bodyOf = (key: string): BoolTerm => within.bool(body, new Map(scope).set(loop.iterVar, elementOf(place, key)));
  const every = (side: "yes" | "no"): Formula => ({ op: "every", range, body: (key) => bodyOf(key)[side] });
  const some = (side: "yes" | "no"): Formula => ({ op: "some", range, body: (key) => bodyOf(key)[side] });
  if (kind === "all") return always({ sort: "bool", yes: every("yes"), no: some("no") });
  if (kind === "exists") return always({ sort: "bool", yes: some("yes"), no: every("no") });
  const isKnown: Formula = { op: "every", range, body: (key) => or(bodyOf(key).yes, bodyOf(key).no) };
  if (kind === "filter") {
    // The same name as that of the number of elements in expressions that are not modelled.
    const name = nameOf({ ...loop, loopStep: body }, scope);
    return [
      { when: isKnown, is: { sort: "filtered", place, name, passes: (key) => bodyOf(key).yes } },
      { when: not(isKnown), is: NONE },
    ];
  }
  const name = nameOf(loop, scope);
  const isOne = and(
    some("yes"),
    atMostOne(place, range, (key) => bodyOf(key).yes),
  );
  return always({
    sort: "bool",
    yes: named(`true ${name}`, and(isKnown, isOne)),
    no: named(`false ${name}`, and(isKnown, not(isOne))),
  });
}

/** Two elements that pass are the same element. Keys of a map are the same if their texts are. */
export function atMostOne({ sort }: Place, range: Range, passes: (key: string) => Formula): Formula {
  const isSame = (one: string, other: string): Formula =>
    sort === "map" ? same(one, other) : same(`item ${one}`, `item ${other}`);
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
  const terms = andThen(place.element(key), (data: Data) => always(termOf(data))) ?? [];
  return { terms, place: place.elementChild(key), label: key };
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

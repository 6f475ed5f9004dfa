/**
 * Lists and quantifiers. Only the elements with a requirement are known; a requirement for all elements is recorded and
 * applied to every element that appears later. So a list may have any length.
 */
import { INFEASIBLE, Unmodeled } from "../theory/path-search.ts";
import { addUnknownEntry, canHold, openMapState, requireSize } from "./places.ts";
import type { Element, State, Universal } from "./state.ts";
import { ERROR, FALSE, type ListSource, type Sym, TRUE, truth, type ViewPart, type ViewStep } from "./symbolic.ts";

export type Outcome = "E" | "F" | "T";

/** The result of a predicate for an element. */
export type Predicate = (element: readonly Sym[]) => Sym;

type Symbolic = Exclude<ListSource, { k: "items" }>;

export interface SymbolicPart {
  readonly source: Symbolic;
  readonly steps: readonly ViewStep[];
}

export function outcomeOf(state: State, sym: Sym): Outcome {
  const value = state.resolve(sym);
  if (value.k === "const") return value.value === true ? "T" : value.value === false ? "F" : "E";
  if (value.k !== "scalar" || value.kind !== "bool") return "E";
  return state.decideBool(value.term) ? "T" : "F";
}

const MAX_ELEMENTS = 7;

/** An element that was known before, or another one. */
function pickElement(state: State, source: Symbolic, exclude: ReadonlySet<string>): Element {
  const { elements, addFresh } = elementsOf(state, source);
  const known = elements.filter(({ id }) => !exclude.has(id));
  const canAdd = canHold(state, source.node, elements.length + 1) && addFresh !== undefined;
  if (canAdd && elements.length > MAX_ELEMENTS) throw new Unmodeled("quantifiers that need many elements of one list");
  const taken = state.choices.choose(known.length + (canAdd ? 1 : 0));
  const found = known[taken];
  if (found !== undefined) return found;
  if (addFresh === undefined) throw INFEASIBLE;
  return addFresh();
}

interface Elements {
  readonly elements: readonly Element[];
  readonly universals: Universal[];
  readonly addFresh: (() => Element) | undefined;
}

function elementsOf(state: State, source: Symbolic): Elements {
  if (source.k === "listnode") {
    const list = state.listState(source.node, source.alternative);
    return { elements: list.elements, universals: list.universals, addFresh: () => addElement(state, source) };
  }
  const { alternative } = source;
  if (alternative.open === undefined) throw new Unmodeled("a loop over the fields of an object");
  const map = openMapState(state, source.node, alternative);
  const optionalKeys = alternative.keys().some((key) => alternative.property(key)?.presence === "optional");
  if (optionalKeys) throw new Unmodeled("a loop over an object with fields of its own and others");
  return { elements: map.entries, universals: map.universals, addFresh: () => addUnknownEntry(state, map) };
}

export function addElement(state: State, { node, alternative }: Symbolic & { k: "listnode" }): Element {
  const list = state.listState(node, alternative);
  const id = `${node.id}[${list.elements.length}]`;
  const item = { id, sort: alternative.item(), parent: node, key: undefined };
  state.nodes.set(id, item);
  const element: Element = { id, node: item, syms: [{ k: "node", node: item }], index: undefined };
  list.elements.push(element);
  requireSize(state, node, list.elements.length);
  for (const { check, except } of [...list.universals]) {
    if (!except.has(id) && !check(element.syms)) throw INFEASIBLE;
  }
  return element;
}

/** Requires something of all elements, including those that are not known yet. */
function requireOfAll(state: State, source: Symbolic, check: Universal["check"], except = NO_IDS): void {
  const { elements, universals } = elementsOf(state, source);
  universals.push({ check, except });
  for (const { id, syms } of [...elements]) if (!except.has(id) && !check(syms)) throw INFEASIBLE;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** An element as a loop over the part sees it; undefined if a filter excludes it, an error if a step fails. */
function throughSteps(
  state: State,
  syms: readonly Sym[],
  steps: readonly ViewStep[],
): readonly Sym[] | "error" | undefined {
  let current = syms;
  for (const { kind, apply } of steps) {
    const result = apply(current);
    if (kind === "map") {
      if (state.resolve(result).k === "error") return "error";
      current = [result];
      continue;
    }
    const outcome = outcomeOf(state, result);
    if (outcome === "E") return "error";
    if (outcome === "F") return undefined;
  }
  return current;
}

/** Only the variables that a loop declares. */
function seenBy(part: SymbolicPart, syms: readonly Sym[]): readonly Sym[] {
  return part.steps.length === 0 && part.source.k === "keys" ? syms : syms.slice(0, 1);
}

/** The outcome of a predicate for an element of a part; undefined if a filter excludes it. */
function outcomeFor(state: State, part: SymbolicPart, syms: readonly Sym[], predicate: Predicate): Outcome | undefined {
  const seen = throughSteps(state, syms, part.steps);
  if (seen === undefined) return undefined;
  return seen === "error" ? "E" : outcomeOf(state, predicate(seenBy(part, seen)));
}

export function splitParts(parts: readonly ViewPart[]): { items: Sym[]; symbolic: SymbolicPart[] } {
  const items: Sym[] = [];
  const symbolic: SymbolicPart[] = [];
  for (const { source, steps } of parts) {
    if (source.k === "items") items.push(...source.items);
    else symbolic.push({ source, steps });
  }
  return { items, symbolic };
}

/** `all` if `decisive` is F, `exists` if it is T: one element of that outcome decides. */
export function quantify(state: State, parts: readonly ViewPart[], predicate: Predicate, decisive: "F" | "T"): Sym {
  const { items, symbolic } = splitParts(parts);
  const outcomes = items.map((item) => outcomeOf(state, predicate([item])));
  const decided = truth(decisive === "T");
  if (outcomes.includes(decisive)) return decided;
  const failed = outcomes.includes("E");
  if (symbolic.length === 0) return failed ? ERROR : truth(decisive !== "T");
  const taken = state.choices.choose(failed ? 2 : 3);
  if (taken === 0) {
    witness(state, symbolic, (part, syms) => outcomeFor(state, part, syms, predicate) === decisive);
    return decided;
  }
  const quiet = decisive === "T" ? "F" : "T";
  const isAllowed = (outcome: Outcome | undefined): boolean =>
    taken === 1 && !failed ? outcome === undefined || outcome === quiet : outcome !== decisive;
  for (const part of symbolic)
    requireOfAll(state, part.source, (syms) => isAllowed(outcomeFor(state, part, syms, predicate)));
  if (failed) return ERROR;
  if (taken === 1) return decisive === "T" ? FALSE : TRUE;
  witness(state, symbolic, (part, syms) => outcomeFor(state, part, syms, predicate) === "E");
  return ERROR;
}

/** Chooses an element of a part that satisfies the condition. */
function witness(
  state: State,
  parts: readonly SymbolicPart[],
  isRight: (part: SymbolicPart, syms: readonly Sym[]) => boolean,
  exclude = NO_IDS,
): Element {
  const part = parts[state.choices.choose(parts.length)];
  if (part === undefined) throw INFEASIBLE;
  const element = pickElement(state, part.source, exclude);
  if (!isRight(part, element.syms)) throw INFEASIBLE;
  return element;
}

/** Applies a step to a view; an error if it fails for some element. */
export function withStep(state: State, parts: readonly ViewPart[], step: ViewStep): Sym {
  const { items, symbolic } = splitParts(parts);
  const kept: Sym[] = [];
  for (const item of items) {
    const seen = throughSteps(state, [item], [step]);
    if (seen === "error") return ERROR;
    if (seen?.[0] !== undefined) kept.push(seen[0]);
  }
  for (const part of symbolic) {
    const fails = (syms: readonly Sym[]): boolean => throughSteps(state, syms, [...part.steps, step]) === "error";
    if (state.choices.choose(2) === 1) {
      witness(state, [part], (_, syms) => fails(syms));
      return ERROR;
    }
    requireOfAll(state, part.source, (syms) => !fails(syms));
  }
  const literal: ViewPart[] = kept.length === 0 ? [] : [{ source: { k: "items", items: kept }, steps: [] }];
  return {
    k: "view",
    parts: [...literal, ...symbolic.map(({ source, steps }) => ({ source, steps: [...steps, step] }))],
  };
}

const MAX_COUNT = 5;

/** Whether at least this number of elements passes all filters of a view. */
export function isCountAtLeast(state: State, parts: readonly ViewPart[], wanted: number): boolean {
  const { items, symbolic } = splitParts(parts);
  const count = wanted - items.length;
  if (count <= 0) return true;
  if (symbolic.length === 0) return false;
  if (count > MAX_COUNT) throw new Unmodeled("counting many elements of a list");
  const passes = (part: SymbolicPart, syms: readonly Sym[]): boolean =>
    throughSteps(state, syms, part.steps) !== undefined;
  const pick = (many: number): Set<string> => {
    const chosen = new Set<string>();
    for (let taken = 0; taken < many; taken++) chosen.add(witness(state, symbolic, passes, chosen).id);
    return chosen;
  };
  const taken = state.choices.choose(count + 1);
  const chosen = pick(taken);
  if (taken === count) return true;
  for (const part of symbolic) requireOfAll(state, part.source, (syms) => !passes(part, syms), chosen);
  return false;
}

/** The element at a position; the caller must exclude positions beyond the end. */
export function elementAt(state: State, source: Symbolic & { k: "listnode" }, index: number): Sym {
  const list = state.listState(source.node, source.alternative);
  const known = list.elements.find((element) => element.index === index);
  if (known !== undefined) return { k: "node", node: known.node };
  const placed = new Set(list.elements.filter((element) => element.index !== undefined).map(({ id }) => id));
  const element = pickElement(state, source, placed);
  element.index = index;
  requireSize(state, source.node, index + 1);
  return { k: "node", node: element.node };
}

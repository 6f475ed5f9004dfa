/**
 * Finds values for the places of an execution path: first each by its own constraints, then so that terms over several
 * places agree too.
 */
import { Double, ListValue, normalInt, type Value } from "@portcullis/cel/internal";
import { formatQuantity, parseQuantity } from "../../value/quantity.ts";
import type { Pool } from "../pool.ts";
import { solvedPlaces } from "../relations/sums.ts";
import { solveInts } from "../theory/int-theory.ts";
import { solveReals } from "../theory/real-theory.ts";
import { isAllowed, solveText } from "../theory/text-theory.ts";
import { tick } from "../theory/time.ts";
import type { OpaqueFact, State } from "./state.ts";

const MAX_STEPS = 6000;

/** Returns the last attempt if none agrees with everything. */
export function exampleOf(state: State, pool: Pool): Map<string, Value> {
  const candidates = candidatesOf(state, pool);
  const values = new Map<string, Value>();
  for (const [id, [first]] of candidates) if (first !== undefined) values.set(id, first);
  const facts = factsOf(state);
  if (facts.some(({ agrees }) => agrees(values) === false))
    repair(values, facts, candidates, (id, value) => isInDomain(state, id, value));
  return values;
}

/** All that is assumed of terms. */
export function factsOf(state: State): OpaqueFact[] {
  return [...state.opaque, ...derivedFacts(state), ...listFacts(state)];
}

/** What is required of elements of lists that functions make. */
function listFacts(state: State): OpaqueFact[] {
  return [...state.derivedLists].flatMap(([id, term]) =>
    (state.lists.get(id)?.elements ?? []).map((element) => ({
      key: element.id,
      variables: term.variables,
      agrees: (values) => {
        const list = term.evaluate(values);
        if (!(list instanceof ListValue)) return undefined;
        const items = Array.from({ length: list.size }, (_, at) => list.at(at));
        const found = element.index === undefined ? items : items.slice(element.index, element.index + 1);
        return found.some((item) => isInDomain(state, element.id, item));
      },
    })),
  );
}

/** What is required of terms. */
function derivedFacts(state: State): OpaqueFact[] {
  return [...state.derived.values()].map((term) => ({
    key: term.key,
    variables: term.variables,
    agrees: (values) => {
      const value = term.evaluate(values);
      return value === undefined ? undefined : isInDomain(state, term.key, value);
    },
  }));
}

function isInDomain(state: State, key: string, value: Value): boolean {
  const [ints, texts, reals] = [state.ints.get(key), state.texts.get(key), state.reals.get(key)];
  if (typeof value === "string") return texts === undefined || isAllowed(texts, value);
  if (value instanceof Double)
    return reals === undefined || reals.tests.every(({ test, wanted }) => test.holds(value.value) === wanted);
  if (typeof value !== "number" && typeof value !== "bigint") return true;
  const number = BigInt(value);
  return (
    ints === undefined || (number >= ints.min && number <= ints.max && ints.tests.every(({ holds }) => holds(number)))
  );
}

function candidatesOf(state: State, pool: Pool): Map<string, readonly Value[]> {
  const found = new Map<string, readonly Value[]>();
  const involved = new Set(
    [...state.opaque, ...state.derived.values(), ...state.derivedLists.values()].flatMap(({ variables }) => variables),
  );
  for (const [id, domain] of state.ints) {
    const isDouble = state.kinds.get(id)?.kind === "double";
    const solved = solveInts(domain, 12);
    const near = involved.has(id) ? pool.ints.filter((each) => domain.tests.every(({ holds }) => holds(each))) : [];
    const all = [
      ...(solved === "unknown" ? [] : solved),
      ...near.filter((each) => each >= domain.min && each <= domain.max),
    ];
    found.set(
      id,
      all.map((each) => (isDouble ? new Double(Number(each)) : normalInt(each))),
    );
  }
  for (const [id, domain] of state.texts) {
    const solved = solveText(domain);
    const own = solved.kind === "found" ? [solved.text] : [];
    const isHard = involved.has(id) || solved.kind !== "found";
    const tried = isHard
      ? [...(domain.base.samples ?? []), ...pool.texts].filter((text) => isAllowed(domain, text))
      : [];
    found.set(id, [...own, ...tried]);
  }
  for (const [id, domain] of state.reals)
    found.set(
      id,
      solveReals(domain, 6).map((value) => new Double(value)),
    );
  for (const [id, alternative] of state.kinds) {
    const known = state.bools.get(id);
    if (alternative.kind === "bool") found.set(id, known === undefined ? [false, true] : [known]);
  }
  for (const key of state.derived.keys()) found.delete(key);
  for (const [id, value] of solvedValues(state)) {
    const others = found.get(id);
    if (others !== undefined && isInDomain(state, id, value)) found.set(id, [value, ...others]);
  }
  return found;
}

/** Values that solve the assumptions about sums. */
function solvedValues(state: State): (readonly [id: string, value: Value])[] {
  return [...solvedPlaces(state)].flatMap(([id, value]) => {
    const text = QUANTITY_OF.exec(id)?.[1];
    const found: Value = text === undefined ? normalInt(value) : quantityText(value);
    return state.kinds.get(id)?.kind === "double" ? [] : [[text ?? id, found] as const];
  });
}

const QUANTITY_OF = /^quantity\((.+)\)$/;

function quantityText(billionths: bigint): string {
  const parsed = parseQuantity(`${billionths}n`);
  return parsed.error === undefined ? formatQuantity(parsed.value) : "0";
}

/** Tries the candidates of all places that a fact is about, one fact after the other. */
function repair(
  values: Map<string, Value>,
  facts: readonly OpaqueFact[],
  candidates: ReadonlyMap<string, readonly Value[]>,
  isSuggestible: (id: string, value: Value) => boolean,
): void {
  const variables = [...new Set(facts.flatMap((fact) => fact.variables))].filter(
    (id) => (candidates.get(id)?.length ?? 0) > 0,
  );
  let steps = 0;
  const isRight = (upTo: number): boolean => {
    const chosen = new Set(variables.slice(0, upTo));
    const later = new Set(variables.slice(upTo));
    return facts.every((fact) => {
      const isOpen = fact.variables.some((id) => later.has(id)) || !fact.variables.some((id) => chosen.has(id));
      return isOpen || fact.agrees(values) !== false;
    });
  };
  const assign = (at: number): boolean => {
    const id = variables[at];
    if (id === undefined) return true;
    const suggested = facts
      .flatMap(({ suggest }) => suggest?.(id, values) ?? [])
      .filter((value) => isSuggestible(id, value));
    for (const value of [...suggested, ...(candidates.get(id) ?? [])]) {
      if (steps++ > MAX_STEPS) return false;
      tick();
      values.set(id, value);
      if (isRight(at + 1) && assign(at + 1)) return true;
    }
    return false;
  };
  assign(0);
}

/** Consequences of the assumptions of an execution path, which may contradict them. */
import { Double, normalInt, type Value } from "@portcullis/cel/internal";
import { isPossible } from "../relations/sums.ts";
import { checkUnique } from "../relations/unique.ts";
import { hullOf } from "../theory/int-theory.ts";
import { INFEASIBLE } from "../theory/path-search.ts";
import { matchesPattern, type TextTest } from "../theory/text-theory.ts";
import { factsOf } from "./example.ts";
import { addElement } from "./quantify.ts";
import { type State, sizeKey } from "./state.ts";

export function complete(state: State): void {
  fillLists(state);
  checkUnique(state);
  for (const key of state.derived.keys()) boundText(state, key);
  checkPinned(state);
  if (!isPossible(state)) throw INFEASIBLE;
}

/** Terms over places whose values are known have a known value too. */
function checkPinned(state: State): void {
  const pinned = new Map<string, Value>();
  for (const [id, { tests }] of state.texts) {
    const equal = tests.find(({ test, wanted }) => wanted && test.equals !== undefined)?.test.equals;
    if (equal !== undefined && !state.derived.has(id)) pinned.set(id, equal);
  }
  for (const [id, domain] of state.ints) {
    const hull = state.derived.has(id) ? undefined : hullOf(domain);
    if (hull === undefined || hull.min !== hull.max) continue;
    pinned.set(id, state.kinds.get(id)?.kind === "double" ? new Double(Number(hull.min)) : normalInt(hull.min));
  }
  for (const { variables, agrees } of factsOf(state)) {
    const isPinned = variables.length > 0 && variables.every((id) => pinned.has(id));
    if (isPinned && agrees(pinned) === false) throw INFEASIBLE;
  }
}

/** A list that is never empty has an element. */
function fillLists(state: State): void {
  for (const { node, alternative, elements, universals } of [...state.lists.values()]) {
    if (elements.length > 0 || universals.length === 0 || leastSize(state, sizeKey(node)) === 0n) continue;
    addElement(state, { k: "listnode", node, alternative });
    // What holds for all elements may not hold for two of them, if they differ in a key.
    if (alternative.uniqueBy !== undefined && leastSize(state, sizeKey(node)) > 1n)
      addElement(state, { k: "listnode", node, alternative });
  }
}

function leastSize(state: State, key: string): bigint {
  const domain = state.ints.get(key);
  if (domain === undefined) return 0n;
  return hullOf(domain)?.min ?? domain.min;
}

const INT_OF = /^int\((.+)\)$/;

/** A string that `int` converts to a number within bounds is one of the strings of those numbers. */
function boundText(state: State, key: string): void {
  const [, text] = INT_OF.exec(key) ?? [];
  const domain = state.ints.get(key);
  if (text === undefined || domain === undefined || !state.texts.has(text)) return;
  const hull = hullOf(domain);
  if (hull === undefined) return;
  requirePattern(state, text, atMost(hull.max), true);
  requirePattern(state, text, atMost(hull.min - 1n), false);
}

function requirePattern(state: State, variable: string, pattern: string | undefined, wanted: boolean): void {
  if (pattern === undefined) return;
  const test: TextTest = { key: `int ${pattern}`, pattern, holds: (text) => matchesPattern(pattern, text) };
  if (state.decideText(variable, test) !== wanted) throw INFEASIBLE;
}

const MOST_NUMBERS = 300n;

/** A pattern for the strings of numbers up to a small one. */
function atMost(limit: bigint): string | undefined {
  if (limit < 0n || limit > MOST_NUMBERS) return limit === -1n ? "\\A-0*[1-9][0-9]*\\z" : undefined;
  const numbers = Array.from({ length: Number(limit) + 1 }, (_, number) => String(number)).reverse();
  return `\\A(?:\\+?0*(?:${numbers.join("|")})|-[0-9]+)\\z`;
}

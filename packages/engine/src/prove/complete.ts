/** What must be there besides what was asked for: a list that is never empty has an element. */
import { addElement } from "./quantify.ts";
import { type State, sizeKey } from "./state.ts";

/** Contradictions between that and what holds of all elements come to light here. */
export function complete(state: State): void {
  for (const { node, alternative, elements, universals } of [...state.lists.values()]) {
    if (elements.length > 0 || universals.length === 0 || leastSize(state, sizeKey(node)) === 0n) continue;
    addElement(state, { k: "listnode", node, alternative });
  }
}

function leastSize(state: State, key: string): bigint {
  const domain = state.ints.get(key);
  if (domain === undefined) return 0n;
  return domain.min > 0n || !domain.tests.every(({ holds }) => holds(0n)) ? 1n : 0n;
}

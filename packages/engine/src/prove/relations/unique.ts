/** Lists whose elements differ in a key. */

import { type ListState, pathStep, type State } from "../evaluate/state.ts";
import type { Node, Scalar } from "../evaluate/symbolic.ts";
import { INFEASIBLE } from "../theory/path-search.ts";

/** Whether two strings are the keys of different elements of one list. */
export function areUnequalKeys(state: State, left: Scalar, right: Scalar): boolean {
  const [one, other] = [elementOf(state, left), elementOf(state, right)];
  if (one === undefined || other === undefined || one.id === other.id || one.list !== other.list) return false;
  return one.uniqueBy === other.uniqueBy;
}

interface KeyOf {
  /** The element, and its list. */
  readonly id: string;
  readonly list: string;
  readonly uniqueBy: string;
}

function elementOf(state: State, { term, kind }: Scalar): KeyOf | undefined {
  const node = kind === "string" ? state.nodes.get(term.key) : undefined;
  if (node === undefined) return undefined;
  return keyOfElement(state, node, "") ?? (node.parent && keyOfElement(state, node.parent, node.key));
}

function keyOfElement(state: State, { id, parent }: Node, key: string | undefined): KeyOf | undefined {
  const list = parent && state.lists.get(parent.id);
  if (list === undefined || key === undefined || list.alternative.uniqueBy !== key) return undefined;
  if (!list.elements.some((element) => element.id === id)) return undefined;
  reliesOnKeys(state, list);
  return { id, list: list.node.id, uniqueBy: key };
}

/** Contradicts two elements with the same constant key. */
export function checkUnique(state: State): void {
  for (const list of state.lists.values()) {
    const { uniqueBy } = list.alternative;
    if (uniqueBy === undefined || list.elements.length < 2) continue;
    const keys = list.elements.flatMap(({ id }) =>
      constantAt(state, uniqueBy === "" ? id : `${id}.${pathStep(uniqueBy)}`),
    );
    if (new Set(keys).size === keys.length) continue;
    reliesOnKeys(state, list);
    throw INFEASIBLE;
  }
}

function constantAt(state: State, id: string): string[] {
  const equal = state.texts.get(id)?.tests.find(({ test, wanted }) => wanted && test.equals !== undefined);
  return equal?.test.equals === undefined ? [] : [equal.test.equals];
}

function reliesOnKeys(state: State, { node }: ListState): void {
  state.relies.add(node.sort.relies.includes("schema") ? "schema" : "native-validation");
}

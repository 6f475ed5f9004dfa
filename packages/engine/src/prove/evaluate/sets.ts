/** The functions of sets, and the parts of lists. */
import type { Known } from "./call.ts";
import { outcomeOf, quantify } from "./quantify.ts";
import { isMember, literalItems } from "./relate.ts";
import type { State } from "./state.ts";
import { ERROR, type Sym, truth, type ViewPart } from "./symbolic.ts";

export const SETS: Readonly<Record<string, Known>> = {
  "sets.contains": (state, { args: [whole = ERROR, parts = ERROR] }) => setContains(state, whole, parts),
  "sets.intersects": (state, { args: [left = ERROR, right = ERROR] }) => intersects(state, left, right),
  "sets.equivalent": (state, { args: [left = ERROR, right = ERROR] }) => {
    const [one, other] = [setContains(state, left, right), setContains(state, right, left)];
    if (one === undefined || other === undefined) return undefined;
    if (one.k === "error" || other.k === "error") return ERROR;
    return truth(outcomeOf(state, one) === "T" && outcomeOf(state, other) === "T");
  },
};

export function partsOf(sym: Sym): readonly ViewPart[] | undefined {
  if (sym.k === "items") return sym.items.length === 0 ? [] : [{ source: sym, steps: [] }];
  return sym.k === "view" ? sym.parts : undefined;
}

function setContains(state: State, whole: Sym, parts: Sym): Sym | undefined {
  if (partsOf(whole) === undefined || partsOf(parts) === undefined) return ERROR;
  const items = literalItems(parts);
  if (items !== undefined) {
    const outcomes = items.map((item) => outcomeOf(state, isMember(state, item, whole)));
    return outcomes.includes("E") ? ERROR : truth(outcomes.every((outcome) => outcome === "T"));
  }
  const views = partsOf(parts);
  return views && quantify(state, views, ([item]) => isMember(state, item ?? ERROR, whole), "F");
}

function intersects(state: State, left: Sym, right: Sym): Sym | undefined {
  const views = partsOf(left);
  if (views === undefined || partsOf(right) === undefined) return ERROR;
  return quantify(state, views, ([item]) => isMember(state, item ?? ERROR, right), "T");
}

/** Items of a list that must be the same one, because the API server does not accept two of them. */
import type { Structural } from "../../schema/structural.ts";
import { equalTerms } from "../../symbolic/compare-terms.ts";
import { placeTerm } from "../../symbolic/data-terms.ts";
import { and, FALSE, type Formula } from "../../symbolic/formula.ts";
import type { Place } from "../../symbolic/term.ts";
import { sortOf } from "./reading.ts";

/** What is read of a node here; `side-view.ts` has all of it. */
interface ItemNode {
  readonly old: Structural | undefined;
  readonly new: Structural | undefined;
  readonly isUnsteady: boolean;
}

/** How items and their members are found and read. */
interface ItemView<N extends ItemNode> {
  readonly elementOf: (node: N, element: string) => N | undefined;
  readonly memberOf: (node: N, key: string) => N | undefined;
  readonly place: (node: N) => Place;
}

/** Items of a list map are the same if their keys are, and those of a set if they are equal. */
export function isSameItem<N extends ItemNode>(view: ItemView<N>, node: N, one: string, other: string): Formula {
  const { old } = node;
  const keys = old?.listType === "map" ? old.listMapKeys : old?.listType === "set" ? [undefined] : [];
  const [left, right] = [view.elementOf(node, one), view.elementOf(node, other)];
  if (keys.length === 0 || left === undefined || right === undefined) return FALSE;
  return and(...keys.map((key) => isSameKey(view, left, right, key)));
}

/** Whether the old CRD accepts no two items that are equal for rules. */
export function isDistinctList({ old, new: next }: ItemNode): boolean {
  if (old?.listType !== "set" || old.items === undefined || next?.items === undefined) return false;
  return (
    !old.items.nullable && !next.items.nullable && [old.items, next.items].every((each) => sortOf(each) === "text")
  );
}

/** Only strings that every item has: the API server takes 1 and 1.0 for different numbers, and rules do not. */
function isSameKey<N extends ItemNode>(view: ItemView<N>, left: N, right: N, key: string | undefined): Formula {
  if (key !== undefined && left.old?.required.includes(key) !== true) return FALSE;
  const [mine, theirs] = key === undefined ? [left, right] : [view.memberOf(left, key), view.memberOf(right, key)];
  if (mine?.old === undefined || mine.new === undefined || theirs === undefined || mine.isUnsteady) return FALSE;
  const { old } = mine;
  if (old.nullable || old.default !== undefined || old.format !== "") return FALSE;
  // Rules take different strings of some formats for the same value.
  if (sortOf(old) !== "text" || sortOf(mine.new) !== "text") return FALSE;
  return equalTerms(placeTerm(view.place(mine)), placeTerm(view.place(theirs))) ?? FALSE;
}

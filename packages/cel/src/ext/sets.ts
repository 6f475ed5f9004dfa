/** Lists compared as sets. Follows cel-go ext/sets.go. */
import type { Library } from "../library.ts";
import { typed } from "../stdlib/typed.ts";
import { fn, global, type Overload, withCost } from "../types/decl.ts";
import { BOOL, listOf, typeParam } from "../types/type.ts";
import { listIncludes } from "../values/list.ts";
import type { CelError, ListValue } from "../values/value.ts";
import { crossCompareCost } from "./list-cost.ts";

const LIST = listOf(typeParam("T"));

/**
 * `sets.contains` and others.
 * @example new Environment({ libraries: [setsLibrary] }).compile("sets.contains([1], [1])").ok // true
 */
export const setsLibrary: Library = {
  name: "cel.lib.ext.sets",
  functions: [
    fn(
      "sets.contains",
      [ofLists("list_sets_contains_list", contains, 1)],
      "returns true if the first list contains every element of the second",
      "sets.contains([1, 2], [2])",
    ),
    fn(
      "sets.equivalent",
      [ofLists("list_sets_equivalent_list", equivalent, 2)],
      "returns true if each list contains every element of the other",
      "sets.equivalent([1, 2], [2, 1, 1])",
    ),
    fn(
      "sets.intersects",
      [ofLists("list_sets_intersects_list", intersects, 1)],
      "returns true if the lists have an element in common",
      "sets.intersects([1, 2], [2, 3])",
    ),
  ],
};

type Relation = (left: ListValue, right: ListValue) => boolean | CelError;

function ofLists(id: string, relation: Relation, comparisons: number): Overload {
  return withCost(crossCompareCost(comparisons), global(id, [LIST, LIST], BOOL, typed(relation)));
}

function contains(list: ListValue, part: ListValue): boolean | CelError {
  for (let index = 0; index < part.size; index++) {
    const found = listIncludes(list, part.at(index));
    if (found !== true) return found;
  }
  return true;
}

function equivalent(left: ListValue, right: ListValue): boolean | CelError {
  const covers = contains(left, right);
  return covers === true ? contains(right, left) : covers;
}

function intersects(left: ListValue, right: ListValue): boolean {
  for (let index = 0; index < left.size; index++) {
    if (listIncludes(right, left.at(index)) === true) return true;
  }
  return false;
}

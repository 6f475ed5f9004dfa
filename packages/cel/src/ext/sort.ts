/** `sort` and what `sortBy` expands to: the elements of a list in the order of a list of keys. */
import { countWork } from "@portcullis/gostd/work";
import { compareValues } from "../values/compare.ts";
import { ArrayList } from "../values/list.ts";
import { typeOfValue } from "../values/type-of.ts";
import {
  Bytes,
  type CelError,
  Double,
  Duration,
  type ListValue,
  Timestamp,
  Uint,
  type Value,
} from "../values/value.ts";
import { keyCountDiffers, mixedElements, notComparable } from "./messages.ts";
import { unstableOrder } from "./unstable-sort.ts";

/** For each element: some twenty comparisons. */
const WORK_OF_SORTING = 20;

export function sortByKeys(list: ListValue, keys: ListValue): ListValue | CelError {
  if (list.size !== keys.size) return keyCountDiffers(list.size, keys.size);
  if (list.size === 0) return list;
  countWork(WORK_OF_SORTING * list.size);
  const keyValues = elementsOf(keys);
  if (!hasOrder(keyValues[0] ?? null)) return notComparable();
  // Equal keys that are the elements themselves cannot be distinguished, so any sort is right.
  if (list === keys && keyValues.every(isNumber)) return new ArrayList(keyValues.toSorted((a, b) => a - b));
  const order = orderOfKeys(keyValues);
  return order === undefined ? mixedElements() : new ArrayList(order.map((index) => list.at(index)));
}

/** Undefined if keys of different types were compared. Keys without an order (NaN) stay where the algorithm puts them. */
function orderOfKeys(keys: readonly Value[]): readonly number[] | undefined {
  const type = typeOfValue(keys[0] ?? null);
  let isMixed = false;
  const order = unstableOrder(keys.length, (a, b) => {
    const left = keys[a] ?? null;
    const right = keys[b] ?? null;
    if (typeOfValue(left) !== type || typeOfValue(right) !== type) {
      isMixed = true;
      return false;
    }
    const compared = compareValues(left, right);
    return typeof compared === "number" && compared < 0;
  });
  return isMixed ? undefined : order;
}

function elementsOf(list: ListValue): Value[] {
  const elements: Value[] = [];
  for (let index = 0; index < list.size; index++) elements.push(list.at(index));
  return elements;
}

function isNumber(value: Value): value is number {
  return typeof value === "number";
}

const ORDERED_CLASSES = [Uint, Double, Timestamp, Duration, Bytes];

function hasOrder(value: Value): boolean {
  if (typeof value !== "object") return true;
  return value !== null && ORDERED_CLASSES.some((ordered) => value instanceof ordered);
}

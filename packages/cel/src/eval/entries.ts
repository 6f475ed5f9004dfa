/** What a comprehension iterates: the elements of a list, or the keys of a map. */
import { CelError, ListValue, MapValue, type Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import { goTypeName } from "./go-type.ts";
import { notIterable, unsupportedRange } from "./messages.ts";
import type { Variable } from "./plan.ts";

export interface Entries {
  readonly size: number;
  /** Undefined where a map is iterated. */
  readonly list: ListValue | undefined;
  readonly keys: readonly Value[];
  readonly map: MapValue | undefined;
}

const NO_KEYS: readonly Value[] = [];

export function entriesOf(range: Value, hasTwoVariables: boolean): Entries | CelError {
  if (range instanceof ListValue) return { size: range.size, list: range, keys: NO_KEYS, map: undefined };
  if (range instanceof MapValue) {
    const keys = range.keys();
    return { size: keys.length, list: undefined, keys, map: range };
  }
  if (range instanceof CelError) return range;
  return hasTwoVariables ? unsupportedRange(goTypeName(range)) : notIterable(goTypeName(range));
}

export type Bind = (frame: Frame, entries: Entries, index: number) => void;

/** Puts the entry at an index into the variables of the loop. */
export function binder(first: Variable, second: Variable | undefined): Bind {
  const firstSlot = first.slot;
  if (second === undefined) {
    return (frame, { list, keys }, index) => {
      frame.slots[firstSlot] = list === undefined ? (keys[index] ?? null) : list.at(index);
    };
  }
  const secondSlot = second.slot;
  return (frame, { list, keys, map }, index) => {
    const key = list === undefined ? (keys[index] ?? null) : index;
    frame.slots[firstSlot] = key;
    frame.slots[secondSlot] = list === undefined ? (map?.get(key) ?? null) : list.at(index);
  };
}

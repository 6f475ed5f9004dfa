/** What a comprehension iterates: the elements of a list, or the keys of a map. */

import { goTypeName } from "../values/go-type.ts";
import { CelError, ListValue, MapValue, type Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
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
    const keys = range.iterated();
    return { size: keys.length, list: undefined, keys, map: range };
  }
  if (range instanceof CelError) return range;
  return hasTwoVariables ? unsupportedRange(goTypeName(range)) : notIterable(goTypeName(range));
}

/** The variables of a loop. */
export interface LoopVariables {
  readonly first: number;
  /** -1 where there is only one. */
  readonly second: number;
  /** Slots with what was found in the entry before. */
  readonly found: readonly number[];
}

export function loopVariables(first: Variable, second: Variable | undefined): LoopVariables {
  return {
    first: first.slot,
    second: second === undefined ? -1 : second.slot,
    found: first.found,
  };
}

/** Puts the entry at an index into the variables of the loop. */
export function bindEntry(frame: Frame, variables: LoopVariables, entries: Entries, index: number): void {
  const { first, second, found } = variables;
  const { list, keys, map } = entries;
  if (found.length > 0) for (const slot of found) frame.set(slot, undefined);
  if (second >= 0) {
    const key = list === undefined ? (keys[index] ?? null) : index;
    frame.set(first, key);
    frame.set(second, list === undefined ? (map?.get(key) ?? null) : list.at(index));
  } else {
    frame.set(first, list === undefined ? (keys[index] ?? null) : list.at(index));
  }
}

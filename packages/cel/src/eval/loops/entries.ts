/** What a comprehension iterates: the elements of a list, or the keys of a map. */

import type { Column } from "../../values/column.ts";
import { goTypeName } from "../../values/go-type.ts";
import { DataList, JsonMap } from "../../values/json.ts";
import { CelError, ListValue, MapValue, type Value } from "../../values/value.ts";
import type { Frame } from "../frame.ts";
import { notIterable, unsupportedRange } from "../messages.ts";
import type { Variable } from "../plan.ts";

/** The variables of a loop. */
export interface LoopVariables {
  readonly first: number;
  /** -1 where there is only one. */
  readonly second: number;
  /** Slots that cache parts of the previous entry. */
  readonly found: readonly number[];
}

export function loopVariables(first: Variable, second: Variable | undefined): LoopVariables {
  return {
    first: first.slot,
    second: second === undefined ? -1 : second.slot,
    found: first.found,
  };
}

export class Entries {
  readonly size: number;
  /** The data behind a list: its elements are put into variables without a view of each. The keys of a plain map. */
  readonly data: readonly unknown[] | undefined;
  /** Undefined if a map is iterated. */
  readonly #list: ListValue | undefined;
  readonly #keys: readonly Value[];
  readonly #map: MapValue | undefined;

  constructor(list: ListValue | undefined, map: MapValue | undefined) {
    this.#list = list;
    this.#map = map;
    this.#keys = map === undefined ? NO_KEYS : map.iterated();
    this.data = list instanceof DataList ? list.data : map instanceof JsonMap ? this.#keys : undefined;
    this.size = list === undefined ? this.#keys.length : list.size;
  }

  /** The data of a list, if each element only has to be put into one variable. */
  plainData({ second, found }: LoopVariables): readonly unknown[] | undefined {
    return second < 0 && found.length === 0 ? this.data : undefined;
  }

  /** This field of each element, if it was collected; the elements themselves if there is no name. */
  column(name: string | undefined): Column | undefined {
    if (!(this.#list instanceof DataList)) return undefined;
    return name === undefined ? this.#list.elements : this.#list.column(name);
  }

  /** Puts the entry at an index into the variables of the loop. */
  bind(frame: Frame, { first, second, found }: LoopVariables, index: number): void {
    if (found.length > 0) for (const slot of found) frame.set(slot, undefined, undefined);
    if (second < 0) this.#bindOne(frame, first, index);
    else this.#bindTwo(frame, first, second, index);
  }

  #bindOne(frame: Frame, slot: number, index: number): void {
    if (this.data !== undefined) frame.put(slot, this.data[index]);
    else if (this.#list !== undefined) frame.set(slot, this.#list.at(index), undefined);
    else frame.set(slot, this.#keys[index] ?? null, undefined);
  }

  #bindTwo(frame: Frame, first: number, second: number, index: number): void {
    if (this.#map === undefined) {
      frame.set(first, index, undefined);
      this.#bindOne(frame, second, index);
    } else {
      const key = this.#keys[index] ?? null;
      frame.set(first, key, undefined);
      frame.set(second, this.#map.get(key) ?? null, undefined);
    }
  }
}

const NO_KEYS: readonly Value[] = [];

export function entriesOf(range: Value, hasTwoVariables: boolean): Entries | CelError {
  if (range instanceof ListValue) return new Entries(range, undefined);
  if (range instanceof MapValue) return new Entries(undefined, range);
  if (range instanceof CelError) return range;
  return hasTwoVariables ? unsupportedRange(goTypeName(range)) : notIterable(goTypeName(range));
}

/** Lists that are views of another list or of a range, without a copy. */
import { ListValue, type Value } from "../values/value.ts";

/** 0 to size-1. A view, because a range can be far larger than what the cost limit allows to read. */
export class RangeList extends ListValue {
  readonly size: number;
  constructor(size: number) {
    super();
    this.size = size;
  }
  at(index: number): Value {
    return index;
  }
}

export class ReversedList extends ListValue {
  readonly #list: ListValue;
  constructor(list: ListValue) {
    super();
    this.#list = list;
  }
  get size(): number {
    return this.#list.size;
  }
  at(index: number): Value {
    return this.#list.at(this.size - 1 - index);
  }
}

export class SlicedList extends ListValue {
  readonly size: number;
  readonly #list: ListValue;
  readonly #start: number;
  constructor(list: ListValue, start: number, end: number) {
    super();
    this.#list = list;
    this.#start = start;
    this.size = end - start;
  }
  at(index: number): Value {
    return this.#list.at(this.#start + index);
  }
}

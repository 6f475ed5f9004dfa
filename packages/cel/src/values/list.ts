/**
 * Lists made by expressions: literals, results of functions, and concatenations, which are views so that
 * `a + b` costs nothing until it is read.
 */
import { countWork } from "@portcullis/gostd/work";
import { equalValues, isEqualTo } from "./equal.ts";
import { exactInt } from "./int.ts";
import { indexOutOfRange, unsupportedIndexType, unsupportedIndexValue } from "./messages.ts";
import { displayText } from "./text.ts";
import { typeTextOf } from "./type-of.ts";
import { uintToInt } from "./uint.ts";
import { CelError, Double, ListValue, Uint, type Value } from "./value.ts";

/** A list over an array that does not change any more. */
export class ArrayList extends ListValue {
  static readonly empty = new ArrayList([]);
  readonly elements: readonly Value[];
  constructor(elements: readonly Value[]) {
    super();
    this.elements = elements;
  }
  get size(): number {
    return this.elements.length;
  }
  at(index: number): Value {
    return this.elements[index] ?? null;
  }
}

/** A list of strings with the Go type `[]string`. Only a few messages distinguish it from other lists. */
export class TextList extends ArrayList {}

/** The accumulator of a comprehension: `+` appends to it in place. Never visible to an expression otherwise. */
export class MutableList extends ListValue {
  readonly elements: Value[] = [];
  get size(): number {
    return this.elements.length;
  }
  at(index: number): Value {
    return this.elements[index] ?? null;
  }
  override concat(other: ListValue): ListValue {
    const size = other.size;
    for (let index = 0; index < size; index++) this.elements.push(other.at(index));
    return this;
  }
  toList(): ArrayList {
    return new ArrayList(this.elements);
  }
}

/** Two lists read as one. Unlike other lists it reports an error found while it is compared. */
export class ConcatList extends ListValue {
  readonly size: number;
  readonly left: ListValue;
  readonly right: ListValue;
  constructor(left: ListValue, right: ListValue) {
    super();
    this.left = left;
    this.right = right;
    this.size = left.size + right.size;
  }
  at(index: number): Value {
    // A loop, because long chains of `+` are nested to the left.
    let list: ListValue = this;
    let offset = index;
    while (list instanceof ConcatList) {
      const split: number = list.left.size;
      if (offset < split) {
        list = list.left;
      } else {
        offset -= split;
        list = list.right;
      }
    }
    return list.at(offset);
  }
  override get goTypeName(): string {
    return "*types.concatList";
  }
  override equalTo(other: ListValue): boolean | CelError {
    if (this.size !== other.size) return false;
    let failure: CelError | undefined;
    for (let index = 0; index < this.size; index++) {
      const equal = equalValues(this.at(index), other.at(index));
      if (equal === false) return false;
      if (equal !== true) failure ??= equal;
    }
    return failure ?? true;
  }
  override includes(value: Value): boolean | CelError {
    const inLeft = listIncludes(this.left, value);
    if (inLeft === true) return true;
    const inRight = listIncludes(this.right, value);
    if (inRight === true) return true;
    return inLeft instanceof CelError ? inLeft : inRight;
  }
}

/**
 * Lists that double a few dozen times cost nothing and hold more than a process can. No request and no object has as
 * many elements.
 */
export const MAX_SIZE = 1 << 22;

export function concatLists(left: ListValue, right: ListValue): ListValue | CelError {
  const own = left.concat(right);
  if (own !== undefined) return own;
  if (left.size === 0) return right;
  if (right.size === 0) return left;
  if (left.size + right.size > MAX_SIZE) throw new RangeError("Invalid array length");
  return new ConcatList(left, right);
}

/** `value in list`. Errors count as unequal. */
export function listIncludes(list: ListValue, value: Value): boolean | CelError {
  const own = list.includes(value);
  if (own !== undefined) return own;
  const size = list.size;
  countWork(size);
  for (let index = 0; index < size; index++) {
    if (isEqualTo(value, list.at(index)) === true) return true;
  }
  return false;
}

/** `list[index]`. Doubles and uints may index if they are whole. */
export function listElement(list: ListValue, index: Value): Value {
  const position = typeof index === "number" ? index : listIndex(index);
  if (position instanceof CelError) return position;
  if (typeof position === "number" && position >= 0 && position < list.size) return list.at(position);
  return outOfRange(list, position);
}

/** The index for a value of any type, or cel-go's error for it. */
export function listIndex(index: Value): number | bigint | CelError {
  if (typeof index === "number" || typeof index === "bigint") return index;
  if (index instanceof CelError) return index;
  if (index instanceof Double) return exactInt(index.value) ?? unsupportedIndexValue(displayText(index));
  if (!(index instanceof Uint)) return unsupportedIndexType(typeTextOf(index));
  const int = uintToInt(index);
  return int instanceof CelError ? unsupportedIndexValue(displayText(index)) : int;
}

// A concatenation reports the position within its part.
function outOfRange(list: ListValue, position: number | bigint): CelError {
  if (!(list instanceof ConcatList)) return indexOutOfRange(position, list.size);
  if (position < list.left.size) return outOfRange(list.left, position);
  const offset = typeof position === "number" ? position - list.left.size : position - BigInt(list.left.size);
  return outOfRange(list.right, offset);
}

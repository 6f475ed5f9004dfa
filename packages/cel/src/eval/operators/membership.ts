/**
 * `x in [constants]` as a lookup in a set, which costs nothing.
 *
 * Numbers are found across types by converting the elements in advance. An int may be rounded when it is converted
 * to a double, so beyond 2^53 the set finds doubles that `==` would not, as upstream does.
 */
import { exactInt } from "../../values/int.ts";
import { Panic } from "../../values/panic.ts";
import { exactUint, intToUint, uintToInt } from "../../values/uint.ts";
import { Bytes, CelError, Double, ListValue, Uint, type Value } from "../../values/value.ts";
import type { Run } from "../frame.ts";
import { unhashable } from "../messages.ts";
import { constantPlan, type Plan, type Planning, readOf } from "../plan.ts";

export function planMembership(planning: Planning, value: Plan, list: Value): Plan | undefined {
  if (!(list instanceof ListValue)) return undefined;
  // The value is not read, even if it is an error.
  if (list.size === 0) return constantPlan(false);
  const set = ConstantSet.of(list);
  if (set === undefined) return undefined;
  const { slot, name, otherwise } = readOf(value);
  const { plain } = set;
  // Comparing with a few takes less time than computing a hash.
  const few = plain.size <= 3 ? [...plain] : undefined;
  const run: Run = (frame) => {
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const candidate = found === undefined ? otherwise(frame) : found;
    if (typeof candidate === "string" && few !== undefined) {
      for (let index = 0; index < few.length; index++) if (few[index] === candidate) return true;
      return false;
    }
    if (typeof candidate === "string" || typeof candidate === "number") return plain.has(candidate);
    return candidate instanceof CelError ? candidate : set.has(candidate);
  };
  return planning.node(run, 0, [value]);
}

class ConstantSet {
  /** Strings, bools and ints are their own keys. */
  readonly plain = new Set<Value>();
  readonly #doubles = new Set<number>();
  readonly #uints = new Set<number | bigint>();

  /** Undefined if an element has a type without a set. */
  static of(list: ListValue): ConstantSet | undefined {
    const set = new ConstantSet();
    for (let index = 0; index < list.size; index++) {
      if (!set.#add(list.at(index))) return undefined;
    }
    return set;
  }

  has(value: Value): boolean {
    if (value instanceof Double) return !Number.isNaN(value.value) && this.#doubles.has(value.value);
    if (value instanceof Uint) return this.#uints.has(value.value);
    if (value instanceof Bytes) throw new Panic(unhashable("types.Bytes"));
    return this.plain.has(value);
  }

  #add(element: Value): boolean {
    if (typeof element === "string" || typeof element === "boolean") this.plain.add(element);
    else if (typeof element === "number" || typeof element === "bigint") this.#addInt(element);
    else if (element instanceof Uint) this.#addUint(element);
    else if (element instanceof Double) this.#addDouble(element.value);
    else return false;
    return true;
  }

  #addInt(value: number | bigint): void {
    this.plain.add(value);
    this.#doubles.add(Number(value));
    const uint = intToUint(value);
    if (uint instanceof Uint) this.#uints.add(uint.value);
  }

  #addUint(value: Uint): void {
    this.#uints.add(value.value);
    this.#doubles.add(Number(value.value));
    const int = uintToInt(value);
    if (!(int instanceof CelError)) this.plain.add(int);
  }

  #addDouble(value: number): void {
    this.#doubles.add(value);
    const int = exactInt(value);
    if (int !== undefined) this.plain.add(int);
    const uint = exactUint(value);
    if (uint !== undefined) this.#uints.add(uint.value);
  }
}

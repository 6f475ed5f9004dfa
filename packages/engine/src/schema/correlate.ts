/**
 * Which old value stands behind a new one, and whether the two are equal: the basis of ratcheting.
 *
 * Follows apiserver pkg/cel/common/equality.go, with its consequences: items of a list are matched only when the list is
 * of type map; a list of type map is equal to itself in another order; an object with a member that has no schema is
 * never equal to anything, so errors of a resource's root and of objects with preserved unknown fields stay.
 */
import { deepEqual } from "../value/equal.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { MapList } from "./map-list.ts";
import { memberSchema, type Structural } from "./structural.ts";

/** Adds up the time spent correlating and comparing, for the ratcheting histogram. */
export class CompareTimer {
  seconds = 0;
  readonly #now: () => number;
  #isRunning = false;

  /** `now` returns the time in seconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs and measures. A call inside a measured call is part of it already. */
  measure<T>(work: () => T): T {
    if (this.#isRunning) return work();
    this.#isRunning = true;
    const start = this.#now();
    const result = work();
    this.seconds += this.#now() - start;
    this.#isRunning = false;
    return result;
  }
}

export class Correlation {
  readonly value: JsonValue;
  readonly oldValue: JsonValue;
  readonly schema: Structural;
  readonly #timer: CompareTimer | undefined;
  #isEqual: boolean | undefined;
  #oldItems: MapList | undefined;
  #children: Map<string | number, Correlation | undefined> | undefined;

  constructor(value: JsonValue, oldValue: JsonValue, schema: Structural, timer?: CompareTimer) {
    this.value = value;
    this.oldValue = oldValue;
    this.schema = schema;
    this.#timer = timer;
  }

  /** The correlation of a member, or undefined where either side lacks it or no schema describes it. */
  key(name: string): Correlation | undefined {
    return this.#child(name, () => {
      if (!isObject(this.value) || !isObject(this.oldValue)) return undefined;
      if (!hasKey(this.value, name) || !hasKey(this.oldValue, name)) return undefined;
      const schema = memberSchema(this.schema, name);
      if (schema === undefined) return undefined;
      return new Correlation(this.value[name] as JsonValue, this.oldValue[name] as JsonValue, schema, this.#timer);
    });
  }

  /** The correlation of an item: only lists of type map have them, by their keys. */
  index(index: number): Correlation | undefined {
    return this.#child(index, () => {
      if (!isArray(this.value) || index >= this.value.length) return undefined;
      const item = this.value[index] as JsonValue;
      const old = this.#itemsByKey()?.get(item);
      if (old === undefined || this.schema.items === undefined) return undefined;
      return new Correlation(item, old, this.schema.items, this.#timer);
    });
  }

  /** Whether the old value is a map that has this key; its value does not matter. */
  hasOldKey(name: string): boolean {
    return isObject(this.oldValue) && hasKey(this.oldValue, name);
  }

  /** Whether the update leaves this value as it was. Computed once. */
  isUnchanged(): boolean {
    this.#isEqual ??= this.#timed(() => this.#compare());
    return this.#isEqual;
  }

  #compare(): boolean {
    const { value, oldValue } = this;
    if (value === null || oldValue === null) return value === oldValue;
    if (isArray(value)) return isArray(oldValue) && this.#compareLists(value, oldValue);
    if (isObject(value)) return isObject(oldValue) && this.#compareObjects(value, oldValue);
    return deepEqual(value, oldValue);
  }

  #compareLists(items: JsonValue[], oldItems: JsonValue[]): boolean {
    if (items.length !== oldItems.length) return false;
    for (let index = 0; index < items.length; index++) {
      const child = this.index(index);
      if (child === undefined) return this.#oldItems === undefined && deepEqual(items, oldItems);
      if (!child.isUnchanged()) return false;
    }
    return true;
  }

  #compareObjects(object: JsonObject, old: JsonObject): boolean {
    const names = Object.keys(object);
    if (names.length !== Object.keys(old).length) return false;
    return names.every((name) => this.key(name)?.isUnchanged() === true);
  }

  #itemsByKey(): MapList | undefined {
    if (this.schema.listType !== "map" || !isArray(this.oldValue)) return undefined;
    this.#oldItems ??= new MapList(this.schema, this.oldValue);
    return this.#oldItems;
  }

  #child(key: string | number, find: () => Correlation | undefined): Correlation | undefined {
    this.#children ??= new Map();
    if (this.#children.has(key)) return this.#children.get(key);
    const child = this.#timed(find);
    this.#children.set(key, child);
    return child;
  }

  #timed<T>(work: () => T): T {
    return this.#timer === undefined ? work() : this.#timer.measure(work);
  }
}

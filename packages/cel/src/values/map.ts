/**
 * Maps made by expressions.
 *
 * A numeric key finds the entry of any integer type with the same value: `1`, `1u` and `1.0` all find the
 * key `1`. A key that is itself a double is found by doubles only, as upstream.
 */
import { exactInt, type Int } from "./int.ts";
import { keyExists, noSuchKey } from "./messages.ts";
import { displayText } from "./text.ts";
import { runtimeTypeName } from "./type-of.ts";
import { exactUint } from "./uint.ts";
import { CelError, Double, Duration, MapValue, Timestamp, TypeValue, Uint, type Value } from "./value.ts";

/** The entries of a literal, or of a map some function made. */
export class EntryMap extends MapValue {
  /** Keys that are their own identity. */
  readonly #plain = new Map<string | number | bigint | boolean | null, Value>();
  /** All other keys, by a string of type and value. */
  readonly #boxed = new Map<string | object, Value>();
  readonly #keys: Value[] = [];

  static of(entries: Iterable<readonly [Value, Value]>): EntryMap {
    const map = new EntryMap();
    for (const [key, value] of entries) map.set(key, value);
    return map;
  }

  get size(): number {
    return this.#keys.length;
  }

  keys(): readonly Value[] {
    return this.#keys;
  }

  get(key: Value): Value | undefined {
    if (typeof key === "string" || typeof key === "boolean" || key === null) return this.#plain.get(key);
    if (typeof key === "number" || typeof key === "bigint") return this.#findInt(key) ?? this.#findUint(key);
    if (key instanceof Uint) return this.#findUint(key.value) ?? this.#findInt(key.value);
    // NaN does not equal itself.
    if (key instanceof Double) return Number.isNaN(key.value) ? undefined : this.#findDouble(key);
    return this.#boxed.get(boxedKey(key));
  }

  /** While the map is being built: true if the key is new. Keys of different types are different here. */
  set(key: Value, value: Value): boolean {
    const plain = isPlain(key);
    const isNew = plain ? !this.#plain.has(key) : !this.#boxed.has(boxedKey(key));
    if (isNew) this.#keys.push(key);
    if (plain) this.#plain.set(key, value);
    else this.#boxed.set(boxedKey(key), value);
    return isNew;
  }

  #findInt(key: Int): Value | undefined {
    return this.#plain.get(key);
  }

  #findUint(key: Int): Value | undefined {
    return this.#boxed.size === 0 ? undefined : this.#boxed.get(uintKey(key));
  }

  #findDouble(key: Double): Value | undefined {
    const own = this.#boxed.get(boxedKey(key));
    if (own !== undefined) return own;
    const int = exactInt(key.value);
    const asInt = int === undefined ? undefined : this.#findInt(int);
    if (asInt !== undefined) return asInt;
    const uint = exactUint(key.value);
    return uint === undefined ? undefined : this.#findUint(uint.value);
  }
}

/** The accumulator of a map comprehension: entries are added in place. Never visible to an expression otherwise. */
export class MutableMap extends EntryMap {}

/** `cel.@mapInsert`: a map with one more entry. */
export function insertEntry(map: MapValue, key: Value, value: Value): MapValue | CelError {
  if (map.get(key) !== undefined) return keyExists(displayText(key));
  const target = map instanceof MutableMap ? map : copyEntries(map);
  target.set(key, value);
  return target;
}

function copyEntries(map: MapValue): EntryMap {
  const copy = new EntryMap();
  for (const key of map.keys()) {
    const value = map.get(key);
    if (value !== undefined) copy.set(key, value);
  }
  return copy;
}

/** `map[key]`. */
export function mapEntry(map: MapValue, key: Value): Value {
  if (key instanceof CelError) return key;
  const value = map.get(key);
  return value === undefined ? noSuchKey(displayText(key)) : value;
}

function isPlain(key: Value): key is string | number | bigint | boolean | null {
  return typeof key !== "object" || key === null;
}

function uintKey(value: Int): string {
  return `uint ${value}`;
}

// Keys that upstream compares by address are their own identity here.
function boxedKey(key: Exclude<Value, string | number | bigint | boolean | null>): string | object {
  if (key instanceof Uint) return uintKey(key.value);
  if (key instanceof Double) return Number.isNaN(key.value) ? key : `double ${key.value + 0}`;
  if (key instanceof Timestamp) return `timestamp ${key.seconds} ${key.nanos} ${key.offset}`;
  if (key instanceof Duration) return `duration ${key.nanos}`;
  return key instanceof TypeValue ? `type ${runtimeTypeName(key.type)}` : key;
}

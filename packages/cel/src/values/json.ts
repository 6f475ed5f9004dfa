/**
 * Plain data as values: nested objects and arrays become views that convert their parts on demand, so a large
 * document costs nothing until an expression reads it.
 *
 * A whole number is an int, any other a double. An integral number beyond the safe range is a double too,
 * because its exact digits are lost; data that must keep them uses bigint.
 */
import { Column } from "./column.ts";
import { MAX_INT64, MIN_INT64, normalInt } from "./int.ts";
import { EntryMap } from "./map.ts";
import { unsupportedData } from "./messages.ts";
import { Bytes, Double, ListValue, MapValue, type Value, ValueObject } from "./value.ts";

/**
 * Converts objects that the embedder knows (number boxes, dates); undefined applies the usual rules. Not called for
 * objects without a prototype: those are always maps.
 */
export type Adapter = (data: object) => Value | undefined;

/** An object without a prototype: all its keys are its own. */
export type Bare = Readonly<Record<string, unknown>>;

export function isBare(data: unknown): data is Bare {
  return typeof data === "object" && data !== null && !(data instanceof Object);
}

/**
 * Plain data as a value, without a copy.
 * @example program.evaluate({ n: fromJson(2) }).value // true
 */
export function fromJson(data: unknown, adapt?: Adapter): Value {
  if (typeof data === "string" || typeof data === "boolean") return data;
  if (typeof data === "number") return fromNumber(data);
  if (typeof data === "object") {
    if (data === null) return null;
    if (isBare(data)) return new JsonMap(data, adapt, true);
    return adapt?.(data) ?? fromObject(data, adapt);
  }
  if (typeof data === "bigint") return fromBigInt(data);
  return data === undefined ? null : unsupportedData(typeof data, String(data));
}

function fromBigInt(data: bigint): Value {
  return data > MAX_INT64 || data < MIN_INT64 ? new Double(Number(data)) : normalInt(data);
}

function fromNumber(data: number): Value {
  const small = data | 0;
  if (small === data) return small;
  return Number.isSafeInteger(data) ? data : new Double(data);
}

/** A view of an object whatever its prototype: only own keys count, and `__proto__` is a key like any other. */
export class JsonMap extends MapValue {
  readonly data: Readonly<Record<string, unknown>>;
  readonly adapt: Adapter | undefined;
  /** Inherits nothing, so all its keys are its own. */
  readonly isBare: boolean;
  constructor(data: Readonly<Record<string, unknown>>, adapt?: Adapter, isBare = !(data instanceof Object)) {
    super();
    this.data = data;
    this.adapt = adapt;
    this.isBare = isBare;
  }
  get size(): number {
    return this.keys().length;
  }
  keys(): readonly string[] {
    return Object.keys(this.data);
  }
  get(key: Value): Value | undefined {
    return typeof key === "string" ? this.field(key) : undefined;
  }
  override field(name: string): Value | undefined {
    const value = this.data[name];
    if (value === undefined || !(this.isBare || Object.hasOwn(this.data, name))) return undefined;
    return typeof value === "string" ? value : fromJson(value, this.adapt);
  }
  override hasField(name: string): boolean {
    return this.data[name] !== undefined && (this.isBare || Object.hasOwn(this.data, name));
  }
}

/** A list over data of which each element is converted when it is read. */
export class DataList extends ListValue {
  readonly data: readonly unknown[];
  readonly #adapt: Adapter | undefined;
  /** Elements converted so far, kept from the second read on: nested loops read them many times. */
  #values: Value[] | undefined;
  #isRead = false;
  #columnName: string | undefined;
  #column: Column | undefined;
  #elements: Column | undefined;
  constructor(data: readonly unknown[], adapt?: Adapter) {
    super();
    this.data = data;
    this.#adapt = adapt;
  }
  get size(): number {
    return this.data.length;
  }
  at(index: number): Value {
    const values = this.#values;
    if (values !== undefined && index < values.length) return values[index] ?? null;
    const value = fromJson(this.data[index], this.#adapt);
    if (values === undefined) {
      if (index === 0 && this.#isRead) this.#values = [value];
      this.#isRead = true;
    } else if (index === values.length) values.push(value);
    return value;
  }
  /** This field of each element; collected when it is asked for again, as nested loops do. */
  column(name: string): Column | undefined {
    if (name === this.#columnName) this.#column ??= new Column(this.data.map((element) => fieldOf(element, name)));
    else this.#column = undefined;
    this.#columnName = name;
    return this.#column;
  }
  /** The elements themselves. */
  get elements(): Column {
    this.#elements ??= new Column(this.data);
    return this.#elements;
  }
}

/** A field of a plain object. */
export function fieldOf(element: unknown, name: string): unknown {
  return isBare(element) ? element[name] : undefined;
}

/** An array of plain data. */
export class JsonList extends DataList {}

function fromObject(data: object, adapt: Adapter | undefined): Value {
  if (Array.isArray(data)) return new JsonList(data, adapt);
  if (isValue(data)) return data;
  if (data instanceof Uint8Array) return new Bytes(data);
  if (data instanceof Map) return fromMap(data, adapt);
  return isRecord(data) ? new JsonMap(data, adapt, false) : null;
}

function fromMap(data: ReadonlyMap<unknown, unknown>, adapt: Adapter | undefined): Value {
  const map = new EntryMap();
  for (const [key, value] of data) map.set(fromJson(key, adapt), fromJson(value, adapt));
  return map;
}

type ObjectValue = Exclude<Value, null | string | number | bigint | boolean>;

function isValue(data: object): data is ObjectValue {
  return data instanceof ValueObject;
}

// Any object can be read as a record of its own keys.
function isRecord(data: object): data is Readonly<Record<string, unknown>> {
  return typeof data === "object";
}

/**
 * Plain data as values: nested objects and arrays become views that convert what is asked for, when it is
 * asked for, so a large document costs nothing until an expression reads it.
 *
 * A whole number is an int, any other a double. An integral number beyond the safe range is a double too,
 * because the digits it stood for are gone; data that must keep them uses bigint.
 */
import { MAX_INT64, MIN_INT64, normalInt } from "./int.ts";
import { EntryMap } from "./map.ts";
import { unsupportedData } from "./messages.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

/** Converts objects the embedder knows (number boxes, dates); undefined leaves them to the usual rules. */
export type Adapter = (data: object) => Value | undefined;

export function fromJson(data: unknown, adapt?: Adapter): Value {
  switch (typeof data) {
    case "string":
    case "boolean":
      return data;
    case "number":
      return Number.isSafeInteger(data) ? data + 0 : new Double(data);
    case "bigint":
      return data > MAX_INT64 || data < MIN_INT64 ? new Double(Number(data)) : normalInt(data);
    case "object":
      return data === null ? null : (adapt?.(data) ?? fromObject(data, adapt));
    case "undefined":
      return null;
    default:
      return unsupportedData(typeof data, String(data));
  }
}

/** A view of an object whatever its prototype: only own keys count, and `__proto__` is a key like any other. */
export class JsonMap extends MapValue {
  readonly data: Readonly<Record<string, unknown>>;
  readonly #adapt: Adapter | undefined;
  #keys: readonly string[] | undefined;
  constructor(data: Readonly<Record<string, unknown>>, adapt?: Adapter) {
    super();
    this.data = data;
    this.#adapt = adapt;
  }
  get size(): number {
    return this.keys().length;
  }
  keys(): readonly string[] {
    this.#keys ??= Object.keys(this.data);
    return this.#keys;
  }
  get(key: Value): Value | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.data, key)) return undefined;
    return fromJson(this.data[key], this.#adapt);
  }
  override hasField(name: string): boolean {
    return Object.hasOwn(this.data, name);
  }
}

export class JsonList extends ListValue {
  readonly data: readonly unknown[];
  readonly #adapt: Adapter | undefined;
  constructor(data: readonly unknown[], adapt?: Adapter) {
    super();
    this.data = data;
    this.#adapt = adapt;
  }
  get size(): number {
    return this.data.length;
  }
  at(index: number): Value {
    return fromJson(this.data[index], this.#adapt);
  }
}

function fromObject(data: object, adapt: Adapter | undefined): Value {
  if (Array.isArray(data)) return new JsonList(data, adapt);
  if (isValueObject(data)) return data;
  if (data instanceof Uint8Array) return new Bytes(data);
  if (data instanceof Map) return fromMap(data, adapt);
  return isRecord(data) ? new JsonMap(data, adapt) : null;
}

function fromMap(data: ReadonlyMap<unknown, unknown>, adapt: Adapter | undefined): Value {
  const map = new EntryMap();
  for (const [key, value] of data) map.set(fromJson(key, adapt), fromJson(value, adapt));
  return map;
}

type ValueObject = Exclude<Value, null | string | number | bigint | boolean>;

const VALUE_CLASSES = [
  ListValue,
  MapValue,
  Double,
  Uint,
  Bytes,
  Timestamp,
  Duration,
  TypeValue,
  OptionalValue,
  OpaqueValue,
  CelError,
];

function isValueObject(data: object): data is ValueObject {
  return VALUE_CLASSES.some((valueClass) => data instanceof valueClass);
}

// Any object can be read as a record of its own keys.
function isRecord(data: object): data is Readonly<Record<string, unknown>> {
  return typeof data === "object";
}

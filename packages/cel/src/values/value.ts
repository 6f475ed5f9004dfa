/**
 * Values of the language.
 *
 * An int is a JavaScript `number` while it is a safe integer and a `bigint` beyond, so the common case
 * needs no box; double and uint are boxed to stay distinct from int. Strings, booleans and null are
 * JavaScript's own. Everything else is a small class; lists and maps are abstract so that data can be
 * read through a view (a JSON document, an object under a schema) without being copied first.
 *
 * A runtime error is a value too: `&&`, `||` and the macros built on them absorb it.
 */
import type { Type } from "../types/type.ts";

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint
  | Double
  | Bytes
  | Timestamp
  | Duration
  | TypeValue
  | OptionalValue
  | ListValue
  | MapValue
  | OpaqueValue
  | CelError;

/** What a literal can be. */
export type Constant = null | boolean | number | bigint | string | Uint | Double | Bytes;

export class Uint {
  /** A number while safe, a bigint beyond: never both forms for one value. */
  readonly value: number | bigint;
  constructor(value: number | bigint) {
    this.value = value;
  }
}

export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export class Bytes {
  readonly data: Uint8Array;
  constructor(data: Uint8Array) {
    this.data = data;
  }
}

/** An instant: whole seconds since the epoch and nanoseconds within the second (0 to 999,999,999). */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  /** Seconds east of UTC that its text was written with; only `string(t)` and messages show it. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A span of int64 nanoseconds, Go's range. */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** The value that `type(x)` and type names such as `int` evaluate to. */
export class TypeValue {
  readonly type: Type;
  constructor(type: Type) {
    this.type = type;
  }
}

/** `optional.of(v)`, or `optional.none()` where `value` is undefined. */
export class OptionalValue {
  static readonly none = new OptionalValue(undefined);
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** Something that went wrong while evaluating. `message` is cel-go's text. */
export class CelError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export abstract class ListValue {
  abstract readonly size: number;
  /** INVARIANT: called with 0 <= index < size only. An element that is bad data is a CelError. */
  abstract at(index: number): Value;
  /** Views with their own equality (Kubernetes set and map lists) override this; undefined means the language's own. */
  equalTo(_other: ListValue): boolean | CelError | undefined {
    return undefined;
  }
  /** Likewise for `+`. */
  concat(_other: ListValue): ListValue | CelError | undefined {
    return undefined;
  }
  /** Likewise for `in`. */
  includes(_value: Value): boolean | CelError | undefined {
    return undefined;
  }
  /** Whether `optional.ofNonZeroValue` takes it for empty. Kubernetes' views of objects never are, as upstream has it. */
  isZero(): boolean {
    return this.size === 0;
  }
}

export abstract class MapValue {
  abstract readonly size: number;
  /** The value at a key, or undefined where there is none. An entry that is bad data is a CelError. */
  abstract get(key: Value): Value | undefined;
  /** The keys in a fixed order. */
  abstract keys(): readonly Value[];
  /** Field selection `m.name` and `has(m.name)` of values that tell fields from keys; maps look the name up as a key. */
  field(name: string): Value | undefined {
    return this.get(name);
  }
  hasField(name: string): boolean {
    return this.field(name) !== undefined;
  }
  /** What `type(v)` answers; undefined means `map`. Object views answer their object type. */
  get objectType(): Type | undefined {
    return undefined;
  }
  equalTo(_other: MapValue): boolean | CelError | undefined {
    return undefined;
  }
  /** See `ListValue.isZero`. */
  isZero(): boolean {
    return this.size === 0;
  }
}

/** A value of an abstract type that a library declares: a URL, a quantity, an authorizer. */
export abstract class OpaqueValue {
  abstract readonly type: Type;
  abstract equalTo(other: Value): boolean | CelError;
  /** For maps of request data whose declared type is an object; undefined where the value has no fields. */
  field(_name: string): Value | undefined {
    return undefined;
  }
}

export function isError(value: Value): value is CelError {
  return value instanceof CelError;
}

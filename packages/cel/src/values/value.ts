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

/** Any value of the language. Example: `const values: Value[] = [1, "a", new Double(1.5), null]`. */
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

/** The base class of all values that are objects: it distinguishes them from plain data. */
export abstract class ValueObject {
  /** The part that `value.name` selects; undefined if there is none, or if the value has no parts. */
  field(_name: string): Value | undefined {
    return undefined;
  }
}

/**
 * A uint.
 * @example new Uint(1).value // 1
 */
export class Uint extends ValueObject {
  /** A number while safe, a bigint beyond: never both forms for one value. */
  readonly value: number | bigint;
  constructor(value: number | bigint) {
    super();
    this.value = value;
  }
}

/**
 * A double.
 * @example new Double(1.5).value // 1.5
 */
export class Double extends ValueObject {
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
}

/**
 * Bytes.
 * @example new Bytes(new Uint8Array([1])).data.length // 1
 */
export class Bytes extends ValueObject {
  readonly data: Uint8Array;
  constructor(data: Uint8Array) {
    super();
    this.data = data;
  }
}

/**
 * An instant: seconds since 1970 and nanoseconds from 0 to 999,999,999.
 * @example new Timestamp(1, 0).seconds // 1
 */
export class Timestamp extends ValueObject {
  readonly seconds: number;
  readonly nanos: number;
  /** Seconds east of UTC that its text was written with; only `string(t)` and messages show it. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/**
 * A span of int64 nanoseconds, as in Go.
 * @example new Duration(1_000_000_000n).nanos // 1000000000n
 */
export class Duration extends ValueObject {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }
}

/** The value that `type(x)` and type names such as `int` evaluate to. */
export class TypeValue extends ValueObject {
  readonly type: Type;
  constructor(type: Type) {
    super();
    this.type = type;
  }
}

/**
 * `optional.of(v)`, or `optional.none()` if `value` is undefined.
 * @example new OptionalValue(1).value // 1
 */
export class OptionalValue extends ValueObject {
  static readonly none = new OptionalValue(undefined);
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }
}

/**
 * A runtime error; a value, because `&&`, `||` and macros absorb it.
 * @example new CelError("no such key: a").message // "no such key: a"
 */
export class CelError extends ValueObject {
  readonly message: string;
  constructor(message: string) {
    super();
    this.message = message;
  }
}

/**
 * A list; abstract, so data can be read through views.
 * @example list instanceof ListValue ? list.at(0) : undefined // 1
 */
export abstract class ListValue extends ValueObject {
  abstract readonly size: number;
  /** INVARIANT: called with 0 <= index < size only. An element that is bad data is a CelError. */
  abstract at(index: number): Value;
  /** Views with their own equality (Kubernetes set and map lists) override this; undefined means the language's own. */
  equalTo(_other: ListValue): boolean | CelError | undefined {
    return undefined;
  }
  /** Whether it equals a value that is not a list. Kubernetes' views return an error. */
  equalToOther(_other: Value): boolean | CelError {
    return false;
  }
  /** Views that only take an int as index return an error for others here. */
  checkIndex(_index: Value): CelError | undefined {
    return undefined;
  }
  /** What Go's `%T` prints, for the few messages that show it. */
  get goTypeName(): string {
    return "*types.baseList";
  }
  /** Likewise for `+`. */
  concat(_other: ListValue): ListValue | CelError | undefined {
    return undefined;
  }
  /** Likewise for `in`. */
  includes(_value: Value): boolean | CelError | undefined {
    return undefined;
  }
  /** Whether `optional.ofNonZeroValue` treats it as empty. Kubernetes' views of objects never are, as upstream. */
  isZero(): boolean {
    return this.size === 0;
  }
}

/**
 * A map; abstract, so data can be read through views.
 * @example map instanceof MapValue ? map.field("replicas") : undefined // 2
 */
export abstract class MapValue extends ValueObject {
  abstract readonly size: number;
  /** The value at a key, or undefined if there is none. An entry that is bad data is a CelError. */
  abstract get(key: Value): Value | undefined;
  /** The keys in a fixed order. */
  abstract keys(): readonly Value[];
  /** The range of a comprehension: the keys, unless the view has more entries. */
  iterated(): readonly Value[] {
    return this.keys();
  }
  /** Field selection `m.name` and `has(m.name)` of values that distinguish fields from keys; maps look up the key. */
  override field(name: string): Value | undefined {
    return this.get(name);
  }
  hasField(name: string): boolean {
    return this.field(name) !== undefined;
  }
  /** The result of `type(v)`; undefined means `map`. Object views return their object type. */
  get objectType(): Type | undefined {
    return undefined;
  }
  equalTo(_other: MapValue): boolean | CelError | undefined {
    return undefined;
  }
  /** See `ListValue.equalToOther`. */
  equalToOther(_other: Value): boolean | CelError {
    return false;
  }
  get goTypeName(): string {
    return "*types.baseMap";
  }
  /** See `ListValue.isZero`. */
  isZero(): boolean {
    return this.size === 0;
  }
}

/**
 * A value of an abstract type that a library declares.
 * @example
 * class Ip extends OpaqueValue {
 *   readonly type = opaqueType("net.IP");
 *   equalTo(other: Value) {
 *     return other instanceof Ip;
 *   }
 * }
 */
export abstract class OpaqueValue extends ValueObject {
  abstract readonly type: Type;
  abstract equalTo(other: Value): boolean | CelError;
  /** The error, if `type(v)` is one. */
  refuseType(): CelError | undefined {
    return undefined;
  }
  get goTypeName(): string {
    return "types.Opaque";
  }
}

/**
 * Whether a value is a runtime error.
 * @example isError(new CelError("no such key: a")) // true
 */
export function isError(value: Value): value is CelError {
  return value instanceof CelError;
}

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

/** What every value that is an object descends from: it tells them from plain data at one look. */
export abstract class ValueObject {
  /** The part that `value.name` selects; undefined where there is none, or where the value has no parts. */
  field(_name: string): Value | undefined {
    return undefined;
  }
}

export class Uint extends ValueObject {
  /** A number while safe, a bigint beyond: never both forms for one value. */
  readonly value: number | bigint;
  constructor(value: number | bigint) {
    super();
    this.value = value;
  }
}

export class Double extends ValueObject {
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
}

export class Bytes extends ValueObject {
  readonly data: Uint8Array;
  constructor(data: Uint8Array) {
    super();
    this.data = data;
  }
}

/** An instant: whole seconds since the epoch and nanoseconds within the second (0 to 999,999,999). */
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

/** A span of int64 nanoseconds, Go's range. */
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

/** `optional.of(v)`, or `optional.none()` where `value` is undefined. */
export class OptionalValue extends ValueObject {
  static readonly none = new OptionalValue(undefined);
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }
}

/** Something that went wrong while evaluating. `message` is cel-go's text. */
export class CelError extends ValueObject {
  readonly message: string;
  constructor(message: string) {
    super();
    this.message = message;
  }
}

export abstract class ListValue extends ValueObject {
  abstract readonly size: number;
  /** INVARIANT: called with 0 <= index < size only. An element that is bad data is a CelError. */
  abstract at(index: number): Value;
  /** Views with their own equality (Kubernetes set and map lists) override this; undefined means the language's own. */
  equalTo(_other: ListValue): boolean | CelError | undefined {
    return undefined;
  }
  /** Whether it equals something that is no list. Kubernetes' views make an error of the question. */
  equalToOther(_other: Value): boolean | CelError {
    return false;
  }
  /** Views that take nothing but an int for an index say so here. */
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
  /** Whether `optional.ofNonZeroValue` takes it for empty. Kubernetes' views of objects never are, as upstream has it. */
  isZero(): boolean {
    return this.size === 0;
  }
}

export abstract class MapValue extends ValueObject {
  abstract readonly size: number;
  /** The value at a key, or undefined where there is none. An entry that is bad data is a CelError. */
  abstract get(key: Value): Value | undefined;
  /** The keys in a fixed order. */
  abstract keys(): readonly Value[];
  /** What a comprehension goes over: the keys, unless the view has more to show. */
  iterated(): readonly Value[] {
    return this.keys();
  }
  /** Field selection `m.name` and `has(m.name)` of values that tell fields from keys; maps look the name up as a key. */
  override field(name: string): Value | undefined {
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

/** A value of an abstract type that a library declares: a URL, a quantity, an authorizer. */
export abstract class OpaqueValue extends ValueObject {
  abstract readonly type: Type;
  abstract equalTo(other: Value): boolean | CelError;
  /** Where `type(v)` is an error, that error. */
  refuseType(): CelError | undefined {
    return undefined;
  }
  get goTypeName(): string {
    return "types.Opaque";
  }
}

export function isError(value: Value): value is CelError {
  return value instanceof CelError;
}

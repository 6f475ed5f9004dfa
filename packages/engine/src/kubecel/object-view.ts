/**
 * Objects and maps read through a schema.
 *
 * An object has escaped names and hides fields that are null; a map has its keys as they are and includes
 * nulls. Fields the schema does not know cannot be read, but count in `size` and, where both sides have them, in
 * equality: `{a: 1, x: 1}` equals `{a: 1, y: 2}` when only `a` is known. Both are of type `map` at runtime.
 * Follows apiserver pkg/cel/common/valuesunstructured.go.
 */
import { CelError, isEqualTo, MapValue, noSuchOverload, type Value } from "@portcullis/cel/internal";
import { deepEqual } from "../value/equal.ts";
import type { JsonObject } from "../value/json.ts";
import { since } from "../value/server-version.ts";
import { escapeName } from "./escaping.ts";
import type { GoData, SchemaView } from "./go-data.ts";

/** Converts data of the schema that it was built for. */
export type Convert = (data: GoData) => Value;

/** The members of an object or map by its schema. */
export interface Shape {
  /** True if the schema has properties: names are escaped and nulls hidden. */
  readonly hasProperties: boolean;
  /** How to read the member at a key; undefined if it is not in the schema. */
  member(key: string): Convert | undefined;
  /** The member with this name in expressions. */
  find(name: string): Member | undefined;
}

/** `read` is never called with a null that the shape hides. */
export interface Member {
  readonly key: string;
  readonly read: Convert;
}

export class ObjectView extends MapValue implements SchemaView {
  readonly raw: JsonObject;
  readonly #shape: Shape;
  #names: readonly string[] | undefined;

  constructor(raw: JsonObject, shape: Shape) {
    super();
    this.raw = raw;
    this.#shape = shape;
  }

  get size(): number {
    return this.#rawNames().length;
  }

  get(key: Value): Value | undefined {
    return typeof key === "string" ? this.field(key) : orNoSuchOverload(key);
  }

  override field(name: string): Value | undefined {
    const shape = this.#shape;
    const member = shape.find(name);
    if (member === undefined) return undefined;
    const data = this.raw[member.key];
    if (data === undefined || (data === null && shape.hasProperties)) return undefined;
    return member.read(data);
  }

  keys(): readonly Value[] {
    const known = this.#rawNames().filter((key) => this.#shape.member(key) !== undefined);
    return this.#shape.hasProperties ? known.map((key) => escapeName(key) ?? key) : known;
  }

  /** Upstream's iterator has an empty slot for each field that the schema does not know. */
  override iterated(): readonly Value[] {
    return [...this.keys(), ...new Array<null>(this.unknownFields()).fill(null)];
  }

  /** The number of fields that are not in the schema. */
  unknownFields(): number {
    return this.#rawNames().filter((key) => this.#shape.member(key) === undefined).length;
  }

  override equalTo(other: MapValue): boolean | CelError {
    if (this.size !== other.size) return false;
    for (const key of this.#rawNames()) {
      const known = this.#shape.member(key) !== undefined;
      const equal = known ? this.#equalAt(key, other) : this.#equalUnknown(key, other);
      if (equal !== true) return equal;
    }
    return true;
  }

  override equalToOther(other: Value): CelError {
    return orNoSuchOverload(other);
  }

  override get goTypeName(): string {
    return "*common.unstructuredMap";
  }

  /** Upstream's views never count as zero, even if they are empty. */
  override isZero(): boolean {
    return false;
  }

  #rawNames(): readonly string[] {
    this.#names ??= Object.keys(this.raw);
    return this.#names;
  }

  // Looks up raw keys although objects have escaped names, so a key that is also an escaped name is skipped.
  #equalAt(key: string, other: MapValue): boolean | CelError {
    const theirs = other.get(key);
    if (!since("1.34")) return this.#equalToPresent(key, theirs);
    const mine = this.get(key);
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return isEqualTo(mine, theirs);
  }

  /** Before 1.34 the other side had to have each field: not null, and with a name that is not escaped. */
  #equalToPresent(key: string, theirs: Value | undefined): boolean | CelError {
    const read = this.#shape.member(key);
    const raw = this.raw[key];
    if (theirs === undefined || read === undefined || raw === undefined) return false;
    return isEqualTo(raw === null ? null : read(raw), theirs);
  }

  #equalUnknown(key: string, other: MapValue): boolean | CelError {
    if (!(other instanceof ObjectView)) return noSuchOverload();
    const mine = this.raw[key];
    const theirs = other.raw[key];
    return mine === undefined || theirs === undefined || deepEqual(mine, theirs);
  }
}

/** The result of upstream's views for a value that they do not support. */
export function orNoSuchOverload(value: Value): CelError {
  return value instanceof CelError ? value : noSuchOverload();
}

/**
 * Lists read through a schema, by their `x-kubernetes-list-type`.
 *
 * Order matters in an atomic list only. Since Kubernetes 1.37 sets and keyed lists compare their members, and what a
 * concatenation makes is a list of values. The unusual behaviour of versions up to 1.36 is kept for them:
 * - A list of type map looks its keys up by their escaped names, so a key called `namespace` is never found: such a
 *   list compares by its last element alone.
 * - Concatenating to a set adds to the members that later comparisons of that set use.
 * - A set of objects cannot be hashed: comparing it fails with an internal error.
 * - What is appended is the Go form of an element, so a date or bytes appended to a list can no longer be read.
 */
import { ArrayList, CelError, displayText, isEqualTo, ListValue, type Value } from "@portcullis/cel/internal";
import { since } from "../value/server-version.ts";
import { escapeName } from "./escaping.ts";
import { type GoData, goData, goKey, goText, isGoObject, type SchemaView } from "./go-data.ts";
import { unsupportedIndex } from "./messages.ts";
import { type Convert, orNoSuchOverload } from "./object-view.ts";
import { concatMaps, concatSets, equalSets, valuesOf } from "./value-lists.ts";

/** A list of type atomic, or of none. */
export class ListView extends ListValue implements SchemaView {
  readonly raw: GoData[];
  protected readonly convert: Convert;
  /** Elements converted so far, kept from the second read on: nested loops read them many times. */
  #values: Value[] | undefined;
  #isRead = false;

  constructor(raw: GoData[], convert: Convert) {
    super();
    this.raw = raw;
    this.convert = convert;
  }

  get size(): number {
    return this.raw.length;
  }

  at(index: number): Value {
    const values = this.#values;
    if (values !== undefined && index < values.length) return values[index] ?? null;
    const value = this.convert(this.raw[index] ?? null);
    if (values === undefined) {
      if (index === 0 && this.#isRead) this.#values = [value];
      this.#isRead = true;
    } else if (index === values.length) values.push(value);
    return value;
  }

  override equalTo(other: ListValue): boolean | CelError {
    if (this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) {
      const equal = isEqualTo(this.at(index), other.at(index));
      if (equal !== true) return equal;
    }
    return true;
  }

  override equalToOther(other: Value): CelError {
    return orNoSuchOverload(other);
  }

  /** A uint or double is a valid index, but still an error. */
  override checkIndex(index: Value): CelError | undefined {
    if (typeof index === "number" || typeof index === "bigint") return undefined;
    return index instanceof CelError ? index : unsupportedIndex(displayText(index));
  }

  override get goTypeName(): string {
    return "*common.unstructuredList";
  }

  /** Upstream's views never count as zero, even if they are empty. */
  override isZero(): boolean {
    return false;
  }

  override concat(other: ListValue): ListValue | CelError {
    if (since("1.37")) return new ArrayList([...valuesOf(this), ...valuesOf(other)]);
    return new ListView([...this.raw, ...elementsOf(other)], this.convert);
  }

  override includes(value: Value): boolean | CelError {
    let failure: CelError | undefined;
    for (let index = 0; index < this.size; index++) {
      const equal = isEqualTo(this.at(index), value);
      if (equal === true) return true;
      if (equal !== false) failure ??= equal;
    }
    return failure ?? false;
  }
}

export class SetListView extends ListView {
  #members: Set<string> | undefined;

  override get goTypeName(): string {
    return "*common.unstructuredSetList";
  }

  override equalTo(other: ListValue): boolean | CelError {
    if (since("1.37")) return equalSets(this, other);
    if (this.size !== other.size) return false;
    const members = this.#membership();
    return elementsOf(other).every((element) => members.has(goKey(element)));
  }

  override concat(other: ListValue): ListValue | CelError {
    if (since("1.37")) return concatSets(this, other);
    const members = this.#membership();
    const elements = [...this.raw];
    for (const element of elementsOf(other)) {
      const key = goKey(element);
      if (members.has(key)) continue;
      members.add(key);
      elements.push(element);
    }
    return new SetListView(elements, this.convert);
  }

  #membership(): Set<string> {
    this.#members ??= new Set(this.raw.map(goKey));
    return this.#members;
  }
}

export class MapListView extends ListView {
  readonly #keyNames: readonly string[];
  #byKey: Map<string, GoData> | undefined;

  constructor(raw: GoData[], convert: Convert, keyNames: readonly string[]) {
    super(raw, convert);
    this.#keyNames = keyNames;
  }

  override get goTypeName(): string {
    return "*common.unstructuredMapList";
  }

  override equalTo(other: ListValue): boolean | CelError {
    if (this.size !== other.size) return false;
    const byKey = this.#elementsByKey();
    const seen = new Set<string>();
    for (let index = 0; index < other.size; index++) {
      const theirs = other.at(index);
      const key = this.#keyOf(goData(theirs));
      const mine = key === undefined ? undefined : byKey.get(key);
      if (mine === undefined) return false;
      const equal = isEqualTo(this.convert(mine), theirs);
      if (equal !== true) return equal;
      seen.add(key ?? "");
    }
    return !since("1.37") || seen.size === byKey.size;
  }

  /** Elements of the other list replace those with the same key in place; the rest is appended. */
  override concat(other: ListValue): ListValue | CelError {
    if (since("1.37")) return concatMaps(this, other, this.#keyNames);
    const elements = [...this.raw];
    const positions = new Map<string, number>();
    for (const [index, element] of elements.entries()) {
      const key = this.#keyOf(element);
      if (key !== undefined) positions.set(key, index);
    }
    for (const element of elementsOf(other)) {
      const key = this.#keyOf(element);
      const position = key === undefined ? undefined : positions.get(key);
      if (position === undefined) elements.push(element);
      else elements[position] = element;
    }
    return new MapListView(elements, this.convert, this.#keyNames);
  }

  #elementsByKey(): ReadonlyMap<string, GoData> {
    if (this.#byKey === undefined) {
      const byKey = new Map<string, GoData>();
      for (const element of this.raw) {
        const key = this.#keyOf(element);
        if (key !== undefined) byKey.set(key, element);
      }
      // Not before all keys are known to be usable: a program that crashes is run again.
      this.#byKey = byKey;
    }
    return this.#byKey;
  }

  /** Undefined for a value that is not an object: such an element equals no other. */
  #keyOf(element: GoData): string | undefined {
    if (!isGoObject(element)) return undefined;
    const values = this.#keyNames.map((name) => element[name] ?? null);
    // Up to three keys are compared one by one, more as one text in which they run together.
    if (values.length === 0 || (values.length > 3 && !since("1.37"))) return goText(values);
    return values
      .map(goKey)
      .map((key) => `${key.length}:${key}`)
      .join("");
  }
}

/** Key properties by escaped name; a name that cannot be escaped stays as it is. */
export function escapedKeyNames(names: readonly string[]): readonly string[] {
  return names.map((name) => escapeName(name) ?? name);
}

function elementsOf(list: ListValue): GoData[] {
  const elements: GoData[] = [];
  for (let index = 0; index < list.size; index++) elements.push(goData(list.at(index)));
  return elements;
}

/**
 * Sets and keyed lists that a concatenation makes since Kubernetes 1.37: their elements are CEL values.
 *
 * Follows apiserver pkg/cel/common: refValSetList and refValMapList.
 */
import { ArrayList, CelError, isEqualTo, ListValue, MapValue, type Value } from "@portcullis/cel/internal";
import { goData, goKey } from "./go-data.ts";
import { setOfCollections } from "./messages.ts";

class ValueSetList extends ArrayList {
  override get goTypeName(): string {
    return "*common.refValSetList";
  }

  override equalTo(other: ListValue): boolean | CelError {
    return equalSets(this, other);
  }

  override concat(other: ListValue): ListValue | CelError {
    return concatSets(this, other);
  }
}

/** Both lists have the same members. */
export function equalSets(left: ListValue, right: ListValue): boolean | CelError {
  if (left.size !== right.size) return false;
  const members = keysOf(left);
  if (members instanceof CelError) return members;
  const seen = new Set<string>();
  for (const element of valuesOf(right)) {
    const key = setKey(element);
    if (key instanceof CelError) return key;
    if (!members.has(key)) return false;
    seen.add(key);
  }
  return seen.size === members.size;
}

/** The elements of the first list, then those of the second that are new. */
export function concatSets(left: ListValue, right: ListValue): ListValue | CelError {
  const elements = valuesOf(left);
  const members = keysOf(left);
  if (members instanceof CelError) return members;
  for (const element of valuesOf(right)) {
    const key = setKey(element);
    if (key instanceof CelError) return key;
    if (members.has(key)) continue;
    members.add(key);
    elements.push(element);
  }
  return new ValueSetList(elements);
}

function keysOf(list: ListValue): Set<string> | CelError {
  const keys = new Set<string>();
  for (const element of valuesOf(list)) {
    const key = setKey(element);
    if (key instanceof CelError) return key;
    keys.add(key);
  }
  return keys;
}

function setKey(element: Value): string | CelError {
  return element instanceof ListValue || element instanceof MapValue ? setOfCollections() : goKey(goData(element));
}

class ValueMapList extends ArrayList {
  readonly #keyNames: readonly string[];

  constructor(elements: Value[], keyNames: readonly string[]) {
    super(elements);
    this.#keyNames = keyNames;
  }

  override get goTypeName(): string {
    return "*common.refValMapList";
  }

  override equalTo(other: ListValue): boolean | CelError {
    if (this.size !== other.size) return false;
    const byKey = new Map(valuesOf(this).map((element) => [mapKey(element, this.#keyNames), element]));
    const seen = new Set<string>();
    for (const element of valuesOf(other)) {
      const key = mapKey(element, this.#keyNames);
      const mine = byKey.get(key);
      if (mine === undefined) return false;
      const equal = isEqualTo(mine, element);
      if (equal !== true) return equal;
      seen.add(key);
    }
    return seen.size === byKey.size;
  }

  override concat(other: ListValue): ListValue {
    return concatMaps(this, other, this.#keyNames);
  }
}

/** Elements of the second list replace those with the same key in place; the rest is appended. */
export function concatMaps(left: ListValue, right: ListValue, keyNames: readonly string[]): ListValue {
  const elements = valuesOf(left);
  const positions = new Map(elements.map((element, index) => [mapKey(element, keyNames), index]));
  for (const element of valuesOf(right)) {
    const position = positions.get(mapKey(element, keyNames));
    if (position === undefined) elements.push(element);
    else elements[position] = element;
  }
  return new ValueMapList(elements, keyNames);
}

/** A key that an element does not have counts as nil. */
function mapKey(element: Value, keyNames: readonly string[]): string {
  return keyNames
    .map((name) => {
      const value = element instanceof MapValue ? element.get(name) : undefined;
      const key = value === undefined || value instanceof CelError ? "nil" : goKey(goData(value));
      return `${key.length}:${key}`;
    })
    .join("");
}

export function valuesOf(list: ListValue): Value[] {
  const values: Value[] = [];
  for (let index = 0; index < list.size; index++) values.push(list.at(index));
  return values;
}

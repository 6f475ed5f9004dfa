/**
 * One step from a container to something in it: a field, a list item by its keys, a set item by its value, or an index.
 *
 * Follows structured-merge-diff fieldpath/element.go. Numbers are compared by value: keys read back from managed fields
 * are always float64, whereas those of objects are mostly int64.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { isArray, isInteger, isNumber, isObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { compareNumbers } from "../value/number.ts";

export interface FieldElement {
  readonly kind: "field";
  readonly name: string;
}

/** INVARIANT: fields are sorted by name. */
export interface KeyElement {
  readonly kind: "key";
  readonly fields: readonly KeyField[];
}

export interface ValueElement {
  readonly kind: "value";
  readonly value: JsonValue;
}

export interface IndexElement {
  readonly kind: "index";
  readonly index: number;
}

export interface KeyField {
  readonly name: string;
  readonly value: JsonValue;
}

export type PathElement = FieldElement | KeyElement | ValueElement | IndexElement;

export function fieldElement(name: string): FieldElement {
  return { kind: "field", name };
}

export function keyElement(fields: readonly KeyField[]): KeyElement {
  if (fields.length < 2) return { kind: "key", fields };
  return { kind: "key", fields: [...fields].sort((a, b) => compareStrings(a.name, b.name)) };
}

export function valueElement(value: JsonValue): ValueElement {
  return { kind: "value", value };
}

export function indexElement(index: number): IndexElement {
  return { kind: "index", index };
}

const RANK = { field: 0, key: 1, value: 2, index: 3 } as const;

/** Negative, zero or positive: fields before keys before values before indices. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a.kind === "field" && b.kind === "field") return compareNames(a.name, b.name);
  if (a.kind === "key" && b.kind === "key") return compareKeys(a.fields, b.fields);
  if (a.kind === "value" && b.kind === "value") return compareValues(a.value, b.value);
  if (a.kind === "index" && b.kind === "index") return a.index - b.index;
  return RANK[a.kind] - RANK[b.kind];
}

function compareNames(a: string, b: string): number {
  return a === b ? 0 : compareStrings(a, b);
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (let i = 0; ; i++) {
    const [left, right] = [a[i], b[i]];
    if (left === undefined || right === undefined) return a.length - b.length;
    const order = compareNames(left.name, right.name) || compareValues(left.value, right.value);
    if (order !== 0) return order;
  }
}

/** A total order over values: numbers, strings, booleans, lists, maps, null. */
function compareValues(a: JsonValue, b: JsonValue): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compareNames(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (isArray(a) && isArray(b)) return compareLists(a, b);
  if (isObject(a) && isObject(b)) return compareMaps(a, b);
  return rankOf(a) - rankOf(b);
}

// A float64 sorts before every int64 it is not compared with, which only shows against other types.
function rankOf(value: JsonValue): number {
  if (isNumber(value)) return isInteger(value) ? 1 : 0;
  if (typeof value === "string") return 2;
  if (typeof value === "boolean") return 3;
  if (value === null) return 6;
  return isArray(value) ? 4 : 5;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let i = 0; ; i++) {
    const [left, right] = [a[i], b[i]];
    if (left === undefined || right === undefined) return a.length - b.length;
    const order = compareValues(left, right);
    if (order !== 0) return order;
  }
}

// Walks the union of the keys in order. The map that has run out of members by count is the smaller one; at a key that
// only one map has, the map without it is the greater one.
function compareMaps(a: { [key: string]: JsonValue }, b: { [key: string]: JsonValue }): number {
  const [left, right] = [sortedKeys(a), sortedKeys(b)];
  const keys = [...new Set([...left, ...right])].sort(compareStrings);
  for (const [position, key] of keys.entries()) {
    if (position === left.length) return -1;
    if (position === right.length) return 1;
    const [here, there] = [a[key], b[key]];
    if (here === undefined) return 1;
    if (there === undefined) return -1;
    const order = compareValues(here, there);
    if (order !== 0) return order;
  }
  return 0;
}

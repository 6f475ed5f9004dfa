/**
 * The promise of `x-kubernetes-list-type`: items of a set, and the keys of a map, occur once.
 *
 * Follows apiextensions pkg/apiserver/schema/listtype. A value that occurs more than twice is reported once, at its second
 * occurrence. Keys of maps are written in brackets here, unlike in value validation.
 *
 * Most of a schema has no such lists, so it is first reduced to the part that does; only that part of a value is walked,
 * and a second time, for the paths, only where the first walk meets something.
 */
import { duplicate, type FieldError, invalid } from "../field/error.ts";
import { type FieldPath, nilPath } from "../field/path.ts";
import {
  Float64,
  hasKey,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
  sortedKeys,
} from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { notAnObjectOfMapList } from "./messages.ts";
import type { Structural } from "./structural.ts";

export function validateListTypes(schema: Structural, value: JsonValue, path: FieldPath = nilPath): FieldError[] {
  const errors: FieldError[] = [];
  const node = listsOf(schema);
  if (node !== undefined && !isKept(node, value)) checkValue(node, value, path, errors);
  return errors;
}

/** A schema that is such a list or has one below it. */
interface ListNode {
  readonly listType: string | undefined;
  readonly keys: readonly string[];
  readonly identityOf: (item: JsonValue) => Identity;
  readonly items: ListNode | undefined;
  readonly members: readonly (readonly [name: string, node: ListNode])[];
  readonly additional: ListNode | undefined;
}

const compiled = new WeakMap<Structural, { readonly node: ListNode | undefined }>();

function listsOf(schema: Structural): ListNode | undefined {
  let known = compiled.get(schema);
  if (known === undefined) {
    known = { node: compile(schema) };
    compiled.set(schema, known);
  }
  return known.node;
}

function compile(schema: Structural): ListNode | undefined {
  const listType = schema.listType === "set" || schema.listType === "map" ? schema.listType : undefined;
  const items = schema.items && listsOf(schema.items);
  const additional = schema.additionalProperties?.schema && listsOf(schema.additionalProperties.schema);
  const members: (readonly [string, ListNode])[] = [];
  for (const [name, property] of schema.properties) {
    const inner = listsOf(property);
    if (inner !== undefined) members.push([name, inner]);
  }
  if (members.length === 0 && (listType ?? items ?? additional) === undefined) return undefined;
  const keys = schema.listMapKeys;
  const identityOf = listType === "map" ? keyReader(keys) : identity;
  return { listType, keys, identityOf, items, members, additional };
}

/** Whether the promise is kept everywhere. */
function isKept(node: ListNode, value: JsonValue): boolean {
  if (isArray(value)) return isListKept(node, value);
  if (!isObject(value)) return true;
  for (let index = 0; index < node.members.length; index++) {
    const [name, inner] = node.members[index] as ListNode["members"][number];
    // Objects inherit nothing, so what is not undefined is there.
    const member = value[name];
    if (member !== undefined && !isKept(inner, member)) return false;
  }
  if (node.additional === undefined) return true;
  for (const key in value) if (!isKept(node.additional, value[key] as JsonValue)) return false;
  return true;
}

function isListKept(node: ListNode, items: readonly JsonValue[]): boolean {
  if (node.listType === "map" && items.some(isStray)) return false;
  if (node.listType !== undefined && items.length > 1 && repeated(items, node.identityOf).length > 0) return false;
  if (node.items === undefined) return true;
  for (let index = 0; index < items.length; index++) if (!isKept(node.items, items[index] as JsonValue)) return false;
  return true;
}

/** Items of a list of type map that have no keys; null counts as an object without any. */
function isStray(item: JsonValue): boolean {
  return item !== null && !isObject(item);
}

function checkValue(node: ListNode, value: JsonValue, path: FieldPath, errors: FieldError[]): void {
  if (isArray(value)) checkList(node, value, path, errors);
  else if (isObject(value)) checkMembers(node, value, path, errors);
}

function checkMembers(node: ListNode, object: JsonObject, path: FieldPath, errors: FieldError[]): void {
  if (node.additional !== undefined) {
    for (const key of sortedKeys(object)) checkValue(node.additional, object[key] as JsonValue, path.key(key), errors);
  }
  for (const [name, inner] of node.members) {
    if (hasKey(object, name)) checkValue(inner, object[name] as JsonValue, path.child(name), errors);
  }
}

function checkList(node: ListNode, items: readonly JsonValue[], path: FieldPath, errors: FieldError[]): void {
  if (node.listType === "set") {
    for (const index of repeated(items, node.identityOf))
      errors.push(duplicate(path.index(index), items[index] as JsonValue, "set"));
  }
  if (node.listType === "map") checkMapList(node, items, path, errors);
  if (node.items === undefined) return;
  for (let index = 0; index < items.length; index++) {
    checkValue(node.items, items[index] as JsonValue, path.index(index), errors);
  }
}

function checkMapList(node: ListNode, items: readonly JsonValue[], path: FieldPath, errors: FieldError[]): void {
  const stray = items.findIndex(isStray);
  if (stray >= 0) {
    errors.push(invalid(path.index(stray), items[stray] as JsonValue, notAnObjectOfMapList(), "map"));
    return;
  }
  for (const index of repeated(items, node.identityOf))
    errors.push(duplicate(path.index(index), keysOf(node.keys, items[index] as JsonValue), "map"));
}

function keyReader(names: readonly string[]): (item: JsonValue) => Identity {
  const [only] = names;
  if (only === undefined || names.length > 1) return (item) => compositeKey(names, item);
  return (item) => singleKey(only, item);
}

/** The identity of an item: a scalar itself, or the text of anything else. */
type Identity = string | number | bigint | boolean | Described;

/** A text that is no string of the user's. */
class Described {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const UNSPECIFIED = new Described("unspecified");

/** Scalars differ by Go type, compounds by JSON text. */
function identity(item: JsonValue): Identity {
  if (typeof item !== "object") return item;
  if (item instanceof Float64) return new Described(`float ${item.value + 0}`);
  return new Described(canonicalJson(item));
}

/** A single key is compared as a value. One that is absent is a value of its own. */
function singleKey(name: string, item: JsonValue): Identity {
  const value = isObject(item) ? item[name] : undefined;
  return value === undefined ? UNSPECIFIED : identity(value);
}

/** Several keys are compared as their JSON text; lengths keep the parts apart. */
function compositeKey(names: readonly string[], item: JsonValue): Identity {
  let composite = "";
  for (const name of names) {
    const value = isObject(item) ? item[name] : undefined;
    if (value === undefined) composite += "-,";
    else if (typeof value === "string") composite += `"${value.length}:${value},`;
    else {
      const text = canonicalJson(value);
      composite += `${text.length}:${text},`;
    }
  }
  return composite;
}

/** The keys an item has. */
function keysOf(names: readonly string[], item: JsonValue): JsonObject {
  const keys = newObject();
  if (!isObject(item)) return keys;
  for (const name of names) if (hasKey(item, name)) keys[name] = item[name] as JsonValue;
  return keys;
}

const NONE: readonly number[] = [];
/** So many are compared with one another faster than they are counted. */
const FEW = 8;

/** The second occurrence of each identity that occurs again. */
function repeated(items: readonly JsonValue[], identityOf: (item: JsonValue) => Identity): readonly number[] {
  const keys = items.map(identityOf);
  return items.length <= FEW && areFewDistinct(keys) ? NONE : countRepeated(keys);
}

function areFewDistinct(keys: readonly Identity[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    for (let before = 0; before < index; before++) {
      if (isSame(keys[index] as Identity, keys[before] as Identity)) return false;
    }
  }
  return true;
}

function isSame(a: Identity, b: Identity): boolean {
  return a === b || (a instanceof Described && b instanceof Described && a.text === b.text);
}

function countRepeated(keys: readonly Identity[]): readonly number[] {
  const scalars = new Map<Identity, number>();
  const described = new Map<string, number>();
  const indices: number[] = [];
  for (const [index, key] of keys.entries()) {
    const before = key instanceof Described ? count(described, key.text) : count(scalars, key);
    if (before === 1) indices.push(index);
  }
  return indices;
}

/** How often the key was counted before. */
function count<Key>(times: Map<Key, number>, key: Key): number {
  const before = times.get(key) ?? 0;
  times.set(key, before + 1);
  return before;
}

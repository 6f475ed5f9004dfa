/**
 * The promise of `x-kubernetes-list-type`: items of a set, and the keys of a map, occur once.
 *
 * Follows apiextensions pkg/apiserver/schema/listtype. A value that occurs more than twice is reported once, at its second
 * occurrence. Keys of maps are written in brackets here, unlike in value validation.
 *
 * Most of a schema has no such lists, so it is first reduced to the part that does; only that part of a value is walked.
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
  if (node !== undefined) checkValue(node, value, path, errors);
  return errors;
}

/** A schema that is such a list or has one below it. */
interface ListNode {
  readonly listType: string | undefined;
  readonly keys: readonly string[];
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
  return { listType, keys: schema.listMapKeys, items, members, additional };
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
    for (const index of repeated(items, identity))
      errors.push(duplicate(path.index(index), items[index] as JsonValue, "set"));
  }
  if (node.listType === "map") checkMapList(node.keys, items, path, errors);
  if (node.items === undefined) return;
  for (let index = 0; index < items.length; index++) {
    checkValue(node.items, items[index] as JsonValue, path.index(index), errors);
  }
}

function checkMapList(
  names: readonly string[],
  items: readonly JsonValue[],
  path: FieldPath,
  errors: FieldError[],
): void {
  const stray = items.findIndex((item) => item !== null && !isObject(item));
  if (stray >= 0) {
    errors.push(invalid(path.index(stray), items[stray] as JsonValue, notAnObjectOfMapList(), "map"));
    return;
  }
  const [only] = names;
  const keyOf =
    only !== undefined && names.length === 1
      ? (item: JsonValue) => singleKey(only, item)
      : (item: JsonValue) => compositeKey(names, item);
  for (const index of repeated(items, keyOf))
    errors.push(duplicate(path.index(index), keysOf(names, items[index] as JsonValue), "map"));
}

/** What tells items apart: a scalar itself, or the text of anything else. */
type Identity = string | number | bigint | boolean | Described;

/** A text that is no string of the user's. */
class Described {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const UNSPECIFIED = new Described("unspecified");

/** Scalars are told apart by their Go type, compounds by their JSON text. */
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

/** The second occurrence of each identity that occurs again. */
function repeated(items: readonly JsonValue[], identityOf: (item: JsonValue) => Identity): readonly number[] {
  if (items.length < 2) return NONE;
  const scalars = new Map<Identity, number>();
  const described = new Map<string, number>();
  const indices: number[] = [];
  for (let index = 0; index < items.length; index++) {
    const key = identityOf(items[index] as JsonValue);
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

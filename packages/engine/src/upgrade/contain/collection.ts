/** Sizes of lists and objects, uniqueness of items, and what keys may be. */
import { newSchema, type Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { undeclared } from "../pairs.ts";
import { isSeenAlike, isSteadyElement } from "../prove/reading.ts";
import { RESOURCE_MEMBERS } from "../resource-members.ts";
import type { Sampler } from "../witness/sample.ts";
import { distinctCount } from "./distinct.ts";
import { type Kind, kindsOf } from "./kinds.ts";
import { conjuncts, holds, largest, type Obligation, open, type Proof, smallest } from "./proof.ts";

const MANY = 12_000;

export function listObligations(
  old: Structural,
  next: Structural,
  kinds: ReadonlySet<Kind>,
  sampler: Sampler,
): Obligation[] {
  if (!kinds.has("array")) return [];
  const nodes = conjuncts(old);
  const min = largest(
    nodes.map(({ minItems }) => minItems),
    0,
  );
  const max = smallest([...nodes.map(({ maxItems }) => maxItems), distinctCount(old)], Number.POSITIVE_INFINITY);
  const found: Obligation[] = [];
  const { minItems = 0, maxItems } = next;
  if (minItems > 0) {
    const candidates = () => listsOf(old, sampler, [minItems - 1, min, 0]);
    found.push({ keyword: "minItems", detail: "", proof: bound(min >= minItems), candidates });
  }
  if (maxItems !== undefined) {
    const candidates = () => listsOf(old, sampler, [maxItems + 1, Math.min(max, maxItems + 2)]);
    found.push({ keyword: "maxItems", detail: "", proof: bound(max <= maxItems), candidates });
  }
  if (next.listType === "set" || next.listType === "map") {
    const candidates = () => duplicates(old, next, sampler);
    found.push({
      keyword: "x-kubernetes-list-type",
      detail: "",
      proof: proveUnique(old, next, max, sampler.check.minor),
      candidates,
    });
  }
  return found;
}

function bound(isInside: boolean): Proof {
  return isInside ? holds("sizes before were within the new bounds") : open();
}

function proveUnique(old: Structural, next: Structural, max: number, minor: number): Proof {
  if (max > 0 && next.listType === "map" && mayHaveStrays(old, minor)) return open();
  if (max <= 1) return holds("there was at most one item");
  const isSame = old.listType === next.listType;
  const isFiner = old.listMapKeys.every((key) => next.listMapKeys.includes(key));
  const areKept = old.items !== undefined && next.items !== undefined && isSteadyElement(old.items, next.items, true);
  const keysKeep = areKept && next.listMapKeys.every((key) => isSameKey(old, next, key));
  const itemsKeep = old.items !== undefined && next.items !== undefined && isSeenAlike(old.items, next.items);
  if (isSame && (next.listType === "set" ? itemsKeep : isFiner && keysKeep)) return holds("items were unique before");
  return open();
}

/** Whether items may be something other than objects. Such items have no keys, and the check of keys refuses them. */
function mayHaveStrays({ items }: Structural, minor: number): boolean {
  if (items === undefined) return true;
  return [...kindsOf(items, minor)].some((kind) => kind !== "object" && kind !== "null");
}

/** Whether a key of items reads the same with both schemas: a new default could make keys equal. */
function isSameKey(old: Structural, next: Structural, key: string): boolean {
  const [before, after] = [old.items?.properties.get(key), next.items?.properties.get(key)];
  if (before === undefined || after === undefined || !isSeenAlike(before, after)) return isNeverFilled(old, next, key);
  return true;
}

/** A default for a field that every item has fills in nothing. */
function isNeverFilled(old: Structural, next: Structural, key: string): boolean {
  const [before, after] = [old.items?.properties.get(key), next.items?.properties.get(key)];
  if (before === undefined || after === undefined || old.items?.required.includes(key) !== true) return false;
  const isPlain = before.default === undefined && !before.nullable && !after.nullable;
  return isPlain && isSeenAlike(newSchema({ ...before, default: after.default }), after);
}

function* listsOf(old: Structural, sampler: Sampler, sizes: readonly number[]): Generator<JsonValue> {
  for (const size of new Set(sizes)) {
    if (size < 0 || size > MANY || old.items === undefined) continue;
    const items = sampler.distinctItems(old, [old.items], size);
    if (items.length >= size) yield items.slice(0, size);
  }
}

function* duplicates(old: Structural, next: Structural, sampler: Sampler): Generator<JsonValue> {
  // If any item was allowed, items of the new schema were allowed too.
  const schema = old.items ?? next.items;
  if (schema === undefined) return;
  const samples = sampler.samples(schema, 6);
  for (const item of samples) yield [item, item];
  for (const item of samples) yield [item];
  const items = samples.filter(isObject);
  // Different items without the keys, or items that are equal in the new keys only.
  for (const one of items) {
    for (const other of items) {
      yield [one, other];
      yield [withKeysOf(one, other, next.listMapKeys), other];
    }
  }
}

function withKeysOf(item: JsonObject, other: JsonObject, keys: readonly string[]): JsonObject {
  const copy = Object.assign(newObject(), item);
  for (const key of keys) {
    const value = other[key];
    if (value === undefined) delete copy[key];
    else copy[key] = value;
  }
  return copy;
}

export interface ObjectContext {
  /** Whether the new schema adds or drops members, so that counts change. */
  readonly addsMembers: boolean;
  readonly dropsMembers: boolean;
  /** A whole resource, which always has its type and metadata. */
  readonly isRoot: boolean;
}

export function sizeObligations(
  old: Structural,
  next: Structural,
  kinds: ReadonlySet<Kind>,
  sampler: Sampler,
  context: ObjectContext,
): Obligation[] {
  if (!kinds.has("object")) return [];
  const nodes = conjuncts(old);
  const isOpen = undeclared(old) !== undefined;
  const always = context.isRoot ? RESOURCE_MEMBERS : old.embeddedResource ? ["apiVersion", "kind"] : [];
  const required = new Set([...nodes.flatMap((node) => node.required), ...always]).size;
  const min = largest([...nodes.map(({ minProperties }) => minProperties), required], 0);
  const declared = isOpen ? Number.POSITIVE_INFINITY : memberCount(old, context.isRoot);
  const max = smallest([...nodes.map(({ maxProperties }) => maxProperties), declared], Number.POSITIVE_INFINITY);
  const found: Obligation[] = [];
  const { minProperties = 0, maxProperties } = next;
  if (minProperties > 0) {
    const proof = context.dropsMembers ? open() : bound(min >= minProperties);
    found.push({
      keyword: "minProperties",
      detail: "",
      proof,
      candidates: () => objectsOf(old, sampler, [minProperties - 1, min, 0]),
    });
  }
  if (maxProperties !== undefined) {
    const all = memberCount(next, context.isRoot) <= maxProperties && undeclared(next) === undefined;
    const proof = all ? bound(true) : context.addsMembers ? open() : bound(max <= maxProperties);
    found.push({
      keyword: "maxProperties",
      detail: "",
      proof,
      candidates: () => [
        ...objectsOf(old, sampler, [maxProperties + 1, maxProperties]),
        ...objectsWithNulls(old, next, sampler),
      ],
    });
  }
  if (isClosed(next) && !isClosed(old)) {
    found.push({
      keyword: "additionalProperties",
      detail: "",
      proof: open(),
      candidates: () => objectsOf(old, sampler, [1, 2, 3]),
    });
  }
  return found;
}

/** `additionalProperties: false` refuses members instead of dropping them. */
function isClosed({ additionalProperties }: Structural): boolean {
  return additionalProperties?.allows === false && additionalProperties.schema === undefined;
}

/** A resource keeps its type and metadata whether or not the schema names them. */
function memberCount({ properties, embeddedResource }: Structural, isRoot: boolean): number {
  return new Set([...properties.keys(), ...(embeddedResource || isRoot ? RESOURCE_MEMBERS : [])]).size;
}

function* objectsOf(old: Structural, sampler: Sampler, sizes: readonly number[]): Generator<JsonValue> {
  const bases = sampler.samples(old, 4).filter(isObject);
  for (const size of new Set(sizes)) {
    if (size < 0 || size > MANY) continue;
    for (const base of bases) {
      const grown = grow(base, size, old, sampler);
      if (grown !== undefined) yield grown;
    }
  }
  yield* bases;
}

/** Objects with fields that only the new schema has: the old one drops them from a manifest. */
export function* objectsWithNew(old: Structural, next: Structural, sampler: Sampler): Generator<JsonValue> {
  const names = [...next.properties.keys()].filter((name) => !old.properties.has(name));
  const keys = undeclared(next) === undefined ? [] : sampler.freshKeys([next], MANY_KEYS);
  for (const base of sampler.samples(old, 6).filter(isObject)) {
    yield grown(base, [...names, ...keys], [old, next], sampler);
    yield grown(base, [...old.properties.keys(), ...names, ...keys], [old, next], sampler);
  }
}

/** Objects with nulls that the old schema drops and the new one keeps. */
function* objectsWithNulls(old: Structural, next: Structural, sampler: Sampler): Generator<JsonValue> {
  const named = [...next.properties].flatMap(([name, property]) => (property.nullable ? [name] : []));
  const keys = undeclared(next)?.nullable === true ? sampler.freshKeys([next], MANY_KEYS) : [];
  if (named.length + keys.length === 0) return;
  for (const base of sampler.samples(old, 6).filter(isObject)) {
    const object = Object.assign(newObject(), base);
    for (const name of [...named, ...keys]) if (!(name in object)) object[name] = null;
    yield object;
  }
}

const MANY_KEYS = 12;

function grown(
  base: JsonObject,
  names: readonly string[],
  [old, next]: readonly [Structural, Structural],
  sampler: Sampler,
): JsonObject {
  const object = Object.assign(newObject(), base);
  for (const name of names) {
    const schema = old.properties.get(name) ?? next.properties.get(name) ?? undeclared(next);
    object[name] ??= (schema && sampler.first(schema)) ?? "a";
  }
  return object;
}

function grow(base: JsonObject, size: number, old: Structural, sampler: Sampler): JsonObject | undefined {
  const object = Object.assign(newObject(), base);
  const names = [...old.properties.keys(), ...sampler.freshKeys([old], Math.min(size, 64))];
  for (const name of names) {
    if (Object.keys(object).length >= size) break;
    const schema = old.properties.get(name) ?? old.additionalProperties?.schema;
    const value = schema === undefined ? "a" : sampler.first(schema);
    if (value !== undefined) object[name] ??= value;
  }
  return Object.keys(object).length >= size ? object : undefined;
}

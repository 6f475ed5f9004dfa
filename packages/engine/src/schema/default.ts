/**
 * Defaulting: absent properties, and nulls where null is not allowed, take the default of their schema.
 *
 * Follows apiextensions pkg/apiserver/schema/defaulting/algorithm.go. Defaults are applied to what a default put in
 * place, so an inner default completes an outer one; a missing parent without a default of its own stays missing.
 *
 * Most of a schema has no defaults, so it is first reduced to the part that does; only that part of a value is walked.
 */
import { countWork } from "@portcullis/gostd/work";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { copyObject } from "../value/rewrite.ts";
import type { Structural } from "./structural.ts";

/** The result may share parts with the value and with the schema's defaults; neither is ever mutated. */
export function applyDefaults(value: JsonValue, schema: Structural | undefined): JsonValue {
  const node = schema && defaultsOf(schema);
  if (node === undefined) return value;
  added = 0;
  return applyNode(value, node);
}

/** A default of a few hundred kilobytes for each of a few thousand items is more than a process can write. */
export class TooManyDefaults extends Error {
  override readonly name = "TooManyDefaults";
  constructor() {
    super("etcdserver: request is too large");
  }
}

/** In characters of JSON: more than a store takes. */
const MAX_ADDED = 1 << 22;

/** By the present call. */
let added = 0;

/** A schema that has a default at or below it. */
interface DefaultNode {
  /** What takes the place of a null; undefined where null may stay. */
  readonly forNull: JsonValue | undefined;
  /** Properties that have a default themselves. */
  readonly missing: readonly Missing[];
  /** Members that have a default below them; where they are few, also as a list, which is walked faster. */
  readonly members: ReadonlyMap<string, DefaultNode>;
  readonly fewMembers: readonly (readonly [name: string, node: DefaultNode])[] | undefined;
  /** For members that are no properties. */
  readonly additional: DefaultNode | undefined;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly items: DefaultNode | undefined;
  /** Nothing below has a default: only a null can be replaced here. */
  readonly isLeaf: boolean;
}

interface Missing {
  readonly name: string;
  /** With the name, in characters of JSON. */
  readonly size: number;
  readonly value: JsonValue;
  readonly nullable: boolean;
}

const compiled = new WeakMap<Structural, { readonly node: DefaultNode | undefined }>();

function defaultsOf(schema: Structural): DefaultNode | undefined {
  let known = compiled.get(schema);
  if (known === undefined) {
    known = { node: compile(schema) };
    compiled.set(schema, known);
  }
  return known.node;
}

function compile(schema: Structural): DefaultNode | undefined {
  const members = new Map<string, DefaultNode>();
  const missing: Missing[] = [];
  for (const [name, property] of schema.properties) {
    if (property.default !== undefined) missing.push(missingOf(name, property.default, property.nullable));
    const inner = defaultsOf(property);
    if (inner !== undefined && !inner.isLeaf) members.set(name, inner);
  }
  const additional = schema.additionalProperties?.schema && defaultsOf(schema.additionalProperties.schema);
  const fewMembers = additional === undefined && members.size <= FEW ? [...members] : undefined;
  const items = schema.items && defaultsOf(schema.items);
  const isLeaf = missing.length + members.size === 0 && (additional ?? items) === undefined;
  const forNull = schema.nullable ? undefined : schema.default;
  if (isLeaf && forNull === undefined) return undefined;
  return { forNull, missing, members, fewMembers, additional, properties: schema.properties, items, isLeaf };
}

function missingOf(name: string, value: JsonValue, nullable: boolean): Missing {
  return { name, value, nullable, size: name.length + QUOTES + sizeOf(value) };
}

/** Of a name, with the colon and the comma. */
const QUOTES = 4;
/** Of a number, a boolean or null, with the comma. */
const SCALAR = 5;

/** About how long the value is as JSON. */
function sizeOf(value: JsonValue): number {
  if (typeof value === "string") return value.length + QUOTES;
  if (isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), QUOTES);
  if (!isObject(value)) return SCALAR;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + QUOTES + sizeOf(member), QUOTES);
}

const WORK_OF_DEFAULT = 4;

const FEW = 6;

function applyNode(value: JsonValue, node: DefaultNode): JsonValue {
  if (isArray(value)) return node.items === undefined ? value : applyToItems(value, node.items);
  return isObject(value) ? applyToObject(value, node) : value;
}

/** For values that are no properties: a null that is not allowed becomes the default; without one it stays null. */
function applyOrReplace(value: JsonValue, node: DefaultNode): JsonValue {
  const present = value === null && node.forNull !== undefined ? node.forNull : value;
  return node.isLeaf ? present : applyNode(present, node);
}

function applyToItems(items: JsonValue[], node: DefaultNode): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    const changed = applyOrReplace(item, node);
    if (copy === undefined && changed !== item) copy = items.slice(0, index);
    copy?.push(changed);
  }
  return copy ?? items;
}

/** At most one copy is made, by whichever part first has something to change. */
function applyToObject(object: JsonObject, node: DefaultNode): JsonObject {
  const complete = addMissing(object, node.missing);
  const copy = complete === object ? undefined : complete;
  return node.fewMembers === undefined
    ? applyToMembers(complete, copy, node)
    : applyToFewMembers(complete, copy, node.fewMembers);
}

function applyToFewMembers(
  object: JsonObject,
  given: JsonObject | undefined,
  members: readonly (readonly [name: string, node: DefaultNode])[],
): JsonObject {
  let copy = given;
  for (let index = 0; index < members.length; index++) {
    const [name, inner] = members[index] as readonly [string, DefaultNode];
    const member = object[name];
    if (member === undefined) continue;
    const changed = applyNode(member, inner);
    if (changed === member) continue;
    copy ??= copyObject(object);
    copy[name] = changed;
  }
  return copy ?? object;
}

function applyToMembers(object: JsonObject, given: JsonObject | undefined, node: DefaultNode): JsonObject {
  let copy = given;
  for (const key in object) {
    const member = object[key] as JsonValue;
    const changed = applyToMember(member, key, node);
    if (changed === member) continue;
    copy ??= copyObject(object);
    copy[key] = changed;
  }
  return copy ?? object;
}

function applyToMember(member: JsonValue, key: string, node: DefaultNode): JsonValue {
  const inner = node.members.get(key);
  if (inner !== undefined) return applyNode(member, inner);
  if (node.additional === undefined || node.properties.has(key)) return member;
  return applyOrReplace(member, node.additional);
}

function addMissing(object: JsonObject, missing: readonly Missing[]): JsonObject {
  let copy: JsonObject | undefined;
  for (let index = 0; index < missing.length; index++) {
    const { name, value, nullable, size } = missing[index] as Missing;
    // Objects inherit nothing, so what is not undefined is there.
    const member = object[name];
    if (member !== undefined && (member !== null || nullable)) continue;
    copy ??= copyObject(object);
    copy[name] = value;
    countWork(WORK_OF_DEFAULT);
    added += size;
    if (added > MAX_ADDED) throw new TooManyDefaults();
  }
  return copy ?? object;
}

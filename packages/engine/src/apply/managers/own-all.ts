/**
 * Who creates an object owns all of it: the field set of a new custom resource, written in one walk.
 *
 * The exact way compares the object with an empty one and works for every write; this one knows that everything is new. It
 * gives up on whatever is unusual (nulls, values that do not fit, items with equal or missing keys, great depth) and leaves it to the
 * exact way; a property test holds the two together.
 */
import { encodeElement } from "../../fieldset/serialize.ts";
import type { FieldSet } from "../../fieldset/set.ts";
import { isArray, isNumber, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { completeItem } from "../list-item.ts";
import type { FieldManagerScope } from "../scope.ts";
import { NEVER_OWNED_METADATA } from "../scope.ts";
import { formOf, memberType, resolveForm } from "../types/form.ts";
import type { ListType, MapType, MergeType, ScalarKind } from "../types/types.ts";
import { validateType } from "../validate.ts";

/** A value that only the exact algorithm can handle. */
const UNUSUAL = Symbol("unusual");
type Unusual = typeof UNUSUAL;

/** `FieldsV1` of a new object without managed fields; undefined if the exact way has to be taken. */
export function ownAll(scope: FieldManagerScope, object: JsonObject): JsonObject | undefined {
  const type = scope.types.typeOf(scope.apiVersion, scope.kind);
  const skipped = namesOf(scope.resetFields.get(scope.apiVersion));
  const isOwnKind = object["apiVersion"] === scope.apiVersion && object["kind"] === scope.kind;
  if (type?.map === undefined || skipped === undefined || !isOwnKind || !isBare(scope.emptyObject)) return undefined;
  const node = newObject();
  for (const name in object) {
    const below = ownMember(type.map, name, object[name] as JsonValue, DEPTH);
    if (below === UNUSUAL) return undefined;
    if (name === "apiVersion" || name === "kind" || skipped.has(name)) continue;
    const kept = name === "metadata" ? withoutSystemFields(below) : below;
    if (kept !== undefined) node[`f:${name}`] = kept;
  }
  return isEmpty(node) ? undefined : node;
}

const DEPTH = 100;
/** Shared: objects can have hundreds of thousands of leaves. */
const NOTHING_BELOW: JsonObject = Object.freeze(newObject());

/** Built-in kinds write fields that are zero, and those are not new. */
function isBare(empty: JsonObject): boolean {
  return Object.keys(empty).every((name) => name === "apiVersion" || name === "kind");
}

/** Members of the root that are left to others; undefined where something deeper is. */
function namesOf(fields: FieldSet | undefined): ReadonlySet<string> | undefined {
  if (fields === undefined) return NO_NAMES;
  if (fields.children.length > 0) return undefined;
  return new Set(fields.members.map((element) => (element.kind === "field" ? element.name : "")));
}

const NO_NAMES: ReadonlySet<string> = new Set();

function isEmpty(node: JsonObject): boolean {
  for (const _ in node) return false;
  return true;
}

/** Nobody owns metadata itself, nor what the server sets there. */
function withoutSystemFields(metadata: JsonObject): JsonObject | undefined {
  const node = newObject();
  for (const key in metadata) {
    if (key !== "." && !NEVER_OWNED_METADATA.has(key.slice(2))) node[key] = metadata[key] as JsonValue;
  }
  return isEmpty(node) ? undefined : node;
}

function ownMember(map: MapType, name: string, value: JsonValue, depth: number): JsonObject | Unusual {
  const type = memberType(map, name);
  return type === undefined ? UNUSUAL : own(type, value, depth - 1);
}

/** What is written for a value: nothing but braces where it is taken as a whole. */
function own(type: MergeType, value: JsonValue, depth: number): JsonObject | Unusual {
  if (value === null || depth === 0) return UNUSUAL;
  const form = resolveForm(type, formOf(type, value));
  if (form === "map" && type.map !== undefined) return isObject(value) ? ownMap(type, type.map, value, depth) : UNUSUAL;
  if (form === "list" && type.list !== undefined)
    return isArray(value) ? ownList(type, type.list, value, depth) : UNUSUAL;
  return form === "scalar" && type.scalar !== undefined && fits(type.scalar, value) ? NOTHING_BELOW : UNUSUAL;
}

function fits(kind: ScalarKind, value: JsonValue): boolean {
  if (kind === "numeric") return isNumber(value);
  if (kind === "untyped") return !isArray(value) && !isObject(value);
  return typeof value === kind;
}

function ownMap(type: MergeType, map: MapType, value: JsonObject, depth: number): JsonObject | Unusual {
  if (map.relationship === "atomic") return ownWhole(type, value);
  const node = newObject();
  for (const name in value) {
    node["."] ??= NOTHING_BELOW;
    const below = ownMember(map, name, value[name] as JsonValue, depth);
    if (below === UNUSUAL) return UNUSUAL;
    node[`f:${name}`] = below;
  }
  return node;
}

function ownList(type: MergeType, list: ListType, items: JsonValue[], depth: number): JsonObject | Unusual {
  if (list.relationship === "atomic") return ownWhole(type, items);
  const node = newObject();
  for (const item of items) {
    node["."] ??= NOTHING_BELOW;
    const element = completeItem(list, item).value;
    if (element === undefined || list.element === undefined) return UNUSUAL;
    const key = encodeElement(element);
    const below = own(list.element, item, depth - 1);
    if (below === UNUSUAL || node[key] !== undefined) return UNUSUAL;
    node[key] = below;
  }
  return node;
}

function ownWhole(type: MergeType, value: JsonValue): JsonObject | Unusual {
  return validateType(type, value, { allowDuplicates: true, needsAllKeys: true }).length === 0
    ? NOTHING_BELOW
    : UNUSUAL;
}

/**
 * Strategic merge patches: JSON merge patches that know the Go type of the object, merge lists by key and obey directives.
 *
 * Follows apimachinery util/strategicpatch/patch.go as the API server calls it. Directives are taken out of the patch
 * while it is merged, and messages print what is left, so the patch comes back beside the result.
 */
import { Panic } from "@portcullis/cel/internal";
import { badRequest } from "../status/error.ts";
import { deepCopy } from "../value/copy.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import * as messages from "./messages.ts";
import { mergeOrdered } from "./order.ts";
import { itemMeta, memberMeta, type PatchType } from "./patch-type.ts";
import {
  checkOrder,
  DIRECTIVE,
  elementKind,
  failure,
  identity,
  kindOf,
  type ListOptions,
  mergeLists,
  partition,
} from "./strategic-list.ts";

export interface StrategicResult {
  readonly object: JsonObject;
  /** The patch as merging left it. */
  readonly patch: JsonObject;
}

/** Throws the API server's refusal where the patch cannot be applied. */
export function applyStrategicPatch(object: JsonObject, patch: JsonObject, type: PatchType): StrategicResult {
  const remaining = deepCopy(patch);
  try {
    return { object: mergeMaps(deepCopy(object), remaining, type), patch: remaining };
  } catch (error) {
    throw error instanceof Panic ? failure(messages.crashed()) : error;
  }
}

const RETAIN_KEYS = "$retainKeys";
const DELETE_FROM_LIST = "$deleteFromPrimitiveList";
const ELEMENT_ORDER = "$setElementOrder";

/** INVARIANT: both are copies that may be changed; nested values of the patch become part of the result. */
function mergeMaps(object: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  if (hasKey(patch, DIRECTIVE)) return replaceOrDelete(patch);
  retainKeys(object, patch);
  mergeOrderedLists(object, patch, type);
  for (const key of Object.keys(patch)) mergeMember(object, key, patch[key] ?? null, type);
  return object;
}

function replaceOrDelete(patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE] ?? null;
  if (directive === "replace") {
    delete patch[DIRECTIVE];
    return patch;
  }
  if (directive === "delete") return newObject();
  throw failure(messages.badDirective(directive, patch));
}

function retainKeys(object: JsonObject, patch: JsonObject): void {
  if (!hasKey(patch, RETAIN_KEYS)) return;
  const keys = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!isArray(keys)) throw badRequest(messages.badRetainKeys());
  const retained = new Set(keys);
  for (const [key, value] of Object.entries(patch)) {
    const isFree = value === null || key.startsWith(DELETE_FROM_LIST) || key.startsWith(ELEMENT_ORDER);
    if (!isFree && !retained.has(key)) throw badRequest(messages.badRetainKeys());
  }
  for (const key of Object.keys(object)) if (!retained.has(key)) delete object[key];
}

function mergeMember(object: JsonObject, key: string, value: JsonValue, type: PatchType): void {
  const isDeletion = key.startsWith(DELETE_FROM_LIST);
  const name = isDeletion ? listName(key, DELETE_FROM_LIST, messages.badPrimitiveList()) : key;
  if (value === null) {
    delete object[name];
    return;
  }
  const current = object[name];
  if (current === undefined || kindOf(current) !== kindOf(value)) {
    if (!isDeletion) take(object, name, value);
  } else if (isObject(current) && isObject(value)) {
    const { type: member, strategy } = memberMeta(type, name, failure);
    object[name] = strategy === "replace" ? value : mergeMaps(current, value, member);
  } else if (isArray(current) && isArray(value)) {
    const { type: item, strategy, mergeKey } = itemMeta(type, name, failure);
    if (strategy === "merge" || isDeletion)
      object[name] = mergeLists(current, value, { ...mergingOf(item), mergeKey, isDeletion });
    else object[name] = value;
  } else take(object, name, value);
}

/** A value of the patch as it is, without nulls and directives. */
function take(object: JsonObject, name: string, value: JsonValue): void {
  dropNulls(value);
  const kept = withoutDirectives(value);
  if (kept === undefined) delete object[name];
  else object[name] = kept;
}

function dropNulls(value: JsonValue): void {
  if (isArray(value)) value.forEach(dropNulls);
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (member === null) delete value[key];
      else dropNulls(member);
    }
  }
}

/** Undefined for a map that holds a directive. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (hasKey(value, DIRECTIVE)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const kept = withoutDirectives(member);
    if (kept === undefined) delete value[key];
    else value[key] = kept;
  }
  return value;
}

function mergeOrderedLists(object: JsonObject, patch: JsonObject, type: PatchType): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(ELEMENT_ORDER) || !hasKey(patch, key)) continue;
    const order = patch[key] ?? null;
    delete patch[key];
    if (!isArray(order)) throw failure(messages.badArgument(order));
    mergeOrderedList(object, patch, { name: listName(key, ELEMENT_ORDER, messages.badElementOrder()), order, type });
  }
}

interface ElementOrder {
  readonly name: string;
  readonly order: JsonValue[];
  readonly type: PatchType;
}

function mergeOrderedList(object: JsonObject, patch: JsonObject, { name, order, type }: ElementOrder): void {
  const current = listAt(object, name);
  const changes = listAt(patch, name);
  const { type: item, strategy, mergeKey } = itemMeta(type, name, failure);
  checkOrder(changes ?? [], order, mergeKey);
  if (current === undefined && changes === undefined) return;
  const elements = elementKind([current ?? [], changes ?? []]);
  const merged = mergedList(current, changes, { ...mergingOf(item), mergeKey, isDeletion: false, strategy });
  const items = partition(merged, order, mergeKey);
  object[name] = mergeOrdered(items, order, current ?? [], (each) => identity(each, elements, mergeKey));
  delete patch[name];
}

function mergedList(
  current: JsonValue[] | undefined,
  changes: JsonValue[] | undefined,
  options: ListOptions & { readonly strategy: string },
): JsonValue[] {
  if (changes === undefined) return current ?? [];
  if (current === undefined) return changes.map(withoutDirectives).filter((item) => item !== undefined);
  return options.strategy === "merge" ? mergeLists(current, changes, options) : changes;
}

function mergingOf(type: PatchType): Pick<ListOptions, "kind" | "mergeItem"> {
  return { kind: type.kind, mergeItem: (item, change) => mergeMaps(item, change, type) };
}

function listAt(object: JsonObject, name: string): JsonValue[] | undefined {
  const value = object[name];
  if (value === undefined || isArray(value)) return value;
  throw failure(messages.badArgument(value));
}

function listName(key: string, prefix: string, error: string): string {
  const slash = key.indexOf("/");
  if (slash === -1 || key.slice(0, slash) !== prefix) throw badRequest(error);
  return key.slice(slash + 1);
}

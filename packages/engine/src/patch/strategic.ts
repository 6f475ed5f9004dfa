/**
 * Strategic merge patches: JSON merge patches that know the Go type of the object, merge lists by key and obey directives.
 *
 * Follows apimachinery util/strategicpatch/patch.go as the API server calls it. Directives are taken out of the patch
 * while it is merged, and messages print what is left, so the patch comes back beside the result. Upstream compares
 * items one by one; here they are found by key, which keeps a hostile patch from taking quadratic time.
 */
import { Panic } from "@portcullis/cel";
import { goKey, goText } from "../kubecel/go-data.ts";
import { badRequest, StatusError } from "../status/error.ts";
import { deepCopy } from "../value/copy.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import * as messages from "./messages.ts";
import { mergeOrdered, type OrderedItems } from "./order.ts";
import { itemMeta, memberMeta, type PatchType } from "./patch-type.ts";

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

const DIRECTIVE = "$patch";
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
    if (strategy === "merge" || isDeletion) object[name] = mergeLists(current, value, { item, mergeKey, isDeletion });
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
  const merged = mergedList(current, changes, { item, mergeKey, isDeletion: false, strategy });
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

function listAt(object: JsonObject, name: string): JsonValue[] | undefined {
  const value = object[name];
  if (value === undefined || isArray(value)) return value;
  throw failure(messages.badArgument(value));
}

/** Items of the patch must stand in the order that the directive gives. */
function checkOrder(changes: JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0 || changes.length === 0) return;
  const kept = mergeKey === "" ? changes : changes.filter((item) => mapOf(item)[DIRECTIVE] !== "delete");
  let at = 0;
  let next = 0;
  while (at < kept.length && next < order.length) {
    const item = kept[at] ?? null;
    if (isObject(item) && hasKey(item, DIRECTIVE)) at++;
    else if (sameItem(item, order[next++] ?? null, mergeKey)) at++;
  }
  if (at < kept.length && next >= order.length) throw failure(messages.orderMismatch(changes, [...order]));
}

function sameItem(left: JsonValue, right: JsonValue, mergeKey: string): boolean {
  if (mergeKey === "") return goKey(left) === goKey(right);
  return goKey(keyOf(left, mergeKey)) === goKey(keyOf(right, mergeKey));
}

interface ListOptions {
  readonly item: PatchType;
  readonly mergeKey: string;
  readonly isDeletion: boolean;
}

function mergeLists(current: JsonValue[], changes: JsonValue[], options: ListOptions): JsonValue[] {
  if (current.length === 0 && changes.length === 0) return current;
  const elements = elementKind([current, changes]);
  const { mergeKey, isDeletion, item } = options;
  if (elements !== "map") return mergeScalars(current, changes, { mergeKey, isDeletion });
  if (mergeKey === "") throw failure(messages.noMergeKeyFor(item.kind));
  const { base, plain } = obeyDirectives(current, changes, mergeKey);
  const merged = mergeByKey(base, plain, options);
  const order = (each: JsonValue): string => identity(each, elements, mergeKey);
  return mergeOrdered(partition(merged, plain, mergeKey), plain, base, order);
}

function mergeScalars(
  current: JsonValue[],
  changes: JsonValue[],
  { mergeKey, isDeletion }: { readonly mergeKey: string; readonly isDeletion: boolean },
): JsonValue[] {
  if (isDeletion) {
    const deleted = new Set(changes.map(goKey));
    return current.filter((item) => !deleted.has(goKey(item)));
  }
  const distinct = [...new Map([...current, ...changes].map((item) => [goKey(item), item])).values()];
  return mergeOrdered(partition(distinct, changes, mergeKey), changes, current, goKey);
}

/** Items with directives delete others or replace the list; what is left is merged. */
function obeyDirectives(
  current: JsonValue[],
  changes: JsonValue[],
  mergeKey: string,
): { readonly base: JsonValue[]; readonly plain: JsonValue[] } {
  const plain: JsonValue[] = [];
  const deleted = new Set<string>();
  let isReplaced = false;
  for (const change of changes) {
    const directive = mapOf(change)[DIRECTIVE];
    if (directive === undefined) plain.push(change);
    else if (directive === "delete") deleted.add(goKey(keyOf(change, mergeKey)));
    else if (directive === "replace") isReplaced = true;
    else if (directive === "merge") throw failure(messages.noListMerge());
    else throw failure(messages.badDirective(directive, mapOf(change)));
  }
  if (isReplaced) return { base: plain, plain: [] };
  const base = deleted.size === 0 ? current : current.filter((item) => !isDeleted(item, mergeKey, deleted));
  return { base, plain };
}

function isDeleted(item: JsonValue, mergeKey: string, deleted: ReadonlySet<string>): boolean {
  const value = mapOf(item)[mergeKey];
  return value !== undefined && deleted.has(goKey(value));
}

function mergeByKey(base: JsonValue[], changes: readonly JsonValue[], { item, mergeKey }: ListOptions): JsonValue[] {
  const merged = [...base];
  const places = new Map<string, number>();
  base.forEach((each, index) => {
    const value = mapOf(each)[mergeKey];
    if (value !== undefined && !places.has(goKey(value))) places.set(goKey(value), index);
  });
  for (const change of changes) {
    const key = goKey(keyOf(change, mergeKey));
    const place = places.get(key);
    if (place === undefined) places.set(key, merged.push(change) - 1);
    else merged[place] = mergeMaps(mapOf(merged[place] ?? null), mapOf(change), item);
  }
  return merged;
}

function partition(items: readonly JsonValue[], by: readonly JsonValue[], mergeKey: string): OrderedItems {
  const keys = new Set(by.map((item) => goKey(mergeKey === "" ? item : (mapOf(item)[mergeKey] ?? null))));
  const patched: JsonValue[] = [];
  const live: JsonValue[] = [];
  for (const item of items) {
    const key = goKey(mergeKey === "" ? item : keyOf(item, mergeKey));
    (keys.has(key) ? patched : live).push(item);
  }
  return { patched, live };
}

function identity(item: JsonValue, elements: string, mergeKey: string): string {
  return goKey(elements === "map" ? keyOf(item, mergeKey) : item);
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  const map = mapOf(item);
  const value = map[mergeKey];
  if (value === undefined) throw failure(messages.noMergeKey(map, mergeKey));
  return value;
}

function mapOf(item: JsonValue): JsonObject {
  if (isObject(item)) return item;
  throw failure(messages.badMapArgument(item));
}

/** All items must be of one kind, and none a list. */
function elementKind(lists: readonly JsonValue[][]): string {
  let kind: string | undefined;
  for (const item of lists.flat()) {
    const found = kindOf(item);
    if (kind === undefined && found === "slice") throw unprocessable();
    if (kind !== undefined && kind !== found) throw failure(messages.mixedElements(lists.map((list) => goText(list))));
    kind = found;
  }
  if (kind === undefined) throw failure(messages.noElements());
  return kind;
}

function kindOf(value: JsonValue): string {
  if (value === null) return "nil";
  if (isArray(value)) return "slice";
  return isObject(value) ? "map" : messages.scalarKind(value);
}

function listName(key: string, prefix: string, error: string): string {
  const slash = key.indexOf("/");
  if (slash === -1 || key.slice(0, slash) !== prefix) throw badRequest(error);
  return key.slice(slash + 1);
}

/** Upstream gives these no status of their own. */
function failure(message: string): StatusError {
  return new StatusError({ code: 500, reason: "", message });
}

function unprocessable(): StatusError {
  return new StatusError({ code: 422, reason: "Invalid", message: messages.rejected(), details: {} });
}

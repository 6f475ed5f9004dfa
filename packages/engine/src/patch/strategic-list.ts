/**
 * Lists under a strategic merge patch: items are merged by key, items with directives delete others or replace the
 * list, and the items of the patch keep the patch's order.
 *
 * Upstream compares items one by one; here they are found by key, which keeps a hostile patch from taking quadratic time.
 * How two items become one is the caller's: they are merged as maps of their type are.
 */
import { goKey, goText } from "../kubecel/go-data.ts";
import { StatusError } from "../status/error.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import * as messages from "./messages.ts";
import { mergeOrdered, type OrderedItems } from "./order.ts";

export const DIRECTIVE = "$patch";

export interface ListOptions {
  /** The kind of the type of items. */
  readonly kind: string;
  /** INVARIANT: both are copies that may be changed. */
  readonly mergeItem: (item: JsonObject, change: JsonObject) => JsonObject;
  readonly mergeKey: string;
  readonly isDeletion: boolean;
}

export function mergeLists(current: JsonValue[], changes: JsonValue[], options: ListOptions): JsonValue[] {
  if (current.length === 0 && changes.length === 0) return current;
  const elements = elementKind([current, changes]);
  const { mergeKey, isDeletion, kind } = options;
  if (elements !== "map") return mergeScalars(current, changes, { mergeKey, isDeletion });
  if (mergeKey === "") throw failure(messages.noMergeKeyFor(kind));
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

function mergeByKey(
  base: JsonValue[],
  changes: readonly JsonValue[],
  { mergeItem, mergeKey }: ListOptions,
): JsonValue[] {
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
    else merged[place] = mergeItem(mapOf(merged[place] ?? null), mapOf(change));
  }
  return merged;
}

export function partition(items: readonly JsonValue[], by: readonly JsonValue[], mergeKey: string): OrderedItems {
  // An item is looked for from the beginning: what is not a map only matters if the search gets there.
  const wrong = mergeKey === "" ? -1 : by.findIndex((item) => !isObject(item));
  const seen = wrong === -1 ? by : by.slice(0, wrong);
  const keys = new Set(seen.map((item) => goKey(mergeKey === "" ? item : (mapOf(item)[mergeKey] ?? null))));
  const patched: JsonValue[] = [];
  const live: JsonValue[] = [];
  for (const item of items) {
    const key = goKey(mergeKey === "" ? item : keyOf(item, mergeKey));
    if (wrong !== -1 && !keys.has(key)) throw failure(messages.notAMapAt(wrong));
    (keys.has(key) ? patched : live).push(item);
  }
  return { patched, live };
}

export function identity(item: JsonValue, elements: string, mergeKey: string): string {
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
export function elementKind(lists: readonly JsonValue[][]): string {
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

export function kindOf(value: JsonValue): string {
  if (value === null) return "nil";
  if (isArray(value)) return "slice";
  return isObject(value) ? "map" : messages.scalarKind(value);
}

/** Items of the patch must be in the order of the directive. */
export function checkOrder(changes: JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
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

/** Upstream gives these no status of their own. */
export function failure(message: string): StatusError {
  return new StatusError({ code: 500, reason: "", message });
}

function unprocessable(): StatusError {
  return new StatusError({ code: 422, reason: "Invalid", message: messages.rejected(), details: {} });
}

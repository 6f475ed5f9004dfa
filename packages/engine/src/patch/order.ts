/**
 * The order of a merged list: items of the patch in the patch's order, items only the live list has in their own, and
 * the two woven together by the live list.
 */
import type { JsonValue } from "../value/json.ts";

export interface OrderedItems {
  /** Items that the patch, or its order directive, names. */
  readonly patched: readonly JsonValue[];
  readonly live: readonly JsonValue[];
}

export function mergeOrdered(
  items: OrderedItems,
  patchOrder: readonly JsonValue[],
  liveOrder: readonly JsonValue[],
  identity: (item: JsonValue) => string,
): JsonValue[] {
  const livePlaces = places(liveOrder, identity);
  const patched = sortBy(items.patched, places(patchOrder, identity), identity);
  const live = sortBy(items.live, livePlaces, identity);
  return weave(live, patched, (item) => livePlaces.get(identity(item)));
}

function places(order: readonly JsonValue[], identity: (item: JsonValue) => string): Map<string, number> {
  const found = new Map<string, number>();
  order.forEach((item, index) => {
    const key = identity(item);
    if (!found.has(key)) found.set(key, index);
  });
  return found;
}

function sortBy(
  items: readonly JsonValue[],
  order: ReadonlyMap<string, number>,
  identity: (item: JsonValue) => string,
): JsonValue[] {
  const ranked = items.map((item) => ({ item, rank: order.get(identity(item)) ?? -1 }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

/** A live item goes first only if both are in the live list and it comes before the other there. */
function weave(
  live: readonly JsonValue[],
  patched: readonly JsonValue[],
  place: (item: JsonValue) => number | undefined,
): JsonValue[] {
  const woven: JsonValue[] = [];
  let next = 0;
  for (const item of patched) {
    const at = place(item);
    for (; next < live.length; next++) {
      const other = live[next] ?? null;
      const otherAt = place(other);
      if (at === undefined || otherAt === undefined || otherAt >= at) break;
      woven.push(other);
    }
    woven.push(item);
  }
  return [...woven, ...live.slice(next)];
}

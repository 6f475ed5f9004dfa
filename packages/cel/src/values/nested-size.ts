/** How much a value is when it is written out. */
import { countWork } from "@portcullis/gostd/work";
import { ListValue, MapValue, OptionalValue, type Value } from "./value.ts";

/**
 * Whether lists and maps have more elements than this, with those within them. Parts that occur several times count each
 * time: `[1].map(a, [a, a]).map(b, [b, b])…` doubles with each step, and costs little.
 */
export function isLargerThan(value: Value, limit: number): boolean {
  return countElements(value, limit) < 0;
}

/** What is left of the limit; negative if that is exceeded. */
function countElements(value: Value, limit: number): number {
  if (value instanceof OptionalValue) return value.value === undefined ? limit : countElements(value.value, limit);
  if (!(value instanceof ListValue) && !(value instanceof MapValue)) return limit;
  countWork(value.size + 1);
  let left = limit - value.size;
  if (left < 0) return left;
  for (const part of partsOf(value)) {
    left = countElements(part, left);
    if (left < 0) break;
  }
  return left;
}

function* partsOf(value: ListValue | MapValue): Iterable<Value> {
  if (value instanceof ListValue) {
    for (let index = 0; index < value.size; index++) yield value.at(index);
    return;
  }
  for (const key of value.keys()) yield value.get(key) ?? null;
}

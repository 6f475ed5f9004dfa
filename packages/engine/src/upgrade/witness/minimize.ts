/** Makes a witness small: removes or shortens every part that it does not need. */
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { type DataStep, setAt } from "../place.ts";

const MAX_TRIES = 250;
/** The limit of nodes visited in all attempts together: a list of thousands is not tried item by item. */
const MAX_WORK = 60_000;

export function minimize(object: JsonObject, holds: (smaller: JsonObject) => boolean): JsonObject {
  let current = object;
  let tries = 0;
  const most = Math.min(MAX_TRIES, Math.ceil(MAX_WORK / sizeOf(object)));
  for (let isSmaller = true; isSmaller && tries < most; ) {
    isSmaller = false;
    for (const edit of reductions(current, [])) {
      if (tries++ >= most) break;
      const smaller = setAt(current, edit.path, edit.value);
      if (!isObject(smaller) || !holds(smaller)) continue;
      current = smaller;
      isSmaller = true;
      break;
    }
  }
  return current;
}

/** How many values it consists of. */
export function sizeOf(value: JsonValue): number {
  if (isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1);
  return isObject(value) ? Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member), 1) : 1;
}

interface Reduction {
  readonly path: readonly DataStep[];
  readonly value: JsonValue | undefined;
}

/** Large parts first. */
function* reductions(value: JsonValue, path: readonly DataStep[]): Generator<Reduction> {
  if (isObject(value)) {
    const keys = Object.keys(value).filter(
      (key) => path.length > 0 || !["apiVersion", "kind", "metadata"].includes(key),
    );
    for (const key of keys) yield { path: [...path, key], value: undefined };
    for (const key of keys) yield* reductions(value[key] as JsonValue, [...path, key]);
  } else if (isArray(value)) {
    for (let index = value.length - 1; index >= 0; index--) yield { path: [...path, index], value: undefined };
    for (const [index, item] of value.entries()) yield* reductions(item, [...path, index]);
  } else if (typeof value === "string" && value.length > 1) {
    yield { path, value: value.slice(0, Math.ceil(value.length / 2)) };
    if (value.length <= 12) yield { path, value: value.slice(0, -1) };
  }
}

/**
 * How deep objects may nest before field management gives up on them.
 *
 * The walks of this folder recurse, and a program must survive every document its decoder accepts. Go's stack grows, so
 * upstream has no such limit; no object people write comes near it.
 */
import type { JsonValue } from "../value/json.ts";
import { Float64 } from "../value/json.ts";

export const MAX_OBJECT_DEPTH = 750;
/** Managed fields are a little deeper than the object they describe. */
export const MAX_FIELDS_DEPTH = 1000;

export function isDeeperThan(value: JsonValue, limit: number): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap(containersIn);
  }
  return false;
}

function containersIn(value: JsonValue): JsonValue[] {
  if (typeof value !== "object" || value === null || value instanceof Float64) return [];
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.filter((member) => typeof member === "object" && member !== null);
}

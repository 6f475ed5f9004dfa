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
  if (typeof value !== "object" || value === null || value instanceof Float64) return false;
  if (limit < 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, limit - 1));
  for (const key in value) if (isDeeperThan(value[key] as JsonValue, limit - 1)) return true;
  return false;
}

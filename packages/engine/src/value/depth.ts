/** How deeply a value is nested. */
import { Float64, type JsonValue } from "./json.ts";

/** Whether lists and objects are nested in one another more than `limit` times. Looks no deeper than that. */
export function isDeeperThan(value: JsonValue, limit: number): boolean {
  if (typeof value !== "object" || value === null || value instanceof Float64) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (isDeeperThan(value[index] as JsonValue, limit - 1)) return true;
    }
    return false;
  }
  for (const key in value) if (isDeeperThan(value[key] as JsonValue, limit - 1)) return true;
  return false;
}

/** Quick facts about the shape of a value. */
import { Float64, type JsonValue } from "./json.ts";

/** Whether lists and objects are nested in one another more than `limit` times. */
export function isDeeperThan(value: JsonValue, limit: number): boolean {
  return (survey(value, limit) & TOO_DEEP) !== 0;
}

export const HAS_NULL = 1;
export const TOO_DEEP = 2;

/** `HAS_NULL` and `TOO_DEEP` as they apply. Looks no deeper than the limit. */
export function survey(value: JsonValue, limit: number): number {
  if (typeof value !== "object") return 0;
  if (value === null) return HAS_NULL;
  if (value instanceof Float64) return 0;
  if (limit <= 0) return TOO_DEEP;
  let seen = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) seen |= survey(value[index] as JsonValue, limit - 1);
    return seen;
  }
  for (const key in value) {
    const member = value[key] as JsonValue;
    if (typeof member === "object") seen |= survey(member, limit - 1);
  }
  return seen;
}

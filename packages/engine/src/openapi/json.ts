/** Small objects for documents. */
import { type JsonObject, type JsonValue, newObject } from "../value/json.ts";

/** Members that are undefined are left out. */
export function object(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const made = newObject();
  for (const [key, value] of Object.entries(members)) if (value !== undefined) made[key] = value;
  return made;
}

export function fromEntries(entries: Iterable<readonly [string, JsonValue]>): JsonObject {
  const made = newObject();
  for (const [key, value] of entries) made[key] = value;
  return made;
}

/**
 * Writes that change nothing but the times of managed fields leave those as they were, so that nothing is stored.
 *
 * Follows apiserver pkg/endpoints/handlers/fieldmanager/equality.go.
 */
import { deepEqual } from "../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";
import { entriesOf } from "./managed-entries.ts";

/** The new object, with the old times where only they differ. */
export function keepTimestamps(next: JsonObject, live: JsonObject): JsonObject {
  const [after, before] = [entriesOf(next) ?? [], entriesOf(live) ?? []];
  if (after.length === 0 || after.length !== before.length) return next;
  const isUnchanged = after.every((entry, index) => isSameTime(entry["time"], before[index]?.["time"]));
  if (isUnchanged || !deepEqual(after.map(timeless), before.map(timeless))) return next;
  const restored = withEntries(next, before);
  return deepEqual(restored, withEntries(live, before)) ? restored : next;
}

function isSameTime(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b;
}

function timeless(entry: JsonObject): JsonObject {
  return withoutMember(entry, "time");
}

function withEntries(object: JsonObject, entries: JsonObject[]): JsonObject {
  const { metadata } = object;
  return isObject(metadata) ? withMember(object, "metadata", withMember(metadata, "managedFields", entries)) : object;
}

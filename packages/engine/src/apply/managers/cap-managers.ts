/**
 * At most ten managers of updates: beyond that the oldest are joined, version by version, under the name
 * `ancient-changes`.
 *
 * Follows apimachinery util/managedfields/internal/capmanagers.go. Only writes that are no apply do this. The first
 * manager of a version is joined only when a second of that version comes up.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import { union } from "../../fieldset/algebra.ts";
import { compareTimes, identify, type Managed, type ManagedEntry } from "./managed.ts";

const MAX_UPDATE_MANAGERS = 10;
const BUCKET_NAME = "ancient-changes";

export function capUpdateManagers(managed: Managed): Managed {
  const updaters = [...managed].filter(([, entry]) => !entry.owned.applied);
  if (updaters.length <= MAX_UPDATE_MANAGERS) return managed;
  updaters.sort(([a, left], [b, right]) => compareTimes(left.time, right.time) || compareStrings(a, b));
  const capped = new Map(managed);
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const [identifier, entry] of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const { apiVersion } = entry.owned;
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, identifier);
      continue;
    }
    joinBucket(capped, first, identifier, entry);
    count--;
  }
  return capped;
}

/** The bucket takes the time of the later update. */
function joinBucket(managed: Map<string, ManagedEntry>, first: string, identifier: string, entry: ManagedEntry): void {
  const { apiVersion } = entry.owned;
  const identity = { manager: BUCKET_NAME, operation: "Update", apiVersion, subresource: "" };
  const bucket = identify(identity);
  const known = managed.get(bucket) ?? managed.get(first);
  if (!managed.has(bucket)) managed.delete(first);
  managed.delete(identifier);
  const set = known === undefined ? entry.owned.set : union(entry.owned.set, known.owned.set);
  managed.set(bucket, { identity, owned: { ...entry.owned, set }, time: entry.time });
}

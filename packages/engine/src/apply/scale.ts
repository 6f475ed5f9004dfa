/**
 * Managed fields as the scale endpoint sees them, and back.
 *
 * Follows apimachinery util/managedfields/scalehandler.go. A scale has one field to own, `.spec.replicas`; in the object
 * it may lie elsewhere, and in each version somewhere else. Entries that come back from the scale endpoint carry no time.
 * Updaters are identified by their version too, and a scale has another one: an updater that owns the replicas of the
 * object comes back as a second entry of the same name.
 */
import type { Result } from "@portcullis/gostd/result";
import { difference } from "../fieldset/algebra.ts";
import { makePath, type Path } from "../fieldset/path.ts";
import { hasPath, isEmptySet, setOf } from "../fieldset/set.ts";
import type { JsonObject, JsonValue } from "../value/json.ts";
import { decodeManaged, encodeManaged, type Managed, type ManagedEntry } from "./managers/managed.ts";

/** By version of the object: where the replicas are; undefined if the version has no scale endpoint. */
export type ReplicasPaths = ReadonlyMap<string, Path | undefined>;

const SCALE_VERSION = "autoscaling/v1";
const REPLICAS = makePath("spec", "replicas");

/** What the scale says of itself, given the entries of its object. */
export function entriesOfScale(parent: readonly JsonObject[], paths: ReplicasPaths): Result<JsonValue[]> {
  const managed = decodeManaged(parent);
  if (managed.error !== undefined) return managed;
  const scale = new Map<string, ManagedEntry>();
  for (const [identifier, entry] of managed.value) {
    const path = paths.get(entry.owned.apiVersion);
    if (path === undefined || !hasPath(entry.owned.set, path)) continue;
    const owned = { ...entry.owned, set: setOf(REPLICAS), apiVersion: SCALE_VERSION };
    scale.set(identifier, { ...entry, owned });
  }
  return { value: encodeManaged(scale) };
}

export interface ParentEntries {
  readonly parent: readonly JsonObject[];
  /** The entries of the scale after a write to it. */
  readonly scale: readonly JsonObject[];
  readonly paths: ReplicasPaths;
  /** The version of the request. */
  readonly apiVersion: string;
}

/** The entries of the object after a write to its scale. */
export function entriesOfParent({ parent, scale, paths, apiVersion }: ParentEntries): Result<JsonValue[]> {
  const [before, written] = [decodeManaged(parent), decodeManaged(scale)];
  if (before.error !== undefined) return before;
  if (written.error !== undefined) return written;
  const left = new Map(written.value);
  const entries = keptEntries(before.value, left, paths);
  const own = paths.get(apiVersion) ?? [];
  for (const [identifier, entry] of left) {
    if (!hasPath(entry.owned.set, REPLICAS)) continue;
    const owned = { ...entry.owned, set: setOf(own), apiVersion };
    entries.set(identifier, { ...entry, owned, time: before.value.get(identifier)?.time });
  }
  return { value: encodeManaged(entries) };
}

/** Who owned the replicas loses them, unless the scale still names them; those are done with then. */
function keptEntries(
  parent: Managed,
  scale: Map<string, ManagedEntry>,
  paths: ReplicasPaths,
): Map<string, ManagedEntry> {
  const kept = new Map<string, ManagedEntry>();
  for (const [identifier, entry] of parent) {
    const { set, apiVersion } = entry.owned;
    if (!paths.has(apiVersion)) continue;
    const path = paths.get(apiVersion);
    if (path === undefined || !hasPath(set, path) || scale.delete(identifier)) {
      kept.set(identifier, entry);
      continue;
    }
    const rest = difference(set, setOf(path));
    if (!isEmptySet(rest)) kept.set(identifier, { ...entry, owned: { ...entry.owned, set: rest } });
  }
  return kept;
}

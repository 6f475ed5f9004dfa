/**
 * The object that a write found.
 *
 * Requests that run at the same time end in any order. What a write found follows from the resourceVersion it led to; where
 * it led to none, every version that was current while it ran may be the one.
 */
import { seenObject } from "@portcullis/engine/internal/admission/seen";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectsOf } from "@portcullis/engine/internal/value/read";
import { gvkOf } from "../policy/kinds.ts";
import type { Known } from "./known-objects.ts";
import type { ReplayCluster } from "./replay-cluster.ts";
import { keyOfWrite, type Target, type WriteEvent } from "./write-event.ts";

/** What is known of the objects that requests still to come will change. */
export interface Upcoming {
  /** The objects that requests led to which began before `time`. */
  outcomes(write: WriteEvent, time: number): readonly Known[];
}

export interface OldObject {
  readonly object: JsonObject;
  readonly isExact: boolean;
}

export type FoundOld = OldObject | { readonly absent: true } | { readonly missing: string };

/** Every possible one; exactly one in most cases. */
export function oldObjects(write: WriteEvent, cluster: ReplayCluster, upcoming: Upcoming): readonly FoundOld[] {
  const key = keyOfWrite(write);
  const { event, recorded } = write;
  const known = cluster.objects.versionsSince(key, event.received);
  const running = upcoming.outcomes(write, event.at);
  if (known.length + running.length === 0) return [neverSeen(write, cluster)];
  const led = recorded.isAccepted && !write.isDryRun ? versionLedTo(event.response?.object()) : 0;
  const possible =
    led === 0 ? [...known, ...running] : [newestBefore(led, [...known, ...running]), ...unchanged(led, known)];
  return unique(possible)
    .map((each) => (provesExistence(write) ? unlessGone(each) : each))
    .flatMap(eachForm)
    .map((each) => foundOld(each, write, cluster));
}

/** Whether the answer shows that the request found an object: one that is missing is refused before admission. */
function provesExistence({ event, recorded, query }: WriteEvent): boolean {
  if (recorded.isAccepted) return event.code === 200;
  if (recorded.refusedBy === "before") return false;
  // A PUT and an apply may create.
  return event.verb === "delete" || (event.verb === "patch" && !query.has("fieldManager"));
}

function unlessGone(known: Known): Known {
  return known.state === "uncertain" ? (known.unlessGone ?? known) : known;
}

function eachForm(known: Known): readonly Known[] {
  if (known.state !== "present" || known.others === undefined) return [known];
  return [known, ...known.others.map((object) => ({ ...known, object }))];
}

function versionLedTo(response: JsonObject | undefined): number {
  const version = Number(response === undefined ? "" : metaText(response, "resourceVersion"));
  return Number.isSafeInteger(version) ? version : 0;
}

/** Versions without a number count if no numbered one fits. */
function newestBefore(version: number, known: readonly Known[]): Known | undefined {
  const numbered = known.filter((each) => each.state === "present" && each.resourceVersion > 0);
  const earlier = numbered.filter((each) => each.state === "present" && each.resourceVersion < version);
  const newest = earlier.reduce<Known | undefined>(
    (left, right) => (left === undefined || numberOf(right) > numberOf(left) ? right : left),
    undefined,
  );
  const [current] = known;
  return current?.state === "present" && current.resourceVersion > 0 ? (newest ?? current) : (current ?? newest);
}

/** A request that changes nothing leads to the version that it found. */
function unchanged(version: number, known: readonly Known[]): readonly Known[] {
  return known.filter((each) => numberOf(each) === version);
}

function numberOf(known: Known): number {
  return known.state === "present" ? known.resourceVersion : 0;
}

function unique(known: readonly (Known | undefined)[]): Known[] {
  const seen = new Map<string, Known>();
  for (const each of known) {
    if (each === undefined) continue;
    const text = each.state === "present" ? `${each.resourceVersion}` : each.state;
    if (text === "0" || !seen.has(text)) seen.set(text === "0" ? `0 ${seen.size}` : text, each);
  }
  return [...seen.values()];
}

function neverSeen(write: WriteEvent, cluster: ReplayCluster): FoundOld {
  const { ref, target } = write;
  const isAbsent = cluster.isComplete && !cluster.objects.isForgetful(target.place) && !provesExistence(write);
  return isAbsent ? { absent: true } : { missing: `the log has no earlier version of ${ref.name}` };
}

function foundOld(known: Known, write: WriteEvent, cluster: ReplayCluster): FoundOld {
  if (known.state === "absent") return { absent: true };
  if (known.state === "uncertain") return { missing: known.why };
  const object = known.object.object();
  if (object === undefined) return { missing: "the log has no earlier version" };
  const stale = whyStale(object, known.isExact, write);
  if (stale !== undefined) return { missing: stale };
  const versioned = inVersion(object, write.target, cluster);
  return versioned === undefined
    ? { missing: `${textOf(object["apiVersion"])} cannot be converted without the cluster` }
    : { object: versioned, isExact: known.isExact };
}

/** Objects also change by writes that leave no event. */
function whyStale(old: JsonObject, isExact: boolean, { event, ref }: WriteEvent): string | undefined {
  const changed = `${ref.name} was changed by a write that is not in the log`;
  const version = metaText(old, "resourceVersion");
  const wanted = event.verb === "update" ? (event.request?.resourceVersion() ?? "") : "";
  if (event.code < 400 && version !== "" && wanted !== "" && wanted !== "0" && wanted !== version) return changed;
  const result = event.code < 400 && ref.subresource === "" ? event.response?.object() : undefined;
  if (result === undefined || event.verb === "delete") return undefined;
  const uids = [metaText(old, "uid"), metaText(result, "uid")];
  if (uids[0] !== "" && uids[1] !== "" && uids[0] !== uids[1]) return changed;
  const generations = [metaOf(old)["generation"], metaOf(result)["generation"]].map(Number);
  const [before = 0, after = 0] = generations;
  return after > before + 1 || (isExact && hasNewManagers(old, result)) ? changed : undefined;
}

/** One write brings at most one new field manager. */
function hasNewManagers(old: JsonObject, result: JsonObject): boolean {
  const managers = (object: JsonObject): string[] =>
    objectsOf(metaOf(object)["managedFields"]).map((entry) =>
      ["manager", "operation", "subresource"].map((key) => textOf(entry[key])).join("\n"),
    );
  const before = new Set(managers(old));
  return before.size > 0 && managers(result).filter((each) => !before.has(each)).length > 1;
}

/** As a request in the version of a target reads it; undefined if only the cluster can convert it. */
export function inVersion(
  object: JsonObject,
  { resource, type, isStoredOtherwise }: Target,
  cluster: ReplayCluster,
): JsonObject | undefined {
  const wanted = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  if ((object["apiVersion"] === wanted && !isStoredOtherwise) || type === undefined) return object;
  if (type.isCustom) return customInVersion(object, type, cluster);
  const converted = cluster.equivalents.convert(object, type);
  return typeof converted === "string"
    ? undefined
    : seenObject(converted, { type, subresource: undefined }, "validating");
}

/** What a deletion removed, from an answer that shows it. */
export function oldFromDeletion(response: JsonObject): JsonObject {
  return withMeta(response, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined });
}

/** As it is read from storage, where it is in the storage version. */
function customInVersion(object: JsonObject, type: ResourceKind, cluster: ReplayCluster): JsonObject | undefined {
  if (type.strategy.converting !== undefined) return undefined;
  const version = gvkOf(object).version;
  const own = cluster.kind(type.group, version, type.plural);
  return type.strategy.read(own === undefined ? object : own.strategy.write(object));
}

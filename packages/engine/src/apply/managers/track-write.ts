/**
 * Who changed what, noted for every write that is no apply.
 *
 * Follows Update of the managers in apimachinery util/managedfields/internal: fieldmanager.go, skipnonapplied.go,
 * capmanagers.go, managedfieldsupdater.go, stripmeta.go and structuredmerge.go.
 */
import { union } from "../../fieldset/algebra.ts";
import type { JsonObject } from "../../value/json.ts";
import { isObject } from "../../value/json.ts";
import { minorOf } from "../../value/server-version.ts";
import { inStep, MergeError } from "../merge-error.ts";
import { describe, entriesFor, type FieldManagerScope, identityFor, ownersOf, stripMetadata } from "../scope.ts";
import { runSteps, type Steps } from "../steps.ts";
import { asTyped, type Typed } from "../types/typed.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import {
  decodeManaged,
  entryOf,
  identify,
  type Managed,
  NO_MANAGERS,
  withEntries,
  withManagedFields,
} from "./managed.ts";
import { entriesOf, withoutManagedFields } from "./managed-entries.ts";
import { ownAll } from "./own-all.ts";
import { updateOwners } from "./updater.ts";

export interface TrackedWrite {
  /** Undefined when the object is created. */
  readonly live: JsonObject | undefined;
  /** The object about to be stored, with the managed fields the client sent. */
  readonly next: JsonObject;
  readonly manager: string;
  /** RFC 3339 in UTC, to the second. */
  readonly now: string;
}

/**
 * The object with its managed fields brought up to date, after a create, an update or a patch that is no apply. A write
 * is never refused because that fails.
 * @example trackWrite(scope, { live: undefined, next: patch, manager: "kubectl", now })["metadata"]
 */
export function trackWrite(scope: FieldManagerScope, write: TrackedWrite): JsonObject {
  return runSteps(trackWriteSteps(scope, write));
}

export function* trackWriteSteps(scope: FieldManagerScope, write: TrackedWrite): Steps<JsonObject> {
  const { next } = write;
  const written = scope.written?.(next) ?? next;
  const tracked = yield* trackWritten(scope, { ...write, next: written });
  return written === next ? tracked : withEntriesOf(next, tracked);
}

/** Of the object as it is in memory. */
function withEntriesOf(object: JsonObject, tracked: JsonObject): JsonObject {
  const entries = entriesOf(tracked);
  return entries === undefined ? withoutManagedFields(object) : withEntries(object, entries);
}

function* trackWritten(scope: FieldManagerScope, { live, next, manager, now }: TrackedWrite): Steps<JsonObject> {
  const own = live === undefined && entriesOf(next) === undefined ? ownAll(scope, next) : undefined;
  if (own !== undefined) return withEntries(next, [entryOf(identityFor(scope, manager, "Update"), own, now)]);
  const before = live ?? scope.emptyObject;
  const managed = managersOfWrite(scope, before, next);
  const after = withoutManagedFields(next);
  // An object that has lost its managed fields stays without until the first apply.
  if (managed.size === 0 && hasUid(before)) return after;
  try {
    const tracked = yield* trackUpdate(scope, { managed, manager, now, live: before, next: after });
    yield;
    return withManagedFields(after, capUpdateManagers(tracked));
  } catch (error) {
    if (error instanceof MergeError) return keepsOwners(scope) ? withLiveEntries(after, live) : after;
    throw error;
  }
}

/** Since 1.37 an object keeps the managed fields that it has. */
function keepsOwners({ serverVersion }: FieldManagerScope): boolean {
  return serverVersion === undefined || minorOf(serverVersion) >= KEPT_SINCE;
}

const KEPT_SINCE = 37;

function withLiveEntries(object: JsonObject, live: JsonObject | undefined): JsonObject {
  const entries = live && entriesOf(live);
  return entries === undefined ? object : withEntries(object, entries);
}

/** Clients may edit managed fields; those that send none, or unreadable ones, must not lose them by accident. */
function managersOfWrite(scope: FieldManagerScope, live: JsonObject, next: JsonObject): Managed {
  const sent = scope.subresource === "" ? entriesOf(next) : undefined;
  if (sent !== undefined && isReset(sent)) return NO_MANAGERS;
  const decoded = decodeManaged(sent ?? []).value ?? NO_MANAGERS;
  return decoded.size > 0 ? decoded : (decodeManaged(entriesOf(live) ?? []).value ?? NO_MANAGERS);
}

/** An empty list, or a list of one empty entry, asks for a reset. */
function isReset(entries: readonly JsonObject[]): boolean {
  if (entries.length > 1) return false;
  return Object.values(entries[0] ?? {}).every((member) => member === "" || member === null);
}

function hasUid(object: JsonObject): boolean {
  const { metadata } = object;
  return isObject(metadata) && typeof metadata["uid"] === "string" && metadata["uid"] !== "";
}

export interface Update {
  readonly managed: Managed;
  readonly manager: string;
  readonly now: string;
  readonly live: JsonObject;
  readonly next: JsonObject;
}

/** The name of the writer while the merge runs; no other manager has it. */
const SELF = "current-operation";

/** The managers after an update, uncapped. */
export function* trackUpdate(scope: FieldManagerScope, { managed, manager, now, live, next }: Update): Steps<Managed> {
  const after = typedAs("convert new object", scope, next);
  yield;
  const before = typedAs("convert live object", scope, live);
  yield;
  const owners = yield* updateOwners(scope, ownersOf(managed), SELF, before, after);
  const own = stripMetadata(owners.get(SELF));
  owners.delete(SELF);
  const tracked = entriesFor(owners, managed);
  if (own === undefined) return tracked;
  const identity = identityFor(scope, manager, "Update");
  const identifier = identify(identity);
  const previous = tracked.get(identifier);
  const owned = previous === undefined ? own : { ...own, set: union(own.set, previous.owned.set) };
  return tracked.set(identifier, { identity, owned, time: now });
}

function typedAs(step: string, scope: FieldManagerScope, object: JsonObject): Typed {
  return inStep(`${step} (${describe(object)}) to smd typed`, () =>
    asTyped(scope.types, object, { allowDuplicates: true }),
  );
}

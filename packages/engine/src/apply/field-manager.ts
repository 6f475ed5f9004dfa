/**
 * What server-side apply does around every write: `trackWrite` notes who changed what, `applyPatch` merges a
 * configuration.
 *
 * Follows the chain of managers in apimachinery util/managedfields/internal (fieldmanager.go and the files it wraps),
 * from the outside in: version check, last-applied annotation, objects without managed fields, cap on updaters, manager
 * identity, times, stripped metadata, merge.
 */
import { difference, union } from "../fieldset/algebra.ts";
import { makePath } from "../fieldset/path.ts";
import { isEmptySet, setOf } from "../fieldset/set.ts";
import { badRequest, StatusError } from "../status/error.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import { type Conflict, conflictError } from "./conflict.ts";
import { formatKind, kindOf, parseGroupVersion } from "./kind.ts";
import { fieldsOfLastApplied, KUBECTL, withLastApplied } from "./last-applied.ts";
import {
  decodeManaged,
  entriesOf,
  identify,
  type Managed,
  type ManagedEntry,
  type ManagerIdentity,
  NO_MANAGERS,
  type Operation,
  withManagedFields,
  withoutManagedFields,
} from "./managed.ts";
import { inStep, MergeError } from "./merge-error.ts";
import * as messages from "./messages.ts";
import type { OwnedSet, UpdaterScope } from "./owners.ts";
import { asTyped, type Typed } from "./typed.ts";
import { applyConfiguration, updateOwners } from "./updater.ts";

/** One endpoint of one version of a resource. */
export interface FieldManagerScope extends UpdaterScope {
  readonly kind: string;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** A new object before anybody set anything: for built-in kinds what their zero value is written as. */
  readonly emptyObject: JsonObject;
  /** What defaulting does to a merged object. */
  readonly applyDefaults: (object: JsonObject) => JsonObject;
  /** Reads JSON text as the API server does; undefined where it is no object. */
  readonly parseJson: (text: string) => JsonObject | undefined;
  /**
   * Why objects made by merging cannot be converted here. Upstream's scale endpoint of custom resources knows only the
   * typed Scale, so that every apply to it that would change something fails.
   */
  readonly cannotConvert?: string;
}

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
 * The object with its managed fields brought up to date, after a create, an update or a patch that is no apply. Where
 * that fails, it has none: a write is never refused for the sake of managed fields.
 */
export function trackWrite(scope: FieldManagerScope, { live, next, manager, now }: TrackedWrite): JsonObject {
  const before = live ?? scope.emptyObject;
  const managed = managersOfWrite(scope, before, next);
  const after = withoutManagedFields(next);
  // An object that has lost its managed fields stays without until the first apply.
  if (managed.size === 0 && hasUid(before)) return after;
  try {
    const tracked = trackUpdate(scope, { managed, manager, now, live: before, next: after });
    return withManagedFields(after, capUpdateManagers(tracked));
  } catch (error) {
    if (error instanceof MergeError) return after;
    throw error;
  }
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

interface Update {
  readonly managed: Managed;
  readonly manager: string;
  readonly now: string;
  readonly live: JsonObject;
  readonly next: JsonObject;
}

/** Stands for the writer while the merge runs; nobody else is called so. */
const SELF = "current-operation";

function trackUpdate(scope: FieldManagerScope, { managed, manager, now, live, next }: Update): Managed {
  const after = typedAs("convert new object", scope, next);
  const before = typedAs("convert live object", scope, live);
  const owners = updateOwners(scope, ownersOf(managed), SELF, before, after);
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

export interface ApplyPatch {
  /** Undefined when there is no object yet. */
  readonly live: JsonObject | undefined;
  readonly patch: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  /** RFC 3339 in UTC, to the second. */
  readonly now: string;
}

export type Applied =
  | { readonly object: JsonObject; readonly refusal?: undefined }
  | { readonly object?: undefined; readonly refusal: StatusError };

/** The live object with the configuration merged in, defaulted, and its managed fields up to date. */
export function applyPatch(scope: FieldManagerScope, input: ApplyPatch): Applied {
  const refusal = checkPatch(scope, input.patch);
  if (refusal !== undefined) return { refusal };
  try {
    return applyChecked(scope, input);
  } catch (error) {
    if (error instanceof MergeError) return { refusal: failure(error.message) };
    throw error;
  }
}

function checkPatch(scope: FieldManagerScope, patch: JsonObject): StatusError | undefined {
  const actual = kindOf(patch);
  const expected = { ...parseGroupVersion(scope.apiVersion), kind: scope.kind };
  const isRight =
    actual.group === expected.group && actual.version === expected.version && actual.kind === expected.kind;
  return isRight ? undefined : badRequest(messages.wrongObjectType(formatKind(actual)));
}

/** Upstream answers with the bare error: 500 without a reason. */
function failure(message: string): StatusError {
  return new StatusError({ code: 500, reason: "", message });
}

function applyChecked(scope: FieldManagerScope, input: ApplyPatch): Applied {
  const live = input.live ?? scope.emptyObject;
  const managed = managersBeforeApply(scope, live, input.now);
  if (entriesOf(input.patch) !== undefined) return { refusal: badRequest(messages.managedFieldsNotNil()) };
  const run = { scope, live, managed, input };
  const first = mergePatch(run, input.force);
  if (input.manager !== KUBECTL) return first.conflicts === undefined ? first : refuse(first.conflicts);
  const settled = first.conflicts === undefined ? first : retryAsMigration(run, first.conflicts);
  return settled.object === undefined ? settled : { object: withLastApplied(settled.object, input.patch) };
}

/** The fields of an object that nobody owns are given to a manager of their own before the first apply. */
function managersBeforeApply(scope: FieldManagerScope, live: JsonObject, now: string): Managed {
  const decoded = decodeManaged(entriesOf(live) ?? []);
  if (decoded.error !== undefined) throw new MergeError(messages.failedTo("decode managed fields", decoded.error));
  if (decoded.value.size > 0) return decoded.value;
  const write = { managed: NO_MANAGERS, manager: "before-first-apply", now, live: scope.emptyObject, next: live };
  return inStep("create manager for existing fields", () => {
    checkConvertible(scope, "live", scope.emptyObject);
    return capUpdateManagers(trackUpdate(scope, write));
  });
}

interface ApplyRun {
  readonly scope: FieldManagerScope;
  readonly live: JsonObject;
  readonly managed: Managed;
  readonly input: ApplyPatch;
}

interface ConflictsFound {
  readonly conflicts: readonly Conflict[];
  readonly object?: undefined;
}

interface Merged {
  readonly object: JsonObject;
  readonly conflicts?: undefined;
}

function mergePatch({ scope, live, managed, input }: ApplyRun, force: boolean): Merged | ConflictsFound {
  const identity = identityFor(scope, input.manager, "Apply");
  const manager = identify(identity);
  const config = inStep(`create typed patch object (${describe(input.patch)})`, () =>
    asTyped(scope.types, input.patch, { allowDuplicates: false }),
  );
  const typed = inStep(`create typed live object (${describe(live)})`, () =>
    asTyped(scope.types, live, { allowDuplicates: true }),
  );
  const result = applyConfiguration({ scope, owners: ownersOf(managed), manager, live: typed, config, force });
  if (result.conflicts !== undefined) return { conflicts: listConflicts(result.conflicts, managed) };
  const own = stripMetadata(result.owners.get(manager));
  result.owners.delete(manager);
  const entries = entriesFor(result.owners, managed);
  const isChanged = result.object !== undefined;
  const time = isChanged ? input.now : managed.get(manager)?.time;
  if (own !== undefined) entries.set(manager, { identity, owned: own, time });
  if (isChanged) checkConvertible(scope, "new", input.patch);
  return { object: withManagedFields(resultObject(scope, result.object?.value, live), entries) };
}

function checkConvertible(scope: FieldManagerScope, which: "live" | "new", object: JsonObject): void {
  if (scope.cannotConvert === undefined) return;
  const step = `convert ${which} object (${describe(object)}) to proper version`;
  throw new MergeError(messages.failedTo(step, scope.cannotConvert));
}

function resultObject(scope: FieldManagerScope, value: JsonValue | undefined, live: JsonObject): JsonObject {
  if (value === undefined) return live;
  if (!isObject(value)) throw new MergeError(messages.notAnObject(value));
  return scope.applyDefaults(value);
}

function listConflicts(sets: ReadonlyMap<string, Conflict["fields"]>, managed: Managed): Conflict[] {
  return [...sets].flatMap(([identifier, fields]) => {
    const manager = managed.get(identifier)?.identity;
    return manager === undefined ? [] : [{ identifier, manager, fields }];
  });
}

function refuse(conflicts: readonly Conflict[]): Applied {
  return { refusal: conflictError(conflicts) };
}

/** For kubectl: conflicts on what client-side apply left behind do not count. */
function retryAsMigration(run: ApplyRun, conflicts: readonly Conflict[]): Applied {
  const allowed = fieldsOfLastApplied(run.scope, run.live);
  if (allowed === undefined) return refuse(conflicts);
  const real = conflicts
    .map((conflict) => ({ ...conflict, fields: difference(conflict.fields, allowed) }))
    .filter(({ fields }) => !isEmptySet(fields));
  if (real.length > 0) return refuse(real);
  const forced = mergePatch(run, true);
  return forced.conflicts === undefined ? forced : refuse(forced.conflicts);
}

function identityFor(scope: FieldManagerScope, manager: string, operation: Operation): ManagerIdentity {
  const name = manager === "" ? "unknown" : manager;
  const apiVersion = operation === "Apply" ? "" : scope.apiVersion;
  return { manager: name, operation, apiVersion, subresource: scope.subresource };
}

function ownersOf(managed: Managed): Map<string, OwnedSet> {
  return new Map([...managed].map(([identifier, entry]) => [identifier, entry.owned]));
}

function entriesFor(owners: ReadonlyMap<string, OwnedSet>, managed: Managed): Map<string, ManagedEntry> {
  const entries = new Map<string, ManagedEntry>();
  for (const [identifier, owned] of owners) {
    const known = managed.get(identifier);
    if (known !== undefined) entries.set(identifier, { ...known, owned });
  }
  return entries;
}

const NEVER_OWNED = setOf(
  ...["apiVersion", "kind", "metadata"].map((name) => makePath(name)),
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => makePath("metadata", name)),
);

/** Without what nobody owns; undefined where nothing is left. */
function stripMetadata(owned: OwnedSet | undefined): OwnedSet | undefined {
  if (owned === undefined) return undefined;
  const set = difference(owned.set, NEVER_OWNED);
  return isEmptySet(set) ? undefined : { ...owned, set };
}

/** `namespace/name; group/version, Kind=kind`. */
function describe(object: JsonObject): string {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
  const text = (name: string): string => (typeof metadata[name] === "string" ? metadata[name] : "");
  return `${text("namespace")}/${text("name")}; ${formatKind(kindOf(object))}`;
}

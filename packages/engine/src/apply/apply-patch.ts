/**
 * A configuration applied to an object.
 *
 * Follows Apply of the managers in apimachinery util/managedfields/internal, from the outside in: version check,
 * last-applied annotation, objects without managed fields, manager identity, times, stripped metadata, merge. An apply
 * that changes nothing notes no time either, so an applier that only comes to share fields has an entry without one.
 */
import { difference } from "../fieldset/algebra.ts";
import { isEmptySet } from "../fieldset/set.ts";
import { badRequest, StatusError } from "../status/error.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { capUpdateManagers } from "./managers/cap-managers.ts";
import { type Conflict, conflictError } from "./managers/conflict.ts";
import { fieldsOfLastApplied, KUBECTL, withLastApplied } from "./managers/last-applied.ts";
import { decodeManaged, identify, type Managed, NO_MANAGERS, withManagedFields } from "./managers/managed.ts";
import { entriesOf } from "./managers/managed-entries.ts";
import { trackUpdate } from "./managers/track-write.ts";
import { applyConfiguration } from "./managers/updater.ts";
import { DepthError, inStep, MergeError } from "./merge-error.ts";
import * as messages from "./messages.ts";
import { describe, entriesFor, type FieldManagerScope, identityFor, ownersOf, stripMetadata } from "./scope.ts";
import { runSteps, type Steps } from "./steps.ts";
import { formatKind, kindOf, parseGroupVersion } from "./types/kind.ts";
import { asTyped } from "./types/typed.ts";

/** A configuration to apply, by whom, and the object as it is. */
export interface ApplyPatch {
  /** Undefined when there is no object yet. */
  readonly live: JsonObject | undefined;
  readonly patch: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  /** RFC 3339 in UTC, to the second. */
  readonly now: string;
}

/** The applied object, or the refusal: usually conflicts with other managers. */
export type Applied =
  | { readonly object: JsonObject; readonly refusal?: undefined }
  | { readonly object?: undefined; readonly refusal: StatusError };

/**
 * The live object with the configuration merged in, defaulted, and its managed fields up to date.
 * @example const { object, refusal } = applyPatch(scope, { live: undefined, patch, manager: "kubectl", force: false, now });
 */
export function applyPatch(scope: FieldManagerScope, input: ApplyPatch): Applied {
  return runSteps(applyPatchSteps(scope, input));
}

export function* applyPatchSteps(scope: FieldManagerScope, input: ApplyPatch): Steps<Applied> {
  const refusal = checkPatch(scope, input.patch);
  if (refusal !== undefined) return { refusal };
  try {
    return yield* applyChecked(scope, input);
  } catch (error) {
    if (error instanceof DepthError) return { refusal: badRequest(error.message) };
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

function* applyChecked(scope: FieldManagerScope, input: ApplyPatch): Steps<Applied> {
  const live = input.live ?? scope.emptyObject;
  const managed = managersBeforeApply(scope, live, input.now);
  yield;
  if (entriesOf(input.patch) !== undefined) return { refusal: badRequest(messages.managedFieldsNotNil()) };
  const run = { scope, live, managed, input };
  const first = yield* mergePatch(run, input.force);
  if (input.manager !== KUBECTL) return first.conflicts === undefined ? first : refuse(first.conflicts);
  const result = first.conflicts === undefined ? first : yield* retryAsMigration(run, first.conflicts);
  return result.object === undefined ? result : { object: withLastApplied(result.object, input.patch) };
}

/** Fields without an owner are given to a separate manager before the first apply. */
function managersBeforeApply(scope: FieldManagerScope, live: JsonObject, now: string): Managed {
  const decoded = decodeManaged(entriesOf(live) ?? []);
  if (decoded.error !== undefined) throw new MergeError(messages.failedTo("decode managed fields", decoded.error));
  if (decoded.value.size > 0) return decoded.value;
  const write = { managed: NO_MANAGERS, manager: "before-first-apply", now, live: scope.emptyObject, next: live };
  return inStep("create manager for existing fields", () => {
    checkConvertible(scope, "live", scope.emptyObject);
    return capUpdateManagers(runSteps(trackUpdate(scope, write)));
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

function* mergePatch({ scope, live, managed, input }: ApplyRun, force: boolean): Steps<Merged | ConflictsFound> {
  const identity = identityFor(scope, input.manager, "Apply");
  const manager = identify(identity);
  const config = inStep(`create typed patch object (${describe(input.patch)})`, () =>
    asTyped(scope.types, input.patch, { allowDuplicates: false }),
  );
  yield;
  const typed = inStep(`create typed live object (${describe(live)})`, () =>
    asTyped(scope.types, live, { allowDuplicates: true }),
  );
  yield;
  const result = yield* applyConfiguration({ scope, owners: ownersOf(managed), manager, live: typed, config, force });
  if (result.conflicts !== undefined) return { conflicts: listConflicts(result.conflicts, managed) };
  const own = stripMetadata(result.owners.get(manager));
  result.owners.delete(manager);
  const entries = entriesFor(result.owners, managed);
  yield;
  const isChanged = result.object !== undefined;
  const time = isChanged ? input.now : managed.get(manager)?.time;
  if (own !== undefined) entries.set(manager, { identity, owned: own, time });
  if (isChanged) checkConvertible(scope, "new", input.patch);
  const object = result.object === undefined ? live : completed(scope, result.object.value, input.patch);
  yield;
  return { object: withManagedFields(object, entries) };
}

function checkConvertible(scope: FieldManagerScope, which: "live" | "new", object: JsonObject): void {
  if (scope.cannotConvert === undefined) return;
  const step = `convert ${which} object (${describe(object)}) to proper version`;
  throw new MergeError(messages.failedTo(step, scope.cannotConvert));
}

function completed(scope: FieldManagerScope, value: JsonValue, patch: JsonObject): JsonObject {
  if (!isObject(value)) throw new MergeError(messages.notAnObject(value));
  const { object, error } = scope.complete(value);
  if (error === undefined) return object;
  throw new MergeError(messages.failedTo(`convert new object (${describe(patch)}) to proper version`, error));
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
function* retryAsMigration(run: ApplyRun, conflicts: readonly Conflict[]): Steps<Applied> {
  const allowed = fieldsOfLastApplied(run.scope, run.live);
  if (allowed === undefined) return refuse(conflicts);
  const real = conflicts
    .map((conflict) => ({ ...conflict, fields: difference(conflict.fields, allowed) }))
    .filter(({ fields }) => !isEmptySet(fields));
  if (real.length > 0) return refuse(real);
  const forced = yield* mergePatch(run, true);
  return forced.conflicts === undefined ? forced : refuse(forced.conflicts);
}

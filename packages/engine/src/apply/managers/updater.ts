/**
 * Who owns what after a write: the algorithm of server-side apply, for versions that may differ from manager to manager.
 *
 * Follows structured-merge-diff merge/update.go.
 */
import { difference, intersection, recursiveDifference, union } from "../../fieldset/algebra.ts";
import { EMPTY_SET, type FieldSet, isEmptySet } from "../../fieldset/set.ts";
import { looseEqual } from "../../value/equal.ts";
import { type Comparison, compareTyped, withoutFields } from "../compare.ts";
import { mergeValues } from "../merge.ts";
import { inStep } from "../merge-error.ts";
import { pruneItems } from "../prune.ts";
import { reconcileWithSchema } from "../reconcile.ts";
import type { Steps } from "../steps.ts";
import { toFieldSet } from "../to-set.ts";
import { convertTyped, type Typed } from "../types/typed.ts";
import type { OwnedSet, Owners, UpdaterScope } from "./owners.ts";

export interface Conflicts {
  /** What other managers own of what would change, by their identifiers. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

/** A write that is not an apply: what it changes now belongs to the writer alone. */
export function* updateOwners(
  scope: UpdaterScope,
  owners: Owners,
  manager: string,
  live: Typed,
  next: Typed,
): Steps<Map<string, OwnedSet>> {
  const reconciled = reconcileOwners(scope, owners, live);
  yield;
  const { others, comparison } = yield* transferOwnership({
    scope,
    owners: reconciled,
    manager,
    live,
    next,
    force: true,
  });
  const own = others.get(manager)?.set ?? EMPTY_SET;
  yield;
  const changed = union(union(difference(own, comparison.removed), comparison.modified), comparison.added);
  const set = writable(scope, changed);
  if (isEmptySet(set)) others.delete(manager);
  else others.set(manager, { set, apiVersion: scope.apiVersion, applied: false });
  return others;
}

export interface ApplyResult {
  /** Undefined if the object does not change; ownership may still have changed. */
  readonly object: Typed | undefined;
  readonly owners: Map<string, OwnedSet>;
  readonly conflicts?: undefined;
}

export interface ApplyInput {
  readonly scope: UpdaterScope;
  readonly owners: Owners;
  readonly manager: string;
  readonly live: Typed;
  readonly config: Typed;
  readonly force: boolean;
}

export function* applyConfiguration(input: ApplyInput): Steps<ApplyResult | Conflicts> {
  const { scope, manager, live, config, force } = input;
  const owners = reconcileOwners(scope, input.owners, live);
  const merged = { type: live.type, value: mergeValues(live.type, live.value, config.value) ?? null };
  const last = owners.get(manager);
  yield;
  const set = writable(scope, toFieldSet(config.type, config.value));
  owners.set(manager, { set, apiVersion: scope.apiVersion, applied: true });
  yield;
  const next = inStep("prune fields", () => pruneItems(scope, merged, owners, last));
  yield;
  const transfer = yield* transferOwnership({ scope, owners, manager, live, next, force });
  yield;
  if (transfer.conflicts.size > 0 && !force) return { conflicts: transfer.conflicts };
  return { object: looseEqual(live.value, next.value) ? undefined : next, owners: transfer.others };
}

function writable(scope: UpdaterScope, set: FieldSet): FieldSet {
  const reset = scope.resetFields.get(scope.apiVersion);
  return reset === undefined ? set : recursiveDifference(set, reset);
}

/** A manager whose version is gone is dropped. */
function reconcileOwners({ types }: UpdaterScope, owners: Owners, live: Typed): Map<string, OwnedSet> {
  const reconciled = new Map<string, OwnedSet>();
  const typeOf = byVersion((version) => convertTyped(types, live, version)?.type);
  for (const [manager, owned] of owners) {
    const type = typeOf(owned.apiVersion);
    if (type === undefined) continue;
    const set = reconcileWithSchema(owned.set, type);
    reconciled.set(manager, set === owned.set ? owned : { ...owned, set });
  }
  return reconciled;
}

interface TransferInput {
  readonly scope: UpdaterScope;
  readonly owners: ReadonlyMap<string, OwnedSet>;
  readonly manager: string;
  readonly live: Typed;
  readonly next: Typed;
  readonly force: boolean;
}

interface Transfer {
  readonly others: Map<string, OwnedSet>;
  readonly comparison: Comparison;
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

/** Takes from the other managers what changed or vanished, and lists what they held of it. */
function* transferOwnership({ scope, owners, manager, live, next, force }: TransferInput): Steps<Transfer> {
  const comparison = compareAt(scope, scope.apiVersion, live, next);
  yield;
  const compareIn = byVersion((version) =>
    version === scope.apiVersion ? comparison : compareConverted(scope, version, live, next),
  );
  const others = new Map<string, OwnedSet>();
  const conflicts = new Map<string, FieldSet>();
  for (const [name, owned] of owners) {
    if (name === manager) {
      others.set(name, owned);
      continue;
    }
    const changes = compareIn(owned.apiVersion);
    yield;
    if (changes === undefined) continue;
    const taken = intersection(owned.set, union(changes.modified, changes.added));
    if (!isEmptySet(taken)) conflicts.set(name, taken);
    others.set(name, { ...owned, set: difference(difference(owned.set, taken), changes.removed) });
  }
  if (conflicts.size > 0 && !force) return { others, comparison, conflicts };
  for (const [name, owned] of others) if (isEmptySet(owned.set)) others.delete(name);
  return { others, comparison, conflicts };
}

function compareAt(scope: UpdaterScope, version: string, live: Typed, next: Typed): Comparison {
  return withoutFields(compareTyped(live.type, live.value, next.value), scope.resetFields.get(version));
}

function compareConverted(scope: UpdaterScope, version: string, live: Typed, next: Typed): Comparison | undefined {
  const before = inStep("convert old object", () => convertTyped(scope.types, live, version));
  if (before === undefined) return undefined;
  const after = inStep("convert new object", () => convertTyped(scope.types, next, version));
  return after === undefined ? undefined : compareAt(scope, version, before, after);
}

/** Managers mostly share a version, so what depends on it is computed once. */
function byVersion<T>(compute: (version: string) => T): (version: string) => T {
  const known = new Map<string, { readonly result: T }>();
  return (version) => {
    const found = known.get(version) ?? { result: compute(version) };
    known.set(version, found);
    return found.result;
  };
}

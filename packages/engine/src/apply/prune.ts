/**
 * Removal by omission: fields that a manager applied last time but not this time are removed, unless another manager
 * owns them.
 *
 * Follows prune of structured-merge-diff merge/update.go, which removes too much at first and then puts back what others
 * own (and what this configuration has again), and finally what the manager never owned itself.
 */

import { compareStrings } from "@portcullis/gostd/utf8";
import { difference, intersection, union } from "../fieldset/algebra.ts";
import { EMPTY_SET, type FieldSet, isEmptySet } from "../fieldset/set.ts";
import type { OwnedSet, Owners, UpdaterScope } from "./managers/owners.ts";
import { inPart, inStep } from "./merge-error.ts";
import { removeItems } from "./remove.ts";
import { toFieldSet } from "./to-set.ts";
import { withNamedFields } from "./types/named-fields.ts";
import { convertTyped, type ResourceTypes, type Typed } from "./types/typed.ts";

export function pruneItems(scope: UpdaterScope, merged: Typed, owners: Owners, last: OwnedSet | undefined): Typed {
  if (last === undefined || isEmptySet(last.set)) return merged;
  const { types } = scope;
  const whole = inStep("convert merged object to last applied version", () =>
    convertTyped(types, merged, last.apiVersion),
  );
  if (whole === undefined) return merged;
  const removed = without(whole, withNamedFields(last.set, whole.type));
  // Upstream leaves the "to" out of these two steps.
  const pruned = inPart("add back owned items", () => addBackOwned(types, whole, removed, last.apiVersion, owners));
  const restored = inPart("add back dangling items", () => addBackDangling(types, whole, pruned, last));
  return convertTyped(types, restored, scope.apiVersion) ?? restored;
}

function without(typed: Typed, fields: FieldSet): Typed {
  return { type: typed.type, value: removeItems(typed.type, typed.value, fields) };
}

/** The version of the object comes first, so that fields a conversion needs are there for the others. */
function addBackOwned(types: ResourceTypes, merged: Typed, pruned: Typed, version: string, owners: Owners): Typed {
  const managed = new Map<string, FieldSet>();
  for (const { apiVersion, set } of owners.values()) {
    managed.set(apiVersion, union(managed.get(apiVersion) ?? EMPTY_SET, set));
  }
  const others = [...managed.keys()].filter((each) => each !== version).sort(compareStrings);
  let pair = { merged, pruned };
  for (const each of managed.has(version) ? [version, ...others] : others) {
    pair = addBackOwnedAt(types, pair, each, managed.get(each) ?? EMPTY_SET);
  }
  return pair.pruned;
}

interface Pair {
  readonly merged: Typed;
  readonly pruned: Typed;
}

function addBackOwnedAt(types: ResourceTypes, pair: Pair, version: string, managed: FieldSet): Pair {
  const merged = inStep(`convert merged object at version ${version}`, () => convertTyped(types, pair.merged, version));
  if (merged === undefined) return pair;
  const pruned = inStep(`convert pruned object at version ${version}`, () => convertTyped(types, pair.pruned, version));
  if (pruned === undefined) return { merged, pruned: pair.pruned };
  const all = namedFieldsOf(merged);
  const keep = union(namedFieldsOf(pruned), withNamedFields(managed, merged.type));
  return { merged, pruned: without(merged, difference(all, keep)) };
}

/** Only what the manager owned itself may go. */
function addBackDangling(types: ResourceTypes, merged: Typed, pruned: Typed, last: OwnedSet): Typed {
  const converted = inStep("convert pruned object to last applied version", () =>
    convertTyped(types, pruned, last.apiVersion),
  );
  if (converted === undefined) return merged;
  const gone = difference(
    namedFieldsOf(merged),
    withNamedFields(toFieldSet(converted.type, converted.value), merged.type),
  );
  return without(merged, intersection(gone, withNamedFields(last.set, merged.type)));
}

function namedFieldsOf(typed: Typed): FieldSet {
  return withNamedFields(toFieldSet(typed.type, typed.value), typed.type);
}

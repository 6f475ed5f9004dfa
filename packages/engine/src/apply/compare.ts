/**
 * What changed between two values of one type: the fields added, modified and removed.
 *
 * Follows structured-merge-diff typed/compare.go. Containers that appear or vanish count together with their content.
 * Items that occur more than once are compared as one block.
 *
 * INVARIANT: both values have been validated.
 */

import { recursiveDifference } from "../fieldset/algebra.ts";
import { fieldElement, type PathElement } from "../fieldset/element.ts";
import { type FieldSet, isEmptySet, SetBuilder } from "../fieldset/set.ts";
import { looseEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { identityOf, itemElement } from "./list-item.ts";
import { type Form, formOf, memberType, resolveForm } from "./types/form.ts";
import type { ListType, MapType, MergeType } from "./types/types.ts";

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compareTyped(type: MergeType, before: JsonValue, after: JsonValue): Comparison {
  const root = new Place(undefined, undefined);
  compareValues(type, { before, after }, root);
  return { added: root.finish("added"), modified: root.finish("modified"), removed: root.finish("removed") };
}

/** Without the fields that this endpoint does not write, and what is below them. */
export function withoutFields(comparison: Comparison, fields: FieldSet | undefined): Comparison {
  if (fields === undefined || isEmptySet(fields)) return comparison;
  return {
    added: recursiveDifference(comparison.added, fields),
    modified: recursiveDifference(comparison.modified, fields),
    removed: recursiveDifference(comparison.removed, fields),
  };
}

type Change = "added" | "modified" | "removed";

/** At most one of the two is undefined. */
interface Pair {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Where the walk is. The nodes of the three sets are made only once something is found below. */
class Place {
  private readonly parent: Place | undefined;
  private readonly element: PathElement | undefined;
  private readonly builders: { [change in Change]: SetBuilder | undefined } = {
    added: undefined,
    modified: undefined,
    removed: undefined,
  };

  constructor(parent: Place | undefined, element: PathElement | undefined) {
    this.parent = parent;
    this.element = element;
  }

  child(element: PathElement): Place {
    return new Place(this, element);
  }

  /** The root stands for the whole object and is never recorded. */
  record(change: Change): void {
    if (this.element !== undefined) this.parent?.builder(change).insert(this.element);
  }

  finish(change: Change): FieldSet {
    return this.builder(change).build();
  }

  private builder(change: Change): SetBuilder {
    const pending: Place[] = [];
    let place: Place = this;
    while (place.builders[change] === undefined && place.parent !== undefined) {
      pending.push(place);
      place = place.parent;
    }
    let builder = place.builders[change] ?? new SetBuilder();
    place.builders[change] = builder;
    for (const below of pending.reverse()) {
      if (below.element !== undefined) builder = builder.descend(below.element);
      below.builders[change] = builder;
    }
    return builder;
  }
}

function compareValues(type: MergeType | undefined, pair: Pair, place: Place): void {
  const { before, after } = pair;
  if (type === undefined || before === after) return;
  const [left, right] = [formOf(type, before), formOf(type, after)];
  let isLeaf: boolean;
  if (after === undefined) isLeaf = compareAs(type, left, pair, place);
  else {
    // Free-form data that changed its form is looked at in both.
    if (before !== undefined && left !== right) compareAs(type, left, pair, place);
    isLeaf = compareAs(type, right, pair, place);
  }
  if (isLeaf) return;
  if (before === undefined) place.record("added");
  else if (after === undefined) place.record("removed");
}

/** Whether the value was taken as a whole. */
function compareAs(type: MergeType, form: Form, pair: Pair, place: Place): boolean {
  const resolved = resolveForm(type, form);
  if (resolved === "map" && type.map !== undefined) return compareMaps(type.map, pair, place);
  if (resolved === "list" && type.list !== undefined) return compareLists(type.list, pair, place);
  return compareLeaf(pair, place);
}

function compareLeaf({ before, after }: Pair, place: Place): boolean {
  if (before === undefined) place.record("added");
  else if (after === undefined) place.record("removed");
  else if (!looseEqual(before, after)) place.record("modified");
  return true;
}

function compareMaps(type: MapType, pair: Pair, place: Place): boolean {
  const before = isObject(pair.before) ? pair.before : undefined;
  const after = isObject(pair.after) ? pair.after : undefined;
  if (type.relationship === "atomic" || (isBare(before) && isBare(after))) return compareLeaf(pair, place);
  for (const name in before) {
    const members = { before: before[name], after: after?.[name] };
    if (members.before !== members.after) {
      compareValues(memberType(type, name), members, place.child(fieldElement(name)));
    }
  }
  for (const name in after) {
    if (before?.[name] !== undefined) continue;
    compareValues(memberType(type, name), { before: undefined, after: after[name] }, place.child(fieldElement(name)));
  }
  return false;
}

function isBare(map: JsonObject | undefined): boolean {
  for (const _ in map) return false;
  return true;
}

function compareLists(type: ListType, pair: Pair, place: Place): boolean {
  const before = isArray(pair.before) ? pair.before : [];
  const after = isArray(pair.after) ? pair.after : [];
  if (type.relationship === "atomic" || (before.length === 0 && after.length === 0)) return compareLeaf(pair, place);
  const groups = new Map<string, ItemGroup>();
  group(type, before, "before", groups);
  group(type, after, "after", groups);
  for (const items of groups.values()) compareItems(type, items, place.child(items.element));
  return false;
}

/** All items of one identity. */
interface ItemGroup {
  readonly element: PathElement;
  readonly before: JsonValue[];
  readonly after: JsonValue[];
}

function group(type: ListType, items: JsonValue[], side: "before" | "after", into: Map<string, ItemGroup>): void {
  for (const item of items) {
    const element = itemElement(type, item).value;
    if (element === undefined) continue;
    const identity = identityOf(element);
    const known = into.get(identity) ?? { element, before: [], after: [] };
    into.set(identity, known);
    known[side].push(item);
  }
}

function compareItems(type: ListType, { before, after }: ItemGroup, place: Place): void {
  if (before.length < 2 && after.length < 2) {
    compareValues(type.element, { before: before[0], after: after[0] }, place);
  } else if (before.length >= 2 && after.length >= 2) {
    if (!looseEqual(before, after)) place.record("modified");
  } else if (before.length >= 2) {
    if (after.length > 0) compareValues(type.element, { before: undefined, after: after[0] }, place);
    place.record("removed");
  } else {
    if (before.length > 0) compareValues(type.element, { before: before[0], after: undefined }, place);
    place.record("added");
  }
}

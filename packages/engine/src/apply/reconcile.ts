/**
 * Ownership brought in line with a schema that changed since it was written.
 *
 * Follows structured-merge-diff typed/reconcile_schema.go. Who owned parts of what is now atomic owns the whole of it.
 * Ownership of what was atomic and is now granular is left alone, and so is that of free-form data.
 */
import { recursiveDifference, union } from "../fieldset/algebra.ts";
import type { PathElement } from "../fieldset/element.ts";
import type { Path } from "../fieldset/path.ts";
import { childOf, type FieldSet, hasMember, setOf, sizeOfSet } from "../fieldset/set.ts";
import { memberType, resolveForm } from "./types/form.ts";
import type { ListType, MapType, MergeType } from "./types/types.ts";

export function reconcileWithSchema(set: FieldSet, type: MergeType): FieldSet {
  const whole: Path[] = [];
  visit(type, { set, isWhole: false, path: [] }, whole);
  if (whole.length === 0) return set;
  const paths = setOf(...whole);
  return union(recursiveDifference(set, paths), paths);
}

interface Owned {
  /** What is owned below; undefined if nothing is. */
  readonly set: FieldSet | undefined;
  /** Whether the element itself is owned and nothing below it. */
  readonly isWhole: boolean;
  readonly path: Path;
}

function visit(type: MergeType | undefined, owned: Owned, whole: Path[]): void {
  if (type === undefined) return;
  const form = resolveForm(type, "any");
  if (form === "map" && type.map !== undefined) visitMap(type.map, owned, whole);
  else if (form === "list" && type.list !== undefined) visitList(type.list, owned, whole);
}

function visitList(type: ListType, owned: Owned, whole: Path[]): void {
  if (!owned.isWhole && type.relationship === "atomic") {
    whole.push(owned.path);
    return;
  }
  visitBelow(owned, whole, () => type.element);
}

function visitMap(type: MapType, owned: Owned, whole: Path[]): void {
  if (isFreeForm(type)) return;
  if (!owned.isWhole && type.relationship === "atomic") {
    if (owned.set !== undefined && sizeOfSet(owned.set) > 0) whole.push(owned.path);
    return;
  }
  visitBelow(owned, whole, (element) => (element.kind === "field" ? memberType(type, element.name) : type.element));
}

function visitBelow(
  { set, path }: Owned,
  whole: Path[],
  typeOf: (element: PathElement) => MergeType | undefined,
): void {
  if (set === undefined) return;
  for (const { element, set: below } of set.children) {
    if (!hasMember(set, element)) {
      visit(typeOf(element), { set: below, isWhole: false, path: [...path, element] }, whole);
    }
  }
  for (const element of set.members) {
    const below = childOf(set, element);
    visit(typeOf(element), { set: below, isWhole: below === undefined, path: [...path, element] }, whole);
  }
}

function isFreeForm({ fields, element }: MapType): boolean {
  if (fields.size > 0 || element === undefined) return false;
  return element.name === undefined ? element.scalar === "untyped" : element.name === "__untyped_deduced_";
}

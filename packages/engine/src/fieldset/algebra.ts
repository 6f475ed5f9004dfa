/**
 * Union, intersection and the two differences of field sets, each in a single walk of both sets.
 *
 * Follows structured-merge-diff fieldpath/set.go. Which of two equal elements survives is observable, since an int64 and
 * a float64 key are equal but may print differently.
 */
import { compareElements, type PathElement } from "./element.ts";
import { EMPTY_SET, type FieldSet, hasMember, isEmptySet, type SetNode } from "./set.ts";

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || b === EMPTY_SET) return a;
  if (a === EMPTY_SET) return b;
  return { members: unionMembers(a.members, b.members), children: unionChildren(a.children, b.children) };
}

/** Keeps only what both have as members; a member of one that merely has members below it in the other is not shared. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const members: PathElement[] = [];
  zip(a.members, b.members, identity, (left, right) => {
    if (left !== undefined && right !== undefined) members.push(left);
  });
  const children: SetNode[] = [];
  zip(a.children, b.children, elementOf, (left, right) => {
    if (left !== undefined && right !== undefined) pushNode(children, left.element, intersection(left.set, right.set));
  });
  return { members, children };
}

/** Removes exactly the members of `b`: taking away a parent leaves its children, and the other way round. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (b.members.length === 0 && b.children.length === 0) return a;
  const children: SetNode[] = [];
  zip(a.children, b.children, elementOf, (left, right) => {
    if (left === undefined) return;
    if (right === undefined) children.push(left);
    else pushNode(children, left.element, difference(left.set, right.set));
  });
  return { members: differenceMembers(a.members, b.members), children };
}

/** Removes the members of `b` together with everything below them. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (b.members.length === 0 && b.children.length === 0) return a;
  const children: SetNode[] = [];
  zip(a.children, b.children, elementOf, (left, right) => {
    if (left === undefined || hasMember(b, left.element)) return;
    if (right === undefined) children.push(left);
    else pushNode(children, left.element, recursiveDifference(left.set, right.set));
  });
  return { members: differenceMembers(a.members, b.members), children };
}

/** Only the members that have no members below them. */
export function leaves(set: FieldSet): FieldSet {
  const members: PathElement[] = [];
  zip(set.members, set.children.map(elementOf), identity, (member, child) => {
    if (member !== undefined && child === undefined) members.push(member);
  });
  return { members, children: set.children.map(({ element, set: below }) => ({ element, set: leaves(below) })) };
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.members.length !== b.members.length || a.children.length !== b.children.length) return false;
  let equal = true;
  zip(a.members, b.members, identity, (left, right) => {
    equal &&= left !== undefined && right !== undefined;
  });
  zip(a.children, b.children, elementOf, (left, right) => {
    equal &&= left !== undefined && right !== undefined && equalSets(left.set, right.set);
  });
  return equal;
}

export function unionMembers(a: readonly PathElement[], b: readonly PathElement[]): readonly PathElement[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  const members: PathElement[] = [];
  zip(a, b, identity, (left, right) => {
    const member = right ?? left;
    if (member !== undefined) members.push(member);
  });
  return members;
}

function unionChildren(a: readonly SetNode[], b: readonly SetNode[]): readonly SetNode[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  const children: SetNode[] = [];
  zip(a, b, elementOf, (left, right) => {
    if (left !== undefined && right !== undefined)
      children.push({ element: left.element, set: union(left.set, right.set) });
    else if (left !== undefined) children.push(left);
    else if (right !== undefined) children.push(right);
  });
  return children;
}

function differenceMembers(a: readonly PathElement[], b: readonly PathElement[]): readonly PathElement[] {
  if (b.length === 0) return a;
  const members: PathElement[] = [];
  zip(a, b, identity, (left, right) => {
    if (left !== undefined && right === undefined) members.push(left);
  });
  return members;
}

function pushNode(children: SetNode[], element: PathElement, set: FieldSet): void {
  if (!isEmptySet(set)) children.push({ element, set });
}

/** Walks two sorted lists together; an item without an equal partner comes alone. */
function zip<T>(
  a: readonly T[],
  b: readonly T[],
  by: (item: T) => PathElement,
  visit: (left: T | undefined, right: T | undefined) => void,
): void {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    const order = orderOf(left, right, by);
    visit(order <= 0 ? left : undefined, order >= 0 ? right : undefined);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
}

function orderOf<T>(left: T | undefined, right: T | undefined, by: (item: T) => PathElement): number {
  if (left === undefined) return 1;
  return right === undefined ? -1 : compareElements(by(left), by(right));
}

function identity(element: PathElement): PathElement {
  return element;
}

function elementOf(node: SetNode): PathElement {
  return node.element;
}

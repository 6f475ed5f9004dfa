/**
 * Sets of fields: a tree in which each node lists the elements that belong to the set and the elements that have
 * members below them. An element may be in either list or in both.
 *
 * Follows structured-merge-diff fieldpath/set.go. Sets are immutable and share what they have in common; `SetBuilder`
 * makes new ones.
 *
 * INVARIANT: both lists are sorted by `compareElements` and have no duplicates.
 */
import { compareElements, type PathElement } from "./element.ts";
import type { Path } from "./path.ts";

export interface FieldSet {
  readonly members: readonly PathElement[];
  readonly children: readonly SetNode[];
}

export interface SetNode {
  readonly element: PathElement;
  readonly set: FieldSet;
}

export const EMPTY_SET: FieldSet = { members: [], children: [] };

/** The empty path, which would stand for the whole object, is never a member. */
export function setOf(...paths: Path[]): FieldSet {
  const root = new SetBuilder();
  for (const path of paths) root.insertPath(path);
  return root.build();
}

export function isEmptySet(set: FieldSet): boolean {
  return set.members.length === 0 && set.children.every((node) => isEmptySet(node.set));
}

export function sizeOfSet(set: FieldSet): number {
  return set.children.reduce((sum, node) => sum + sizeOfSet(node.set), set.members.length);
}

export function hasMember(set: FieldSet, element: PathElement): boolean {
  const found = set.members[lowerBound(set.members.length, (at) => order(set.members[at], element))];
  return found !== undefined && compareElements(found, element) === 0;
}

/** What lies below an element; undefined if nothing does. */
export function childOf(set: FieldSet, element: PathElement): FieldSet | undefined {
  const node = set.children[lowerBound(set.children.length, (at) => order(set.children[at]?.element, element))];
  return node !== undefined && compareElements(node.element, element) === 0 ? node.set : undefined;
}

export function hasPath(set: FieldSet, path: Path): boolean {
  let node: FieldSet | undefined = set;
  for (const [depth, element] of path.entries()) {
    if (depth === path.length - 1) return hasMember(node, element);
    node = childOf(node, element);
    if (node === undefined) return false;
  }
  return false;
}

/** The members in upstream's order: those of a node, then those of its children. */
export function* pathsOf(set: FieldSet, prefix: Path = []): Generator<Path> {
  for (const element of set.members) yield [...prefix, element];
  for (const { element, set: below } of set.children) yield* pathsOf(below, [...prefix, element]);
}

function order(at: PathElement | undefined, element: PathElement): number {
  return at === undefined ? 1 : compareElements(at, element);
}

/** The first position whose element is not before the one sought. */
function lowerBound(length: number, orderAt: (index: number) => number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (orderAt(middle) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Collects members in any order; `build` sorts once, so that building is not quadratic. */
export class SetBuilder {
  private readonly members: PathElement[] = [];
  private readonly children: { readonly element: PathElement; readonly builder: SetBuilder }[] = [];

  isEmpty(): boolean {
    return this.members.length === 0 && this.children.length === 0;
  }

  insert(element: PathElement): void {
    this.members.push(element);
  }

  insertPath(path: Path): void {
    const last = path.at(-1);
    if (last === undefined) return;
    let node: SetBuilder = this;
    for (const element of path.slice(0, -1)) node = node.descend(element);
    node.insert(last);
  }

  /** A builder for what lies below. Asking twice for one element is fine: the answers are joined in the end. */
  descend(element: PathElement): SetBuilder {
    const builder = new SetBuilder();
    this.children.push({ element, builder });
    return builder;
  }

  /** Takes over what another builder has collected, as what lies below an element. */
  adoptBelow(element: PathElement, builder: SetBuilder): void {
    this.children.push({ element, builder });
  }

  /** The set; elements without members below them are left out. */
  build(): FieldSet {
    const members = sortedUnique(this.members);
    const children = this.sortedChildren();
    return members.length === 0 && children.length === 0 ? EMPTY_SET : { members, children };
  }

  private sortedChildren(): SetNode[] {
    const sorted = sortBy(this.children, (child) => child.element);
    const nodes: SetNode[] = [];
    for (let start = 0; start < sorted.length; ) {
      const first = sorted[start];
      if (first === undefined) break;
      let end = start + 1;
      for (let next = sorted[end]; next !== undefined; next = sorted[++end]) {
        if (compareElements(first.element, next.element) !== 0) break;
        first.builder.adopt(next.builder);
      }
      const set = first.builder.build();
      if (set !== EMPTY_SET) nodes.push({ element: first.element, set });
      start = end;
    }
    return nodes;
  }

  private adopt(other: SetBuilder): void {
    for (const element of other.members) this.members.push(element);
    for (const child of other.children) this.children.push(child);
  }
}

function sortedUnique(elements: readonly PathElement[]): PathElement[] {
  const sorted = sortBy(elements, (element) => element);
  return sorted.filter((element, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareElements(before, element) !== 0;
  });
}

// Most input is in order already.
function sortBy<T>(items: readonly T[], elementOf: (item: T) => PathElement): readonly T[] {
  for (let i = 1; i < items.length; i++) {
    const [before, here] = [items[i - 1], items[i]];
    if (before === undefined || here === undefined) break;
    if (compareElements(elementOf(before), elementOf(here)) > 0) {
      return [...items].sort((a, b) => compareElements(elementOf(a), elementOf(b)));
    }
  }
  return items;
}

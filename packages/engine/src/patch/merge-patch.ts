/**
 * JSON merge patches (RFC 7386) in the dialect of evanphx/json-patch v4, applied to the text of an object.
 *
 * Nulls are taken out of objects that a patch adds, also inside lists of objects. What takes the place of an object and is
 * none stays as it was sent, nulls and repeated keys included.
 */
import { type Child, type LazyDoc, LazyNode, writeNode } from "./lazy-json.ts";

/** INVARIANT: the document is an object. A patch that is neither an object nor a list is refused: undefined. */
export function applyMergePatch(document: string, patch: string): string | undefined {
  const [target, changes] = [LazyNode.of(document).doc ?? new Map(), LazyNode.of(patch)];
  if (changes.items !== undefined) {
    pruneNulls([changes]);
    return writeNode(changes);
  }
  if (changes.doc === undefined) return undefined;
  mergeDocs(target, changes.doc);
  return writeNode(target);
}

function mergeDocs(target: LazyDoc, changes: LazyDoc): void {
  const work: [LazyDoc, LazyDoc][] = [[target, changes]];
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const [doc, patch] = pair;
    for (const [key, value] of patch) {
      const current = doc.get(key);
      if (value === undefined) doc.delete(key);
      else if (current?.doc !== undefined && value.doc !== undefined) work.push([current.doc, value.doc]);
      else {
        if (current?.doc === undefined) pruneNulls([value]);
        doc.set(key, value);
      }
    }
  }
}

/** Items of a list may be null; members of an object may not. */
function pruneNulls(nodes: Child[]): void {
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    for (const [key, member] of node.doc ?? []) {
      if (member === undefined) node.doc?.delete(key);
      else nodes.push(member);
    }
    for (const item of node.items ?? []) if (item !== undefined) nodes.push(item);
  }
}

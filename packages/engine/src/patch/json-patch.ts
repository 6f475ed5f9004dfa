/**
 * JSON patches (RFC 6902) in the dialect of evanphx/json-patch v4, applied to the text of an object.
 *
 * Negative indices count from the end; `replace` sets a member that is not there; `test` of a missing member passes when
 * the value is null or absent, and compares scalars as they are written; `replace` with an empty path replaces the
 * document. A value that no later operation reaches into stays as it was sent, repeated keys included. Failures have no
 * text of their own, because the API server drops it.
 */
import { Panic } from "@portcullis/cel";
import { atoi } from "@portcullis/gostd/strconv";
import { byteLength } from "@portcullis/gostd/utf8";
import { type Child, type LazyDoc, LazyNode, sameNodes, writeNode } from "./lazy-json.ts";
import { MAX_COPIED } from "./messages.ts";

/** One step of a patch; undefined for a null in its place. */
export type Operation = LazyDoc | undefined;

/** INVARIANT: the text is that of a list of objects and nulls. */
export function readOperations(text: string): Operation[] {
  return (LazyNode.of(text).items ?? []).map((item) => item?.doc);
}

/** The patched document as text; undefined where an operation cannot be applied. Throws a Panic where upstream does. */
export function applyJsonPatch(document: string, operations: readonly Operation[]): string | undefined {
  const state: State = { root: containerOf(LazyNode.of(document)) ?? new Map(), copied: 0 };
  for (const operation of operations) if (!applyOperation(state, operation)) return undefined;
  return writeNode(state.root);
}

type Container = LazyDoc | Child[];

interface State {
  root: Container;
  copied: number;
}

function applyOperation(state: State, operation: Operation): boolean {
  const path = operation?.get("path")?.string;
  if (operation === undefined || path === undefined) return false;
  switch (operation.get("op")?.string) {
    case "add":
      return add(find(state.root, path), givenValue(operation));
    case "remove":
      return remove(find(state.root, path));
    case "replace":
      return path === "" ? replaceRoot(state, operation) : replace(find(state.root, path), givenValue(operation));
    case "test":
      return path === "" ? testRoot(state.root, operation) : test(find(state.root, path), givenValue(operation));
    case "move":
      return move(state, operation.get("from")?.string, path);
    case "copy":
      return copy(state, operation.get("from")?.string, path);
    default:
      return false;
  }
}

/** Undefined where there is none; a null is a value. */
function givenValue(operation: LazyDoc): Child {
  return operation.has("value") ? (operation.get("value") ?? LazyNode.null()) : undefined;
}

/** Where an operation works: a container and a key in it. */
interface Target {
  readonly container: Container;
  readonly key: string;
}

function find(root: Container, path: string): Target | undefined {
  const parts = path.split("/").map(unescapePart);
  if (parts.length < 2) return undefined;
  let at: Container = root;
  for (const part of parts.slice(1, -1)) {
    const next = containerOf(get({ container: at, key: part })?.child);
    if (next === undefined) return undefined;
    at = next;
  }
  return { container: at, key: parts.at(-1) ?? "" };
}

function containerOf(node: Child): Container | undefined {
  return node?.isArray === true ? node.items : node?.doc;
}

/** In one pass: `~01` is `~1`. */
function unescapePart(part: string): string {
  return part.replace(/~[01]/g, (escaped) => (escaped === "~1" ? "/" : "~"));
}

/** Undefined where a list has no such index; a missing member is found, and has no child. */
function get({ container, key }: Target): { readonly child: Child } | undefined {
  if (container instanceof Map) return { child: container.get(key) };
  const index = indexIn(container.length, key);
  return index === undefined ? undefined : { child: container[index] };
}

function indexIn(length: number, key: string): number | undefined {
  const parsed = atoi(key);
  if (parsed.error !== undefined) return undefined;
  const index = Number(parsed.value);
  const counted = index < 0 ? index + length : index;
  return counted < 0 || counted >= length ? undefined : counted;
}

function add(target: Target | undefined, value: Child): boolean {
  if (target === undefined) return false;
  const { container, key } = target;
  if (container instanceof Map) {
    container.set(key, value);
    return true;
  }
  // One more than the last index is allowed, and -1 is that place.
  const index = key === "-" ? container.length : indexIn(container.length + 1, key);
  if (index === undefined) return false;
  container.splice(index, 0, value);
  return true;
}

function remove(target: Target | undefined): boolean {
  if (target === undefined) return false;
  const { container, key } = target;
  if (container instanceof Map) return container.delete(key);
  const index = indexIn(container.length, key);
  if (index === undefined) return false;
  container.splice(index, 1);
  return true;
}

function replace(target: Target | undefined, value: Child): boolean {
  if (target === undefined || get(target) === undefined) return false;
  const { container, key } = target;
  if (container instanceof Map) container.set(key, value);
  else container[indexIn(container.length, key) ?? 0] = value;
  return true;
}

function replaceRoot(state: State, operation: LazyDoc): boolean {
  const value = givenValue(operation);
  if (value === undefined) throw new Panic("nil pointer dereference");
  const container = containerOf(value);
  if (container === undefined) return false;
  state.root = container;
  return true;
}

function testRoot(root: Container, operation: LazyDoc): boolean {
  const value = givenValue(operation);
  if (value === undefined) throw new Panic("nil pointer dereference");
  return sameNodes(LazyNode.opened(root), value);
}

function test(target: Target | undefined, value: Child): boolean {
  const current = target && get(target);
  if (current === undefined) return false;
  if (current.child === undefined) return value === undefined || value.isNull;
  return value !== undefined && sameNodes(current.child, value);
}

function move(state: State, from: string | undefined, path: string): boolean {
  const source = from === undefined ? undefined : find(state.root, from);
  const found = source && get(source);
  return found !== undefined && remove(source) && add(find(state.root, path), found.child);
}

function copy(state: State, from: string | undefined, path: string): boolean {
  const source = from === undefined ? undefined : find(state.root, from);
  const found = source && get(source);
  const target = find(state.root, path);
  if (found === undefined || target === undefined) return false;
  if (found.child === undefined) return add(target, undefined);
  const text = writeNode(found.child);
  state.copied += byteLength(text);
  return state.copied <= MAX_COPIED && add(target, LazyNode.of(text));
}

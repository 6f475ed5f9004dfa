/**
 * JSON patches (RFC 6902) in the dialect of evanphx/json-patch v4, applied to the text of an object.
 *
 * Negative indices count from the end; `replace` sets a missing member; `test` of a missing member passes when the
 * value is null or absent, and compares scalars as they are written; `replace` with an empty path replaces the
 * document. A value that no later operation reaches into stays as it was sent, repeated keys included. Failures have
 * the library's messages, which the API server shows for mutating policies only.
 */
import { Panic } from "@portcullis/cel/internal";
import { atoi } from "@portcullis/gostd/strconv";
import { byteLength } from "@portcullis/gostd/utf8";
import * as failures from "./json-patch-messages.ts";
import { type Child, type LazyDoc, type LazyList, LazyNode, sameNodes, writeNode } from "./lazy-json.ts";
import { MAX_COPIED } from "./messages.ts";

/** One step of a patch; undefined for a null in its place. */
export type Operation = LazyDoc | undefined;

/** INVARIANT: the text is that of a list of objects and nulls. */
export function readOperations(text: string): Operation[] {
  return [...(LazyNode.of(text).items ?? [])].map((item) => item?.doc);
}

/** The patched document as text; undefined if an operation cannot be applied. Throws a Panic where upstream does. */
export function applyJsonPatch(document: string, operations: readonly Operation[]): string | undefined {
  return patchDocument(document, operations).text;
}

export type Patched =
  | { readonly text: string; readonly failure?: undefined }
  | { readonly text?: undefined; readonly failure: PatchFailure };

/** Why an operation cannot be applied. */
export interface PatchFailure {
  readonly message: string;
  /** Whether a test did not hold. */
  readonly isTest: boolean;
}

/** The same with the reason. Throws a Panic where upstream does. */
export function patchDocument(document: string, operations: readonly Operation[]): Patched {
  const state: State = { root: containerOf(LazyNode.of(document)) ?? new Map(), copied: 0 };
  for (const operation of operations) {
    const failure = applyOperation(state, operation ?? new Map());
    if (failure === TEST_FAILED) return { failure: { message: failures.testFailed(pathOf(operation)), isTest: true } };
    if (failure !== undefined) return { failure: { message: failure, isTest: false } };
  }
  return { text: writeNode(state.root) };
}

function pathOf(operation: Operation): string {
  return (operation && textAt(operation, "path")) ?? "";
}

type Container = LazyDoc | LazyList;

interface State {
  root: Container;
  copied: number;
}

/** Undefined if it went well. */
type Failure = string | undefined;

const TEST_FAILED = "test failed";

function applyOperation(state: State, operation: LazyDoc): Failure {
  const kind = operation.get("op")?.string ?? "unknown";
  switch (kind) {
    case "add":
      return addAt(state, operation);
    case "remove":
      return removeAt(state, operation);
    case "replace":
      return replaceAt(state, operation);
    case "test":
      return testAt(state, operation);
    case "move":
      return move(state, operation);
    case "copy":
      return copy(state, operation);
    default:
      return failures.unexpectedKind(kind);
  }
}

/** Undefined if there is none; a null is a value. */
function givenValue(operation: LazyDoc): Child {
  return operation.has("value") ? (operation.get("value") ?? LazyNode.null()) : undefined;
}

function textAt(operation: LazyDoc, name: "path" | "from"): string | undefined {
  return operation.get(name)?.string;
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
    const next = containerOf(get({ container: at, key: part }).child);
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

interface Found {
  readonly child?: Child;
  /** Why a list has no such item; a missing member is found, and has no child. */
  readonly failure?: string;
}

function get({ container, key }: Target): Found {
  if (container instanceof Map) return { child: container.get(key) };
  const at = indexIn(container.length, key);
  return typeof at === "string" ? { failure: at } : { child: container.at(at) };
}

/** A text says why there is no such index. */
function indexIn(length: number, key: string): number | string {
  const parsed = atoi(key);
  if (parsed.error !== undefined) return parsed.error;
  const index = Number(parsed.value);
  const counted = index < 0 ? index + length : index;
  return counted < 0 || counted >= length ? failures.invalidIndex(index) : counted;
}

function addAt({ root }: State, operation: LazyDoc): Failure {
  const path = textAt(operation, "path");
  if (path === undefined) return failures.undecodedPath("add");
  const target = find(root, path);
  if (target === undefined) return failures.missingQuotedPath("add", path);
  return failures.inOperation("add", path, add(target, givenValue(operation)));
}

function add({ container, key }: Target, value: Child): Failure {
  if (container instanceof Map) {
    container.set(key, value);
    return undefined;
  }
  if (key !== "-" && atoi(key).error !== undefined) return failures.notAnIndex(key, atoi(key).error ?? "");
  // One more than the last index is allowed, and -1 is that place.
  const index = key === "-" ? container.length : indexIn(container.length + 1, key);
  if (typeof index === "string") return index;
  container.insert(index, value);
  return undefined;
}

function removeAt({ root }: State, operation: LazyDoc): Failure {
  const path = textAt(operation, "path");
  if (path === undefined) return failures.undecodedPath("remove");
  const target = find(root, path);
  if (target === undefined) return failures.missingQuotedPath("remove", path);
  return failures.inOperation("remove", path, remove(target));
}

function remove({ container, key }: Target): Failure {
  if (container instanceof Map) return container.delete(key) ? undefined : failures.nonexistentKey(key);
  const index = indexIn(container.length, key);
  if (typeof index === "string") return index;
  container.remove(index);
  return undefined;
}

function replaceAt(state: State, operation: LazyDoc): Failure {
  const path = textAt(operation, "path");
  if (path === undefined) return failures.pathMissing("replace");
  if (path === "") return replaceRoot(state, operation);
  const target = find(state.root, path);
  if (target === undefined) return failures.missingPath("replace", path);
  if (get(target).failure !== undefined) return failures.missingKey(path);
  const { container, key } = target;
  const value = givenValue(operation);
  if (container instanceof Map) container.set(key, value);
  else container.set(Number(indexIn(container.length, key)), value);
  return undefined;
}

function replaceRoot(state: State, operation: LazyDoc): Failure {
  const value = givenValue(operation);
  if (value === undefined) throw new Panic("nil pointer dereference");
  const container = containerOf(value);
  if (container === undefined) return failures.notAContainer();
  state.root = container;
  return undefined;
}

function testAt({ root }: State, operation: LazyDoc): Failure {
  const path = textAt(operation, "path");
  if (path === undefined) return failures.pathMissing("test");
  const value = givenValue(operation);
  if (path === "") return testRoot(root, value);
  const target = find(root, path);
  if (target === undefined) return failures.testPathMissing(path);
  const { child, failure } = get(target);
  if (failure !== undefined) return failures.inOperation("test", path, failure);
  return holds(child, value) ? undefined : TEST_FAILED;
}

function testRoot(root: Container, value: Child): Failure {
  if (value === undefined) throw new Panic("nil pointer dereference");
  return sameNodes(LazyNode.opened(root), value) ? undefined : TEST_FAILED;
}

function holds(current: Child, value: Child): boolean {
  if (current === undefined) return value === undefined || value.isNull;
  return value !== undefined && sameNodes(current, value);
}

function move({ root }: State, operation: LazyDoc): Failure {
  const from = textAt(operation, "from");
  if (from === undefined) return failures.fromMissing("move");
  const source = find(root, from);
  if (source === undefined) return failures.missingFrom("move", from);
  const { child, failure } = get(source);
  const removed = failure ?? remove(source);
  if (removed !== undefined) return failures.inOperation("move", source.key, removed);
  const path = textAt(operation, "path");
  if (path === undefined) return failures.pathMissing("move");
  const target = find(root, path);
  if (target === undefined) return failures.missingDestination("move", path);
  return failures.inOperation("move", path, add(target, child));
}

function copy(state: State, operation: LazyDoc): Failure {
  const from = textAt(operation, "from");
  if (from === undefined) return failures.fromMissing("copy");
  const source = find(state.root, from);
  if (source === undefined) return failures.missingFrom("copy", from);
  const { child, failure } = get(source);
  if (failure !== undefined) return failures.inCopy(from, failure);
  const path = textAt(operation, "path");
  if (path === undefined) return failures.undecodedPath("copy");
  const target = find(state.root, path);
  if (target === undefined) return failures.missingDestination("copy", path);
  const text = child && writeNode(child);
  state.copied += text === undefined ? 0 : byteLength(text);
  if (state.copied > MAX_COPIED) return failures.copiedTooMuch(state.copied, MAX_COPIED);
  const added = add(target, text === undefined ? undefined : LazyNode.of(text));
  return added === undefined ? undefined : failures.notAdded(added);
}

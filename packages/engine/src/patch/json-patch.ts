/**
 * JSON patches (RFC 6902) in the dialect of evanphx/json-patch v4.
 *
 * Negative indices count from the end; `replace` sets a member that is not there; `test` of a missing member passes when
 * the value is null or absent; `replace` with an empty path replaces the document. Failures have no text of their own,
 * because the API server drops it.
 */
import { atoi } from "@portcullis/gostd/strconv";
import { byteLength } from "@portcullis/gostd/utf8";
import { deepCopy } from "../value/copy.ts";
import { looseEqual } from "../value/equal.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { MAX_COPIED } from "./messages.ts";

/** The patched document; undefined where an operation cannot be applied. The document is left as it was. */
export function applyJsonPatch(document: JsonObject, operations: readonly JsonObject[]): JsonValue | undefined {
  const state: State = { root: deepCopy<JsonValue>(document), copied: 0 };
  for (const operation of operations) if (!applyOperation(state, operation)) return undefined;
  return state.root;
}

interface State {
  root: JsonValue;
  copied: number;
}

function applyOperation(state: State, operation: JsonObject): boolean {
  const [path, from] = [text(operation["path"]), text(operation["from"])];
  if (path === undefined) return false;
  const value = operation["value"];
  switch (operation["op"]) {
    case "add":
      return add(find(state.root, path), deepCopy(value ?? null));
    case "remove":
      return remove(find(state.root, path));
    case "replace":
      return path === "" ? replaceRoot(state, value) : replace(find(state.root, path), deepCopy(value ?? null));
    case "test":
      return path === "" ? looseEqual(state.root, value ?? null) : test(find(state.root, path), value);
    case "move":
      return from !== undefined && move(state, from, path);
    case "copy":
      return from !== undefined && copy(state, from, path);
    default:
      return false;
  }
}

/** Where an operation works: a container and a key in it. */
interface Target {
  readonly container: JsonObject | JsonValue[];
  readonly key: string;
}

function find(root: JsonValue, path: string): Target | undefined {
  const parts = path.split("/").map(unescapePart);
  if (parts.length < 2) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of parts.slice(1, -1)) at = isArray(at) ? at[indexIn(at, part) ?? -1] : member(at, part);
  return isArray(at) || isObject(at) ? { container: at, key: parts.at(-1) ?? "" } : undefined;
}

function unescapePart(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && hasKey(value, key) ? value[key] : undefined;
}

/** An index of an existing item. */
function indexIn(items: readonly JsonValue[], key: string): number | undefined {
  const parsed = atoi(key);
  if (parsed.error !== undefined) return undefined;
  const index = Number(parsed.value);
  const counted = index < 0 ? index + items.length : index;
  return counted < 0 || counted >= items.length ? undefined : counted;
}

function get({ container, key }: Target): { readonly found: boolean; readonly value: JsonValue | undefined } {
  if (!isArray(container)) return { found: true, value: member(container, key) };
  const index = indexIn(container, key);
  return { found: index !== undefined, value: index === undefined ? undefined : container[index] };
}

function add(target: Target | undefined, value: JsonValue): boolean {
  if (target === undefined) return false;
  const { container, key } = target;
  if (!isArray(container)) {
    container[key] = value;
    return true;
  }
  if (key === "-") {
    container.push(value);
    return true;
  }
  // One more than the last index is allowed, and -1 is that place.
  const index = indexIn([...container, null], key);
  if (index === undefined) return false;
  container.splice(index, 0, value);
  return true;
}

function remove(target: Target | undefined): boolean {
  if (target === undefined) return false;
  const { container, key } = target;
  if (!isArray(container)) {
    if (!hasKey(container, key)) return false;
    delete container[key];
    return true;
  }
  const index = indexIn(container, key);
  if (index === undefined) return false;
  container.splice(index, 1);
  return true;
}

function replace(target: Target | undefined, value: JsonValue): boolean {
  if (target === undefined || !get(target).found) return false;
  const { container, key } = target;
  if (isArray(container)) container[indexIn(container, key) ?? 0] = value;
  else container[key] = value;
  return true;
}

function replaceRoot(state: State, value: JsonValue | undefined): boolean {
  if (!isArray(value) && !isObject(value)) return false;
  state.root = deepCopy<JsonValue>(value);
  return true;
}

function test(target: Target | undefined, value: JsonValue | undefined): boolean {
  if (target === undefined) return false;
  const current = get(target);
  return current.found && looseEqual(current.value ?? null, value ?? null);
}

function move(state: State, from: string, path: string): boolean {
  const source = find(state.root, from);
  if (source === undefined) return false;
  const { found, value } = get(source);
  return found && remove(source) && add(find(state.root, path), value ?? null);
}

function copy(state: State, from: string, path: string): boolean {
  const source = find(state.root, from);
  const target = find(state.root, path);
  if (source === undefined || target === undefined) return false;
  const { found, value } = get(source);
  if (!found) return false;
  state.copied += value === undefined ? 0 : byteLength(canonicalJson(value));
  return state.copied <= MAX_COPIED && add(target, deepCopy(value ?? null));
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

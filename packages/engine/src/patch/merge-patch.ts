/**
 * JSON merge patches (RFC 7386) in the dialect of evanphx/json-patch.
 *
 * Nulls are taken out of objects that a patch adds, also inside lists of objects; a list that replaces an existing value
 * that is not an object keeps its nulls only where the value it replaces was an object.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { copyObject } from "../value/rewrite.ts";

/** A patch that is neither an object nor a list is refused: undefined. */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonValue | undefined {
  if (isArray(patch)) return patch.map(withoutNulls);
  return isObject(patch) ? mergeObjects(document, patch) : undefined;
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged = copyObject(document);
  for (const [key, value] of Object.entries(patch)) {
    const current = merged[key];
    if (value === null) delete merged[key];
    else if (current === undefined || current === null) merged[key] = withoutNulls(value);
    else merged[key] = mergeValues(current, value);
  }
  return merged;
}

function mergeValues(current: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(current)) return withoutNulls(patch);
  return isObject(patch) ? mergeObjects(current, patch) : patch;
}

/** Items of a list may be null; members of an object may not. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const pruned = newObject();
  for (const [key, member] of Object.entries(value)) if (member !== null) pruned[key] = withoutNulls(member);
  return pruned;
}

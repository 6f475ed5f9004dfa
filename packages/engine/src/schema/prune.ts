/**
 * Pruning: fields that the schema does not name are removed, unless it says to preserve them.
 *
 * Follows apiextensions pkg/apiserver/schema/pruning.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import type { Outline } from "../value/outline.ts";
import { copyBefore } from "../value/rewrite.ts";
import { isMetaField, type Structural } from "./structural.ts";

export interface PruneOptions {
  /** The value is a whole resource: its apiVersion, kind and metadata stay. */
  readonly isResourceRoot: boolean;
  /** Gets the path of each removed field, such as `spec.list[0].field`, in the order they are met. */
  readonly onUnknown?: ((path: string) => void) | undefined;
}

export function prune(value: JsonValue, schema: Structural | undefined, options: PruneOptions): JsonValue {
  const { onUnknown } = options;
  const walk = onUnknown === undefined ? undefined : { path: [], onUnknown };
  return pruneValue(value, schema, options.isResourceRoot, walk);
}

/** Kept only if the caller wants them. */
interface Walk {
  readonly path: string[];
  readonly onUnknown: (path: string) => void;
}

function pruneValue(
  value: JsonValue,
  schema: Structural | undefined,
  isRoot: boolean,
  walk: Walk | undefined,
): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  const preserves = schema?.preserveUnknownFields === true;
  if (isArray(value)) return pruneItems(value, schema?.items, preserves, walk);
  return isObject(value) ? pruneObject(value, schema, isRoot, preserves, walk) : value;
}

/** Below a node that preserves unknown fields items of lists are never pruned themselves, only what they name is. */
function pruneItems(
  items: JsonValue[],
  schema: Structural | undefined,
  preserves: boolean,
  walk: Walk | undefined,
): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    walk?.path.push(`[${index}]`);
    const pruned = preserves ? preserveItem(item, schema, walk) : pruneValue(item, schema, false, walk);
    walk?.path.pop();
    if (copy === undefined && pruned !== item) copy = items.slice(0, index);
    copy?.push(pruned);
  }
  return copy ?? items;
}

function preserveItem(item: JsonValue, schema: Structural | undefined, walk: Walk | undefined): JsonValue {
  if (schema === undefined) return item;
  if (isArray(item)) return pruneItems(item, schema.items, true, walk);
  return isObject(item) ? pruneObject(item, schema, false, true, walk) : item;
}

function pruneObject(
  object: JsonObject,
  schema: Structural | undefined,
  isRoot: boolean,
  preserves: boolean,
  walk: Walk | undefined,
): JsonObject {
  const keepsMeta = isRoot || schema?.embeddedResource === true;
  let copy: JsonObject | undefined;
  for (const key in object) {
    const member = object[key] as JsonValue;
    const pruned = keepsMeta && isMetaField(key) ? member : pruneMember(member, key, schema, preserves, walk);
    if (copy === undefined && pruned !== member) copy = copyBefore(object, key);
    if (copy !== undefined && pruned !== undefined) copy[key] = pruned;
  }
  return copy ?? object;
}

/** Undefined if the member goes. */
function pruneMember(
  member: JsonValue,
  key: string,
  schema: Structural | undefined,
  preserves: boolean,
  walk: Walk | undefined,
): JsonValue | undefined {
  const property = schema?.properties.get(key);
  if (property === undefined && schema?.additionalProperties === undefined) {
    if (preserves) return member;
    walk?.onUnknown([...walk.path, `.${key}`].join("").slice(1));
    return undefined;
  }
  if (typeof member !== "object") return member;
  // `additionalProperties: true` and `false` alike keep the key and prune all that is below it.
  walk?.path.push(`.${key}`);
  const pruned = pruneValue(member, property ?? schema?.additionalProperties?.schema, false, walk);
  walk?.path.pop();
  return pruned;
}

/** Whether pruning would leave a document of this outline as it is. */
export function isPruned(outline: Outline, schema: Structural | undefined, isResourceRoot: boolean): boolean {
  const preserves = schema?.preserveUnknownFields === true;
  return (
    areItemsPruned(outline.items, schema?.items, preserves) &&
    areMembersPruned(outline, schema, isResourceRoot, preserves)
  );
}

function areItemsPruned(items: Outline | undefined, schema: Structural | undefined, preserves: boolean): boolean {
  if (items === undefined) return true;
  if (!preserves) return isPruned(items, schema, false);
  if (schema === undefined) return true;
  return areItemsPruned(items.items, schema.items, true) && areMembersPruned(items, schema, false, true);
}

function areMembersPruned(
  outline: Outline,
  schema: Structural | undefined,
  isRoot: boolean,
  preserves: boolean,
): boolean {
  const keepsMeta = isRoot || schema?.embeddedResource === true;
  return outline.members.every((member) => {
    if (keepsMeta && isMetaField(member.key)) return true;
    const property = schema?.properties.get(member.key);
    if (property === undefined && schema?.additionalProperties === undefined) return preserves;
    return isPruned(member, property ?? schema?.additionalProperties?.schema, false);
  });
}

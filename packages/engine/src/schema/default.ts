/**
 * Defaulting: absent properties, and nulls where null is not allowed, take the default of their schema.
 *
 * Follows apiextensions pkg/apiserver/schema/defaulting/algorithm.go. Defaults are applied to what a default put in
 * place, so an inner default completes an outer one; a missing parent without a default of its own stays missing.
 */
import { hasKey, isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { copyObject, rewriteItems, rewriteMembers } from "../value/rewrite.ts";
import type { Structural } from "./structural.ts";

/** The result may share parts with the value and with the schema's defaults; neither is ever mutated. */
export function applyDefaults(value: JsonValue, schema: Structural | undefined): JsonValue {
  if (schema === undefined) return value;
  if (isArray(value))
    return rewriteItems(value, (item) => applyDefaults(replaceNull(item, schema.items), schema.items));
  if (!isObject(value)) return value;
  return rewriteMembers(addMissing(value, schema), (member, key) => {
    const property = schema.properties.get(key);
    if (property !== undefined) return applyDefaults(member, property);
    const additional = schema.additionalProperties?.schema;
    return applyDefaults(replaceNull(member, additional), additional);
  });
}

/** A null that is not allowed becomes the default; without one it stays null. */
function replaceNull(value: JsonValue, schema: Structural | undefined): JsonValue {
  if (value !== null || schema === undefined || schema.nullable) return value;
  return schema.default ?? null;
}

function addMissing(object: JsonObject, schema: Structural): JsonObject {
  let copy: JsonObject | undefined;
  for (const [name, property] of schema.properties) {
    if (property.default === undefined) continue;
    const isNull = object[name] === null && !property.nullable;
    if (hasKey(object, name) && !isNull) continue;
    copy ??= copyObject(object);
    copy[name] = property.default;
  }
  return copy ?? object;
}

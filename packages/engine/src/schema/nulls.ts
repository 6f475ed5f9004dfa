/**
 * A null in a field that is neither nullable nor defaulted counts as absent and is dropped. Nulls in lists stay.
 *
 * Follows apiextensions pkg/apiserver/schema/defaulting/prunenulls.go.
 */
import { isArray, isObject, type JsonValue } from "../value/json.ts";
import type { Outline } from "../value/outline.ts";
import { rewriteItems, rewriteMembers } from "../value/rewrite.ts";
import { memberSchema, type Structural } from "./structural.ts";

export function dropNulls(value: JsonValue, schema: Structural | undefined): JsonValue {
  // Without a schema there is no field below that could be known not to be nullable.
  if (schema === undefined) return value;
  if (isArray(value)) return rewriteItems(value, (item) => dropNulls(item, schema.items));
  if (!isObject(value)) return value;
  return rewriteMembers(value, (member, key) => {
    const inner = memberSchema(schema, key);
    if (member !== null) return dropNulls(member, inner);
    return isDropped(inner) ? undefined : null;
  });
}

/** Whether a document of this outline may have a null that is dropped. */
export function mayHaveNullToDrop(outline: Outline, schema: Structural | undefined): boolean {
  if (schema === undefined) return false;
  if (outline.items !== undefined && mayHaveNullToDrop(outline.items, schema.items)) return true;
  return outline.members.some((member) => {
    const inner = memberSchema(schema, member.key);
    return (member.hasNull && isDropped(inner)) || mayHaveNullToDrop(member, inner);
  });
}

function isDropped(schema: Structural | undefined): boolean {
  return schema !== undefined && !schema.nullable && schema.default === undefined;
}

/**
 * A null in a field that is neither nullable nor defaulted counts as absent and is dropped. Nulls in lists stay.
 *
 * Follows apiextensions pkg/apiserver/schema/defaulting/prunenulls.go.
 */
import { isArray, isObject, type JsonValue } from "../value/json.ts";
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
    const isDropped = inner !== undefined && !inner.nullable && inner.default === undefined;
    return isDropped ? undefined : null;
  });
}

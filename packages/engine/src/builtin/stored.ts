/**
 * An object as it comes back from storage: protobuf cannot distinguish an empty list or map from none, so a field that
 * is always written reads null there, and nil bytes in a map read empty.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { rewriteItems, rewriteMembers } from "../value/rewrite.ts";
import { pointee, type StructType, structAt, type TypeExpr } from "./types.ts";

export function asStored(object: JsonObject, type: StructType): JsonObject {
  return rewriteMembers(object, (member, key) => {
    const field = type.members.get(key);
    if (field === undefined) return member;
    const stored = storedValue(member, pointee(field.type));
    return isEmpty(stored, field.type) ? (field.omitEmpty ? undefined : null) : stored;
  });
}

function storedValue(value: JsonValue, type: TypeExpr): JsonValue {
  switch (type.kind) {
    case "struct":
      return isObject(value) ? asStored(value, structAt(type.index)) : value;
    case "list":
      return isArray(value) ? rewriteItems(value, (item) => storedValue(item, type.of)) : value;
    case "map":
      return isObject(value) ? rewriteMembers(value, (item) => storedMember(item, type.of)) : value;
    default:
      return value;
  }
}

/** Members of maps are always there, so that nil bytes come back empty. */
function storedMember(value: JsonValue, type: TypeExpr): JsonValue {
  return value === null && type.kind === "bytes" ? "" : storedValue(value, type);
}

function isEmpty(value: JsonValue, type: TypeExpr): boolean {
  if (type.kind === "list") return isArray(value) && value.length === 0;
  return type.kind === "map" && isObject(value) && Object.keys(value).length === 0;
}

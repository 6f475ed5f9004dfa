/**
 * Objects as they leave memory, where Go distinguishes an empty list or map from nil. JSON leaves both out of a field that
 * may be left out. Protobuf, which objects are stored in, has no empty ones at all: a field that is always written reads
 * null then, and nil bytes in a map read empty.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { rewriteItems, rewriteMembers } from "../value/rewrite.ts";
import { pointee, type StructField, type StructType, structAt, type TypeExpr } from "./types.ts";

/** An object as it comes back from storage. */
export function asStored(object: JsonObject, type: StructType): JsonObject {
  return structThrough(STORAGE, object, type);
}

/** An object as JSON shows it: to policies, to webhooks, and to those who track its fields. */
export function asWritten(object: JsonObject, type: StructType): JsonObject {
  return structThrough(JSON_TEXT, object, type);
}

interface Way {
  /** Undefined removes the field. */
  readonly empty: (value: JsonValue, field: StructField) => JsonValue | undefined;
  readonly nilBytes: JsonValue;
}

const STORAGE: Way = { empty: (_, field) => (field.omitEmpty ? undefined : null), nilBytes: "" };
const JSON_TEXT: Way = { empty: (value, field) => (field.omitEmpty ? undefined : value), nilBytes: null };

function structThrough(way: Way, object: JsonObject, type: StructType): JsonObject {
  return rewriteMembers(object, (member, key) => {
    const field = type.members.get(key);
    if (field === undefined) return member;
    const inner = valueThrough(way, member, pointee(field.type));
    return isEmpty(inner, field.type) ? way.empty(inner, field) : inner;
  });
}

function valueThrough(way: Way, value: JsonValue, type: TypeExpr): JsonValue {
  switch (type.kind) {
    case "struct":
      return isObject(value) ? structThrough(way, value, structAt(type.index)) : value;
    case "list":
      return isArray(value) ? rewriteItems(value, (item) => valueThrough(way, item, type.of)) : value;
    case "map":
      return isObject(value) ? rewriteMembers(value, (item) => memberThrough(way, item, type.of)) : value;
    default:
      return value;
  }
}

/** Members of maps are always there, so that nil bytes come back empty. */
function memberThrough(way: Way, value: JsonValue, type: TypeExpr): JsonValue {
  return value === null && type.kind === "bytes" ? way.nilBytes : valueThrough(way, value, type);
}

function isEmpty(value: JsonValue, type: TypeExpr): boolean {
  if (type.kind === "list") return isArray(value) && value.length === 0;
  return type.kind === "map" && isObject(value) && Object.keys(value).length === 0;
}

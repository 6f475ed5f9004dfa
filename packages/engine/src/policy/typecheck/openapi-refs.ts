/**
 * Published OpenAPI schemas with their references filled in.
 *
 * A schema that refers to an enclosing schema ends in an empty object. A reference may be wrapped in `allOf`; its
 * siblings are dropped. Follows apiserver pkg/cel/openapi/resolver/refs.go.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { copyObject, rewriteMembers } from "../../value/rewrite.ts";

/** Undefined if a reference leads nowhere. */
export function populateRefs(schemaOf: (ref: string) => JsonObject | undefined, root: string): JsonObject | undefined {
  const schema = schemaOf(root);
  return schema && populate(schema, { schemaOf, open: new Set([root]) });
}

interface Walk {
  readonly schemaOf: (ref: string) => JsonObject | undefined;
  /** References being filled in around here. */
  readonly open: Set<string>;
}

function populate(schema: JsonObject, walk: Walk): JsonObject | undefined {
  const ref = refOf(schema);
  if (ref === undefined) return populateMembers(schema, walk);
  if (walk.open.has(ref)) return Object.assign(newObject(), { type: "object" });
  const resolved = walk.schemaOf(ref);
  if (resolved === undefined) return undefined;
  walk.open.add(ref);
  const populated = populateMembers(resolved, walk);
  walk.open.delete(ref);
  return populated;
}

function populateMembers(schema: JsonObject, walk: Walk): JsonObject | undefined {
  let isBroken = false;
  const nested = (member: JsonValue): JsonValue => {
    if (!isObject(member)) return member;
    const populated = populate(member, walk);
    isBroken ||= populated === undefined;
    return populated ?? member;
  };
  const result = copyObject(schema);
  const { properties, additionalProperties, items } = schema;
  if (isObject(properties)) result["properties"] = rewriteMembers(properties, nested);
  if (additionalProperties !== undefined) result["additionalProperties"] = nested(additionalProperties);
  if (items !== undefined) result["items"] = nested(items);
  return isBroken ? undefined : result;
}

function refOf(schema: JsonObject): string | undefined {
  const ref = schema["$ref"];
  if (typeof ref === "string") return ref;
  const wrapped = schema["allOf"];
  if (!isArray(wrapped)) return undefined;
  for (const each of wrapped) {
    const found = isObject(each) ? refOf(each) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

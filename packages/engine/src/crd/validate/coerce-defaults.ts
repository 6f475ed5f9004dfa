/**
 * Defaults that hold resources get their metadata rewritten as Go writes it; unknown metadata fields vanish.
 *
 * Upstream does it while it validates defaults, on the object that is then stored. It reaches the defaults that are
 * validated: not those below `additionalProperties`, nor those inside a resource's own metadata.
 */
import { nilPath } from "../../field/path.ts";
import { coerceEmbedded } from "../../schema/embedded.ts";
import { parseSchema } from "../../schema/parse.ts";
import { isMetaField, type Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { rewriteMembers } from "../../value/rewrite.ts";
import { schemaHas } from "./schema-walk.ts";
import { structuralProblem, validateStructural } from "./validate-structural.ts";

/** `json` is the schema of a resource. */
export function coerceDefaults(json: JsonObject): JsonObject {
  const schema = parseSchema(json);
  const hasResources = schema.default !== undefined || schemaHas(schema, (each) => each.embeddedResource);
  const isConcerned = hasResources && schemaHas(schema, (each) => each.default !== undefined);
  return isConcerned && isStructural(schema) ? coerceNode(json, true) : json;
}

/** Defaults of other schemas are not validated. */
function isStructural(schema: Structural): boolean {
  return structuralProblem(schema) === undefined && validateStructural(schema, nilPath).length === 0;
}

function coerceNode(json: JsonObject, isRoot: boolean): JsonObject {
  const isResource = isRoot || json["x-kubernetes-embedded-resource"] === true;
  return rewriteMembers(json, (member, key) => {
    if (key === "default") return coerceDefault(member, json, isResource);
    if (key === "items" && isObject(member)) return coerceNode(member, false);
    if (key !== "properties" || !isObject(member)) return member;
    return rewriteMembers(member, (property, name) => {
      if (!isObject(property) || (isResource && isMetaField(name))) return property;
      return coerceNode(property, false);
    });
  });
}

function coerceDefault(value: JsonValue, json: JsonObject, isResourceRoot: boolean): JsonValue {
  const { value: coerced, error } = coerceEmbedded(value, parseSchema(json), { isResourceRoot });
  return error === undefined ? coerced : value;
}

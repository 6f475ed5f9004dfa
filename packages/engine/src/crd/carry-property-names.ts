/**
 * While the gate `CRDPropertyNameSchemas` is off, nobody sees `x-kubernetes-property-names`, so nobody can send it back.
 * A write of the CRD keeps what is stored of it wherever the map is still there: the gate may be turned on again.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { rewriteItems, rewriteMembers, withMember } from "../value/rewrite.ts";

const KEYWORD = "x-kubernetes-property-names";

/** Both in their stored form. */
export function carryPropertyNames(written: JsonObject, replaced: JsonObject): JsonObject {
  const before = new Map(versionsOf(replaced).map((version) => [version["name"], rootOf(version)]));
  return rewriteMembers(written, (spec, field) => {
    if (field !== "spec" || !isObject(spec)) return spec;
    return rewriteMembers(spec, (versions, name) => {
      if (name !== "versions" || !isArray(versions)) return versions;
      return rewriteItems(versions, (version) => (isObject(version) ? carryVersion(version, before) : version));
    });
  });
}

function versionsOf(json: JsonObject): JsonObject[] {
  const versions = isObject(json["spec"]) ? json["spec"]["versions"] : undefined;
  return isArray(versions) ? versions.filter(isObject) : [];
}

function rootOf({ schema }: JsonObject): JsonValue | undefined {
  return isObject(schema) ? schema["openAPIV3Schema"] : undefined;
}

function carryVersion(
  version: JsonObject,
  before: ReadonlyMap<JsonValue | undefined, JsonValue | undefined>,
): JsonObject {
  const { schema } = version;
  const [root, old] = [rootOf(version), before.get(version["name"])];
  if (!isObject(schema) || root === undefined) return version;
  return withMember(version, "schema", withMember(schema, "openAPIV3Schema", carry(root, old)));
}

function carry(schema: JsonValue, old: JsonValue | undefined): JsonValue {
  if (!isObject(schema) || !isObject(old)) return schema;
  const inner = rewriteMembers(schema, (member, keyword) => {
    if (keyword === "items" || keyword === "additionalProperties") return carry(member, old[keyword]);
    const properties = old["properties"];
    if (keyword !== "properties" || !isObject(member) || !isObject(properties)) return member;
    return rewriteMembers(member, (property, name) => carry(property, properties[name]));
  });
  const names = old[KEYWORD];
  const isMap = schema["additionalProperties"] !== undefined && schema["properties"] === undefined;
  return names === undefined || !isMap ? inner : withMember(inner, KEYWORD, names);
}

/**
 * From the JSON of an OpenAPI v3 schema to a `Structural`.
 *
 * Members of the wrong JSON type count as absent: callers that need Go's decoding errors check the types first
 * (`crd/definition`). Unknown keywords are dropped, as decoding into a Go struct drops them.
 */
import { isArray, isInteger, isNumber, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { asFloat } from "../value/number.ts";
import {
  type AdditionalProperties,
  type Dependency,
  EMPTY_SCHEMA,
  type ExternalDocs,
  type Structural,
  type UnsupportedKeywords,
  type ValidationRule,
} from "./structural.ts";

export function parseSchema(json: JsonValue): Structural {
  return isObject(json) ? parseObject(json) : EMPTY_SCHEMA;
}

function parseObject(json: JsonObject): Structural {
  const { "x-kubernetes-list-map-keys": keys, "x-kubernetes-validations": validations } = json;
  return {
    type: text(json["type"]),
    title: text(json["title"]),
    description: text(json["description"]),
    nullable: flag(json["nullable"]),
    default: json["default"] ?? undefined,
    example: json["example"] ?? undefined,
    externalDocs: externalDocs(json["externalDocs"]),
    items: isObject(json["items"]) ? parseObject(json["items"]) : undefined,
    properties: json["properties"] === undefined ? EMPTY_SCHEMA.properties : schemaMap(json["properties"]),
    additionalProperties: schemaOrBool(json["additionalProperties"]),
    format: text(json["format"]),
    maximum: float(json["maximum"]),
    exclusiveMaximum: flag(json["exclusiveMaximum"]),
    minimum: float(json["minimum"]),
    exclusiveMinimum: flag(json["exclusiveMinimum"]),
    multipleOf: float(json["multipleOf"]),
    maxLength: integer(json["maxLength"]),
    minLength: integer(json["minLength"]),
    pattern: text(json["pattern"]),
    maxItems: integer(json["maxItems"]),
    minItems: integer(json["minItems"]),
    uniqueItems: flag(json["uniqueItems"]),
    maxProperties: integer(json["maxProperties"]),
    minProperties: integer(json["minProperties"]),
    required: json["required"] === undefined ? EMPTY_SCHEMA.required : texts(json["required"]),
    enum: isArray(json["enum"]) ? json["enum"] : undefined,
    allOf: schemaList(json["allOf"]),
    anyOf: schemaList(json["anyOf"]),
    oneOf: schemaList(json["oneOf"]),
    not: isObject(json["not"]) ? parseObject(json["not"]) : undefined,
    preserveUnknownFields: optionalFlag(json["x-kubernetes-preserve-unknown-fields"]),
    embeddedResource: flag(json["x-kubernetes-embedded-resource"]),
    intOrString: flag(json["x-kubernetes-int-or-string"]),
    listType: optionalText(json["x-kubernetes-list-type"]),
    listMapKeys: keys === undefined ? EMPTY_SCHEMA.listMapKeys : texts(keys),
    mapType: optionalText(json["x-kubernetes-map-type"]),
    validations: validations === undefined ? EMPTY_SCHEMA.validations : rules(validations),
    propertyNames: isObject(json["x-kubernetes-property-names"])
      ? parseObject(json["x-kubernetes-property-names"])
      : undefined,
    unsupported: unsupported(json),
  };
}

function unsupported(json: JsonObject): UnsupportedKeywords | undefined {
  const keywords: UnsupportedKeywords = {
    id: text(json["id"]),
    schema: text(json["$schema"]),
    ref: optionalText(json["$ref"]),
    itemsList: json["items"] === undefined || isObject(json["items"]) ? undefined : schemaList(json["items"]),
    additionalItems: schemaOrBool(json["additionalItems"]),
    patternProperties: schemaMap(json["patternProperties"]),
    definitions: schemaMap(json["definitions"]),
    dependencies: dependencies(json["dependencies"]),
  };
  const isUsed =
    keywords.id !== "" ||
    keywords.schema !== "" ||
    keywords.ref !== undefined ||
    (keywords.itemsList ?? keywords.additionalItems ?? keywords.dependencies) !== undefined ||
    keywords.patternProperties.size + keywords.definitions.size > 0;
  return isUsed ? keywords : undefined;
}

function rules(json: JsonValue | undefined): readonly ValidationRule[] {
  if (!isArray(json)) return [];
  return json.filter(isObject).map((rule) => ({
    rule: text(rule["rule"]),
    message: text(rule["message"]),
    messageExpression: text(rule["messageExpression"]),
    reason: optionalText(rule["reason"]),
    fieldPath: text(rule["fieldPath"]),
    optionalOldSelf: optionalFlag(rule["optionalOldSelf"]),
  }));
}

function schemaMap(json: JsonValue | undefined): ReadonlyMap<string, Structural> {
  const schemas = new Map<string, Structural>();
  if (isObject(json)) for (const name of Object.keys(json)) schemas.set(name, parseSchema(json[name] as JsonValue));
  return schemas;
}

function schemaList(json: JsonValue | undefined): readonly Structural[] {
  return isArray(json) ? json.map(parseSchema) : [];
}

function schemaOrBool(json: JsonValue | undefined): AdditionalProperties | undefined {
  if (typeof json === "boolean") return { allows: json, schema: undefined };
  return isObject(json) ? { allows: true, schema: parseObject(json) } : undefined;
}

function dependencies(json: JsonValue | undefined): ReadonlyMap<string, Dependency> | undefined {
  if (!isObject(json)) return undefined;
  const found = new Map<string, Dependency>();
  for (const name of Object.keys(json)) {
    const value = json[name] as JsonValue;
    found.set(name, { schema: isObject(value) ? parseObject(value) : undefined, properties: texts(value) });
  }
  return found;
}

function externalDocs(json: JsonValue | undefined): ExternalDocs | undefined {
  return isObject(json) ? { description: text(json["description"]), url: text(json["url"]) } : undefined;
}

function text(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}

function optionalText(json: JsonValue | undefined): string | undefined {
  return typeof json === "string" ? json : undefined;
}

function texts(json: JsonValue | undefined): readonly string[] {
  return isArray(json) ? json.map(text) : [];
}

function flag(json: JsonValue | undefined): boolean {
  return json === true;
}

function optionalFlag(json: JsonValue | undefined): boolean | undefined {
  return typeof json === "boolean" ? json : undefined;
}

function float(json: JsonValue | undefined): number | undefined {
  return isNumber(json) ? asFloat(json) : undefined;
}

/** Lengths and counts past 2^53 lose digits; nothing can be as long, so no verdict depends on them. */
function integer(json: JsonValue | undefined): number | undefined {
  return isInteger(json) ? Number(json) : undefined;
}

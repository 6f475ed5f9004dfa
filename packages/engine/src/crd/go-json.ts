/**
 * Upstream's internal structs as error messages print them, with every field: since 1.34 as encoding/json writes them
 * with Go's field names, before that in Go's syntax.
 *
 * Written from the JSON of apiextensions v1; tables map its names to Go's. `x-kubernetes-property-names` is not a
 * field upstream has, so it is shown only where it is set.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { GoJson } from "../field/error.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { since } from "../value/server-version.ts";
import {
  anyValue,
  flag,
  type GoType,
  jsonOf,
  listOf,
  mapOf,
  number,
  pointerTo,
  type Row,
  scalarPointer,
  struct,
  text,
} from "./go-types.ts";

export function goVersions(versions: readonly JsonObject[] | undefined): GoJson {
  return shown(VERSIONS, versions === undefined ? undefined : [...versions]);
}

export function goSchema(schema: JsonObject): GoJson {
  return shown(SCHEMA, schema);
}

export function goItems(items: JsonValue): GoJson {
  return shown(ITEMS, items);
}

export function goRule(rule: JsonObject): GoJson {
  return shown(RULE, rule);
}

/** A list of strings, nil or not. */
export function goTexts(texts: JsonValue | undefined): GoJson {
  return shown(TEXTS, texts);
}

/** A value that is not a plain string in Go, such as a pointer or a named string type, is printed as JSON since 1.34. */
export function goValue(value: JsonValue | undefined): GoJson {
  return new GoJson(typeof value === "string" && !since("1.34") ? text.syntax(value) : jsonOf(value));
}

/** Bytes, given as base64. */
export function goBytes(base64: string): GoJson {
  if (since("1.34")) return goValue(base64);
  const bytes = [...(decodeBase64(base64).value ?? [])].map((byte) => `0x${byte.toString(16)}`);
  return new GoJson(`[]byte{${bytes.join(", ")}}`);
}

function shown(type: GoType, value: JsonValue | undefined): GoJson {
  return new GoJson(since("1.34") ? type.json(value) : type.syntax(value));
}

export interface SchemaField {
  readonly go: string;
  readonly json: string;
}

const RULE = struct("ValidationRule", () => [
  ["Rule", "rule", text],
  ["Message", "message", text],
  ["MessageExpression", "messageExpression", text],
  ["Reason", "reason", scalarPointer("apiextensions.FieldValueErrorReason")],
  ["FieldPath", "fieldPath", text],
  ["OptionalOldSelf", "optionalOldSelf", scalarPointer("bool")],
]);

const DOCS = struct("ExternalDocumentation", () => [
  ["Description", "description", text],
  ["URL", "url", text],
]);

const PROPERTIES = struct("JSONSchemaProps", () => SCHEMA_ROWS);

const SCHEMA: GoType = {
  ...PROPERTIES,
  json: (json) => withPropertyNames(json, PROPERTIES.json(json), '"XPropertyNames":', (names) => SCHEMA.json(names)),
  syntax: (json) =>
    withPropertyNames(json, PROPERTIES.syntax(json), " XPropertyNames:", (names) => SCHEMA.syntax(names)),
};

function withPropertyNames(
  json: JsonValue | undefined,
  known: string,
  label: string,
  write: (names: JsonValue) => string,
): string {
  const names = isObject(json) ? json["x-kubernetes-property-names"] : undefined;
  return names === undefined ? known : `${known.slice(0, -1)},${label}${write(names)}}`;
}

/** A struct of a schema and something else, of which the JSON is one or the other. */
const ITEMS = struct("JSONSchemaPropsOrArray", () => [
  ["Schema", (json) => (isObject(json) ? json : undefined), pointerTo(SCHEMA)],
  ["JSONSchemas", (json) => (isObject(json) ? undefined : json), SCHEMAS],
]);

const SCHEMA_OR_BOOL = struct("JSONSchemaPropsOrBool", () => [
  ["Allows", (json) => isObject(json) || json === true, flag],
  ["Schema", (json) => (isObject(json) ? json : undefined), pointerTo(SCHEMA)],
]);

const DEPENDENCY = struct("JSONSchemaPropsOrStringArray", () => [
  ["Schema", (json) => (isObject(json) ? json : undefined), pointerTo(SCHEMA)],
  ["Property", (json) => (isObject(json) ? undefined : json), TEXTS],
]);

const TEXTS = listOf(text);
const SCHEMAS = listOf(SCHEMA);
const STRING_POINTER = scalarPointer("string");
const INT_POINTER = scalarPointer("int64");
const FLOAT_POINTER = scalarPointer("float64");
const BOOL_POINTER = scalarPointer("bool");
const JSON_POINTER = scalarPointer("apiextensions.JSON");

// biome-ignore format: a table
const SCHEMA_ROWS: readonly Row[] = [
  ["ID", "id", text],
  ["Schema", "$schema", text],
  ["Ref", "$ref", STRING_POINTER],
  ["Description", "description", text],
  ["Type", "type", text],
  ["Nullable", "nullable", flag],
  ["Format", "format", text],
  ["Title", "title", text],
  ["Default", "default", JSON_POINTER],
  ["Maximum", "maximum", FLOAT_POINTER],
  ["ExclusiveMaximum", "exclusiveMaximum", flag],
  ["Minimum", "minimum", FLOAT_POINTER],
  ["ExclusiveMinimum", "exclusiveMinimum", flag],
  ["MaxLength", "maxLength", INT_POINTER],
  ["MinLength", "minLength", INT_POINTER],
  ["Pattern", "pattern", text],
  ["MaxItems", "maxItems", INT_POINTER],
  ["MinItems", "minItems", INT_POINTER],
  ["UniqueItems", "uniqueItems", flag],
  ["MultipleOf", "multipleOf", FLOAT_POINTER],
  ["Enum", "enum", listOf(anyValue)],
  ["MaxProperties", "maxProperties", INT_POINTER],
  ["MinProperties", "minProperties", INT_POINTER],
  ["Required", "required", TEXTS],
  ["Items", "items", pointerTo(ITEMS)],
  ["AllOf", "allOf", SCHEMAS],
  ["OneOf", "oneOf", SCHEMAS],
  ["AnyOf", "anyOf", SCHEMAS],
  ["Not", "not", pointerTo(SCHEMA)],
  ["Properties", "properties", mapOf(SCHEMA)],
  ["AdditionalProperties", "additionalProperties", pointerTo(SCHEMA_OR_BOOL)],
  ["PatternProperties", "patternProperties", mapOf(SCHEMA)],
  ["Dependencies", "dependencies", mapOf(DEPENDENCY, "apiextensions.JSONSchemaDependencies")],
  ["AdditionalItems", "additionalItems", pointerTo(SCHEMA_OR_BOOL)],
  ["Definitions", "definitions", mapOf(SCHEMA, "apiextensions.JSONSchemaDefinitions")],
  ["ExternalDocs", "externalDocs", pointerTo(DOCS)],
  ["Example", "example", JSON_POINTER],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", BOOL_POINTER],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", flag],
  ["XIntOrString", "x-kubernetes-int-or-string", flag],
  ["XListMapKeys", "x-kubernetes-list-map-keys", TEXTS],
  ["XListType", "x-kubernetes-list-type", STRING_POINTER],
  ["XMapType", "x-kubernetes-map-type", STRING_POINTER],
  ["XValidations", "x-kubernetes-validations", listOf(RULE, "apiextensions.ValidationRules")],
];

/** The fields of a schema in the order of the Go struct. */
export const SCHEMA_FIELDS: readonly SchemaField[] = [
  ...SCHEMA_ROWS.map(([go, json]) => ({ go, json: String(json) })),
  { go: "XPropertyNames", json: "x-kubernetes-property-names" },
];

const SCALE = struct("CustomResourceSubresourceScale", () => [
  ["SpecReplicasPath", "specReplicasPath", text],
  ["StatusReplicasPath", "statusReplicasPath", text],
  ["LabelSelectorPath", "labelSelectorPath", STRING_POINTER],
]);

const COLUMN = struct("CustomResourceColumnDefinition", () => [
  ["Name", "name", text],
  ["Type", "type", text],
  ["Format", "format", text],
  ["Description", "description", text],
  ["Priority", "priority", number],
  ["JSONPath", "jsonPath", text],
]);

const VALIDATION = struct("CustomResourceValidation", () => [
  ["OpenAPIV3Schema", "openAPIV3Schema", pointerTo(SCHEMA)],
]);
const SUBRESOURCES = struct("CustomResourceSubresources", () => [
  ["Status", "status", scalarPointer("apiextensions.CustomResourceSubresourceStatus")],
  ["Scale", "scale", pointerTo(SCALE)],
]);
const SELECTABLE_FIELD = struct("SelectableField", () => [["JSONPath", "jsonPath", text]]);

const VERSION = struct("CustomResourceDefinitionVersion", () => [
  ["Name", "name", text],
  ["Served", "served", flag],
  ["Storage", "storage", flag],
  ["Deprecated", "deprecated", flag],
  ["DeprecationWarning", "deprecationWarning", STRING_POINTER],
  ["Schema", "schema", pointerTo(VALIDATION)],
  ["Subresources", "subresources", pointerTo(SUBRESOURCES)],
  ["AdditionalPrinterColumns", "additionalPrinterColumns", listOf(COLUMN)],
  ["SelectableFields", "selectableFields", listOf(SELECTABLE_FIELD)],
]);

const VERSIONS = listOf(VERSION);

/**
 * Upstream's internal structs as error messages print them: encoding/json with Go field names, every field present.
 *
 * Written from the JSON of apiextensions v1; tables map its names to Go's. `x-kubernetes-property-names` is not a
 * field upstream has, so it is shown only where it is set.
 */
import { jsonString } from "@portcullis/gostd/json-text";
import { GoJson } from "../field/error.ts";
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";

export function goVersions(versions: readonly JsonObject[] | undefined): GoJson {
  return new GoJson(list(struct(VERSION_FIELDS))(versions === undefined ? undefined : [...versions]));
}

export function goSchema(schema: JsonObject): GoJson {
  return new GoJson(writeSchema(schema));
}

export function goItems(items: JsonValue): GoJson {
  return new GoJson(writeItems(items));
}

export function goRule(rule: JsonObject): GoJson {
  return new GoJson(writeRule(rule));
}

/** A value that is not a plain string in Go, such as a pointer or a named string type, is printed as JSON. */
export function goValue(value: JsonValue | undefined): GoJson {
  return new GoJson(pointer(value));
}

export interface SchemaField {
  readonly go: string;
  readonly json: string;
}

type Writer = (json: JsonValue | undefined) => string;
type Row = readonly [go: string, json: string, write: Writer];

const text: Writer = (json) => jsonString(typeof json === "string" ? json : "", { escapeHtml: true });
const flag: Writer = (json) => (json === true ? "true" : "false");
const number: Writer = (json) => (json === undefined ? "0" : canonicalJson(json));
const pointer: Writer = (json) => (json === undefined ? "null" : canonicalJson(json));
const list =
  (write: Writer): Writer =>
  (json) =>
    isArray(json) ? `[${json.map(write).join(",")}]` : "null";
const optional =
  (write: Writer): Writer =>
  (json) =>
    isObject(json) ? write(json) : "null";

function map(write: Writer): Writer {
  return (json) => {
    if (!isObject(json)) return "null";
    const entry = (key: string): string => `${text(key)}:${write(json[key])}`;
    return `{${sortedKeys(json).map(entry).join(",")}}`;
  };
}

function struct(rows: readonly Row[]): Writer {
  return (json) => {
    const object = isObject(json) ? json : {};
    return `{${rows.map(([go, key, write]) => `"${go}":${write(object[key])}`).join(",")}}`;
  };
}

const writeRule = struct([
  ["Rule", "rule", text],
  ["Message", "message", text],
  ["MessageExpression", "messageExpression", text],
  ["Reason", "reason", pointer],
  ["FieldPath", "fieldPath", text],
  ["OptionalOldSelf", "optionalOldSelf", pointer],
]);

const writeDocs = struct([
  ["Description", "description", text],
  ["URL", "url", text],
]);

function writeItems(json: JsonValue | undefined): string {
  if (isObject(json)) return `{"Schema":${writeSchema(json)},"JSONSchemas":null}`;
  return json === undefined ? "null" : `{"Schema":null,"JSONSchemas":${list(writeSchema)(json)}}`;
}

function writeSchemaOrBool(json: JsonValue | undefined): string {
  if (isObject(json)) return `{"Allows":true,"Schema":${writeSchema(json)}}`;
  return json === undefined ? "null" : `{"Allows":${flag(json)},"Schema":null}`;
}

function writeDependency(json: JsonValue | undefined): string {
  return `{"Schema":${optional(writeSchema)(json)},"Property":${list(text)(json)}}`;
}

function writeSchema(json: JsonValue | undefined): string {
  const known = struct(SCHEMA_ROWS)(json);
  const names = isObject(json) ? json["x-kubernetes-property-names"] : undefined;
  return names === undefined ? known : `${known.slice(0, -1)},"XPropertyNames":${writeSchema(names)}}`;
}

// biome-ignore format: a table
const SCHEMA_ROWS: readonly Row[] = [
  ["ID", "id", text],
  ["Schema", "$schema", text],
  ["Ref", "$ref", pointer],
  ["Description", "description", text],
  ["Type", "type", text],
  ["Nullable", "nullable", flag],
  ["Format", "format", text],
  ["Title", "title", text],
  ["Default", "default", pointer],
  ["Maximum", "maximum", pointer],
  ["ExclusiveMaximum", "exclusiveMaximum", flag],
  ["Minimum", "minimum", pointer],
  ["ExclusiveMinimum", "exclusiveMinimum", flag],
  ["MaxLength", "maxLength", pointer],
  ["MinLength", "minLength", pointer],
  ["Pattern", "pattern", text],
  ["MaxItems", "maxItems", pointer],
  ["MinItems", "minItems", pointer],
  ["UniqueItems", "uniqueItems", flag],
  ["MultipleOf", "multipleOf", pointer],
  ["Enum", "enum", list(pointer)],
  ["MaxProperties", "maxProperties", pointer],
  ["MinProperties", "minProperties", pointer],
  ["Required", "required", list(text)],
  ["Items", "items", writeItems],
  ["AllOf", "allOf", list(writeSchema)],
  ["OneOf", "oneOf", list(writeSchema)],
  ["AnyOf", "anyOf", list(writeSchema)],
  ["Not", "not", optional(writeSchema)],
  ["Properties", "properties", map(writeSchema)],
  ["AdditionalProperties", "additionalProperties", writeSchemaOrBool],
  ["PatternProperties", "patternProperties", map(writeSchema)],
  ["Dependencies", "dependencies", map(writeDependency)],
  ["AdditionalItems", "additionalItems", writeSchemaOrBool],
  ["Definitions", "definitions", map(writeSchema)],
  ["ExternalDocs", "externalDocs", optional(writeDocs)],
  ["Example", "example", pointer],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", pointer],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", flag],
  ["XIntOrString", "x-kubernetes-int-or-string", flag],
  ["XListMapKeys", "x-kubernetes-list-map-keys", list(text)],
  ["XListType", "x-kubernetes-list-type", pointer],
  ["XMapType", "x-kubernetes-map-type", pointer],
  ["XValidations", "x-kubernetes-validations", list(writeRule)],
];

/** The fields of a schema in the order of the Go struct. */
export const SCHEMA_FIELDS: readonly SchemaField[] = [
  ...SCHEMA_ROWS.map(([go, json]) => ({ go, json })),
  { go: "XPropertyNames", json: "x-kubernetes-property-names" },
];

const writeScale = struct([
  ["SpecReplicasPath", "specReplicasPath", text],
  ["StatusReplicasPath", "statusReplicasPath", text],
  ["LabelSelectorPath", "labelSelectorPath", pointer],
]);

const writeColumn = struct([
  ["Name", "name", text],
  ["Type", "type", text],
  ["Format", "format", text],
  ["Description", "description", text],
  ["Priority", "priority", number],
  ["JSONPath", "jsonPath", text],
]);

const VERSION_FIELDS: readonly Row[] = [
  ["Name", "name", text],
  ["Served", "served", flag],
  ["Storage", "storage", flag],
  ["Deprecated", "deprecated", flag],
  ["DeprecationWarning", "deprecationWarning", pointer],
  ["Schema", "schema", optional(struct([["OpenAPIV3Schema", "openAPIV3Schema", optional(writeSchema)]]))],
  [
    "Subresources",
    "subresources",
    optional(
      struct([
        ["Status", "status", pointer],
        ["Scale", "scale", optional(writeScale)],
      ]),
    ),
  ],
  ["AdditionalPrinterColumns", "additionalPrinterColumns", list(writeColumn)],
  ["SelectableFields", "selectableFields", list(struct([["JSONPath", "jsonPath", text]]))],
];

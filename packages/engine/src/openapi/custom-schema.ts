/**
 * The published schema of a custom resource: its author's, with the metadata that every object has.
 *
 * Follows apiextensions pkg/controller/openapi/builder and pkg/apiserver/schema/kubeopenapi.go. In version 3 a reference
 * stands inside an `allOf`, in version 2 alone.
 */
import type { Structural, ValidationRule } from "../schema/structural.ts";
import { Float64, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { fromEntries, object } from "./json.ts";
import { describeKeys } from "./key-constraints.ts";
import { customName, LIST_META, OBJECT_META, reference } from "./names.ts";
import type { CustomSchema, OpenApiVersion, PublishedResource } from "./resource.ts";
import { toVersion2, unfoldIntOrString } from "./structural.ts";

type Published = PublishedResource & { readonly custom: CustomSchema };

export function kindSchema(resource: Published, version: OpenApiVersion): JsonObject {
  const { custom, kind } = resource;
  const { schema, preserveUnknownFields } = custom;
  const isOpen = schema?.preserveUnknownFields === true || preserveUnknownFields;
  const extensions = { ...kindExtension(resource, kind), ...selectableExtension(custom) };
  if (schema === undefined || (version === 2 && isOpen)) return object({ type: "object", ...extensions });
  const unfolded = unfoldIntOrString(schema);
  const root = version === 2 ? toVersion2(unfolded) : unfolded;
  const own = schemaJson(root, { version, propertyNames: custom.propertyNames, isNested: false });
  const declared = isObject(own["properties"]) ? own["properties"] : {};
  const properties = { ...declared, ...typeMeta(), metadata: metaReference(version) };
  return object({ ...own, properties: sorted(properties), ...extensions });
}

export function listSchema(resource: Published, version: OpenApiVersion): JsonObject {
  const { listKind, custom, group, kind } = resource;
  const item = reference(customName({ group, version: resource.version, kind }), version);
  const properties = {
    ...typeMeta(),
    items: object({ type: "array", items: object({ $ref: item }) }),
    metadata: wrapReference(LIST_META, version),
  };
  return object({
    type: "object",
    required: ["items"],
    properties: sorted(properties),
    ...kindExtension(resource, listKind),
    ...selectableExtension(custom),
  });
}

function kindExtension({ group, version }: Published, kind: string): Record<string, JsonValue> {
  return { "x-kubernetes-group-version-kind": [object({ group, kind, version })] };
}

function selectableExtension({ selectableFields }: CustomSchema): Record<string, JsonValue> {
  if (selectableFields.length === 0) return {};
  const fields = selectableFields.map((path) => object({ fieldPath: path.replace(/^\./, "") }));
  return { "x-kubernetes-selectable-fields": fields };
}

const DESCRIPTIONS = {
  apiVersion: "APIVersion defines the group and version of the schema that the object is written in.",
  kind: "Kind says what the object is, in camel case.",
  metadata: "Standard object's metadata: name, namespace, labels, annotations and what the server keeps.",
};

function typeMeta(): Record<string, JsonValue> {
  const { apiVersion, kind } = DESCRIPTIONS;
  return {
    apiVersion: object({ description: apiVersion, type: "string" }),
    kind: object({ description: kind, type: "string" }),
  };
}

function metaReference(version: OpenApiVersion): JsonObject {
  return wrapReference(OBJECT_META, version);
}

function wrapReference(name: string, version: OpenApiVersion): JsonObject {
  const $ref = reference(name, version);
  return version === 2 ? object({ $ref }) : object({ description: DESCRIPTIONS.metadata, allOf: [object({ $ref })] });
}

function sorted(properties: Readonly<Record<string, JsonValue>>): JsonObject {
  return fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Options {
  readonly version: OpenApiVersion;
  readonly propertyNames: boolean;
  /** Inside `allOf` and the like, where only validations may stand. */
  readonly isNested: boolean;
}

/** Members are put one by one: most of a schema's are not there, and large CRDs have thousands of schemas. */
function schemaJson(schema: Structural, options: Options): JsonObject {
  const made = newObject();
  putGeneric(made, schema, options);
  putValidations(made, schema);
  put(made, "required", list(requiredOf(schema, options)));
  if (schema.items !== undefined) made["items"] = schemaJson(schema.items, options);
  put(made, "properties", propertiesJson(schema, options));
  if (!options.isNested) put(made, "additionalProperties", additionalJson(schema, options));
  putCombinations(made, schema, options);
  putExtensions(made, schema, options);
  return made;
}

function put(made: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value !== undefined) made[key] = value;
}

/** Version 2 publishes no defaults. */
function putGeneric(made: JsonObject, schema: Structural, { version, propertyNames }: Options): void {
  const { externalDocs, description, propertyNames: keys } = schema;
  put(made, "type", text(schema.type));
  put(made, "title", text(schema.title));
  const hasKeys = propertyNames && keys !== undefined;
  put(made, "description", text(hasKeys ? describeKeys(description, keys) : description));
  put(made, "nullable", flag(schema.nullable));
  if (version === 3) put(made, "default", schema.default ?? undefined);
  put(made, "example", schema.example ?? undefined);
  if (externalDocs !== undefined) {
    made["externalDocs"] = object({ description: text(externalDocs.description), url: text(externalDocs.url) });
  }
}

function putValidations(made: JsonObject, schema: Structural): void {
  put(made, "format", text(schema.format));
  put(made, "maximum", number(schema.maximum));
  put(made, "exclusiveMaximum", flag(schema.exclusiveMaximum));
  put(made, "minimum", number(schema.minimum));
  put(made, "exclusiveMinimum", flag(schema.exclusiveMinimum));
  put(made, "multipleOf", number(schema.multipleOf));
  put(made, "maxLength", number(schema.maxLength));
  put(made, "minLength", number(schema.minLength));
  put(made, "pattern", text(schema.pattern));
  put(made, "maxItems", number(schema.maxItems));
  put(made, "minItems", number(schema.minItems));
  put(made, "uniqueItems", flag(schema.uniqueItems));
  put(made, "maxProperties", number(schema.maxProperties));
  put(made, "minProperties", number(schema.minProperties));
  put(made, "enum", list(schema.enum ?? NOTHING));
}

const NOTHING: readonly JsonValue[] = [];

function putCombinations(made: JsonObject, schema: Structural, options: Options): void {
  const { allOf, anyOf, oneOf, not } = schema;
  if (allOf.length + anyOf.length + oneOf.length === 0 && not === undefined) return;
  const nested = { ...options, isNested: true };
  const toJson = (each: Structural): JsonObject => schemaJson(each, nested);
  put(made, "allOf", list(allOf.map(toJson)));
  put(made, "anyOf", list(anyOf.map(toJson)));
  put(made, "oneOf", list(oneOf.map(toJson)));
  put(made, "not", not && toJson(not));
}

function putExtensions(made: JsonObject, schema: Structural, options: Options): void {
  const { propertyNames } = schema;
  put(made, "x-kubernetes-preserve-unknown-fields", flag(schema.preserveUnknownFields));
  put(made, "x-kubernetes-embedded-resource", flag(schema.embeddedResource));
  put(made, "x-kubernetes-int-or-string", flag(schema.intOrString));
  put(made, "x-kubernetes-list-map-keys", list(schema.listMapKeys));
  put(made, "x-kubernetes-list-type", schema.listType);
  put(made, "x-kubernetes-map-type", schema.mapType);
  if (schema.validations.length > 0) made["x-kubernetes-validations"] = schema.validations.map(ruleJson);
  if (options.propertyNames && propertyNames !== undefined) {
    made["x-kubernetes-property-names"] = schemaJson(propertyNames, options);
  }
}

function ruleJson(rule: ValidationRule): JsonObject {
  return object({
    rule: rule.rule,
    message: text(rule.message),
    messageExpression: text(rule.messageExpression),
    reason: rule.reason,
    fieldPath: text(rule.fieldPath),
    optionalOldSelf: rule.optionalOldSelf,
  });
}

/** In version 2 an object that takes unknown fields must not name any, or kubectl refuses the others. */
function isEmbedded(schema: Structural, { version, isNested }: Options): boolean {
  return schema.embeddedResource && !isNested && !(version === 2 && schema.preserveUnknownFields === true);
}

function requiredOf(schema: Structural, options: Options): readonly string[] {
  if (!isEmbedded(schema, options)) return schema.required;
  const missing = ["kind", "apiVersion"].filter((name) => !schema.required.includes(name));
  return [...schema.required, ...missing];
}

function propertiesJson(schema: Structural, options: Options): JsonObject | undefined {
  const embedded = isEmbedded(schema, options)
    ? { ...typeMeta(), metadata: metaReference(options.version) }
    : undefined;
  if (schema.properties.size === 0 && embedded === undefined) return undefined;
  const all = newObject();
  for (const [name, each] of schema.properties) all[name] = schemaJson(each, options);
  return embedded === undefined ? all : sorted({ ...all, ...embedded });
}

function additionalJson({ additionalProperties }: Structural, options: Options): JsonValue | undefined {
  if (additionalProperties === undefined) return undefined;
  const { schema, allows } = additionalProperties;
  return schema === undefined ? allows : schemaJson(schema, options);
}

function text(value: string): string | undefined {
  return value === "" ? undefined : value;
}

function flag(value: boolean | undefined): true | undefined {
  return value === true ? true : undefined;
}

function list(values: readonly JsonValue[]): JsonValue[] | undefined {
  return values.length === 0 ? undefined : [...values];
}

/** Limits are float64; one that no integer can carry safely stays a float. */
function number(value: number | undefined): JsonValue | undefined {
  if (value === undefined || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return new Float64(value);
}

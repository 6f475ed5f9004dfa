/**
 * The published schema of a custom resource: its author's, with the metadata that every object has.
 *
 * Follows apiextensions pkg/controller/openapi/builder and pkg/apiserver/schema/kubeopenapi.go. In version 3 a reference
 * stands inside an `allOf`, in version 2 alone.
 */
import type { Structural, ValidationRule } from "../schema/structural.ts";
import { Float64, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { fromEntries, object } from "./json.ts";
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

function schemaJson(schema: Structural, options: Options): JsonObject {
  const nested = { ...options, isNested: true };
  return object({
    ...genericJson(schema, options),
    ...validationJson(schema),
    required: list(requiredOf(schema, options)),
    items: schema.items && schemaJson(schema.items, options),
    properties: propertiesJson(schema, options),
    additionalProperties: options.isNested ? undefined : additionalJson(schema, options),
    allOf: list(schema.allOf.map((each) => schemaJson(each, nested))),
    anyOf: list(schema.anyOf.map((each) => schemaJson(each, nested))),
    oneOf: list(schema.oneOf.map((each) => schemaJson(each, nested))),
    not: schema.not && schemaJson(schema.not, nested),
    ...extensionsJson(schema, options),
  });
}

/** Version 2 publishes no defaults. */
function genericJson(schema: Structural, { version }: Options): Record<string, JsonValue | undefined> {
  const { externalDocs } = schema;
  return {
    type: text(schema.type),
    title: text(schema.title),
    description: text(schema.description),
    nullable: flag(schema.nullable),
    default: version === 2 ? undefined : (schema.default ?? undefined),
    example: schema.example ?? undefined,
    externalDocs: externalDocs && object({ description: text(externalDocs.description), url: text(externalDocs.url) }),
  };
}

function validationJson(schema: Structural): Record<string, JsonValue | undefined> {
  return {
    format: text(schema.format),
    maximum: number(schema.maximum),
    exclusiveMaximum: flag(schema.exclusiveMaximum),
    minimum: number(schema.minimum),
    exclusiveMinimum: flag(schema.exclusiveMinimum),
    multipleOf: number(schema.multipleOf),
    maxLength: number(schema.maxLength),
    minLength: number(schema.minLength),
    pattern: text(schema.pattern),
    maxItems: number(schema.maxItems),
    minItems: number(schema.minItems),
    uniqueItems: flag(schema.uniqueItems),
    maxProperties: number(schema.maxProperties),
    minProperties: number(schema.minProperties),
    enum: list(schema.enum ?? []),
  };
}

function extensionsJson(schema: Structural, options: Options): Record<string, JsonValue | undefined> {
  const { propertyNames } = schema;
  return {
    "x-kubernetes-preserve-unknown-fields": flag(schema.preserveUnknownFields),
    "x-kubernetes-embedded-resource": flag(schema.embeddedResource),
    "x-kubernetes-int-or-string": flag(schema.intOrString),
    "x-kubernetes-list-map-keys": list(schema.listMapKeys),
    "x-kubernetes-list-type": schema.listType,
    "x-kubernetes-map-type": schema.mapType,
    "x-kubernetes-validations": list(schema.validations.map(ruleJson)),
    "x-kubernetes-property-names":
      options.propertyNames && propertyNames !== undefined ? schemaJson(propertyNames, options) : undefined,
  };
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
  const embedded = isEmbedded(schema, options) ? { ...typeMeta(), metadata: metaReference(options.version) } : {};
  const own = [...schema.properties].map(([name, each]) => [name, schemaJson(each, options)] as const);
  const all: Record<string, JsonValue> = { ...fromEntries(own), ...embedded };
  return Object.keys(all).length === 0 ? undefined : sorted(all);
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

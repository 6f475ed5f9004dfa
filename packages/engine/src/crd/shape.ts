/**
 * The Go types of apiextensions.k8s.io/v1, as far as JSON shows them.
 *
 * `items`, `additionalProperties` and `dependencies` have their own decoders: unknown fields below them are dropped
 * silently even under strict field validation.
 */
import { decodeGo } from "../field/go-decode.ts";
import type { GoDecodeOptions } from "../field/go-decode-state.ts";
import {
  alwaysField,
  field,
  type GoDecoded,
  type GoField,
  type GoShape,
  type GoStruct,
  goBool,
  goBytes,
  goFloat64,
  goInt32,
  goInt64,
  goList,
  goMap,
  goRaw,
  goString,
  goStruct,
  goTime,
  namedString,
  pointerField,
} from "../field/go-shape.ts";
import { objectMeta } from "../schema/meta-shape.ts";
import { isArray, isObject, type JsonValue } from "../value/json.ts";
import { schemaOrBoolExpected } from "./messages.ts";

const decoded = (value: JsonValue): GoDecoded => ({ value, unknown: [], error: undefined });

const validationRule = goStruct("v1.ValidationRule", () => ({
  rule: alwaysField(goString),
  message: field(goString),
  messageExpression: field(goString),
  reason: pointerField(namedString("v1.FieldValueErrorReason")),
  fieldPath: field(goString),
  optionalOldSelf: pointerField(goBool),
}));

const externalDocs = goStruct("v1.ExternalDocumentation", () => ({
  description: field(goString),
  url: field(goString),
}));

const named = (shape: GoShape, go: string): GoShape => ({ ...shape, go });

const PLAIN_KEYWORDS: Readonly<Record<string, GoField>> = {
  id: field(goString),
  $schema: field(namedString("v1.JSONSchemaURL")),
  $ref: pointerField(goString),
  description: field(goString),
  type: field(goString),
  format: field(goString),
  title: field(goString),
  default: pointerField(goRaw),
  maximum: pointerField(goFloat64),
  exclusiveMaximum: field(goBool),
  minimum: pointerField(goFloat64),
  exclusiveMinimum: field(goBool),
  maxLength: pointerField(goInt64),
  minLength: pointerField(goInt64),
  pattern: field(goString),
  maxItems: pointerField(goInt64),
  minItems: pointerField(goInt64),
  uniqueItems: field(goBool),
  multipleOf: pointerField(goFloat64),
  enum: field(goList(goRaw)),
  maxProperties: pointerField(goInt64),
  minProperties: pointerField(goInt64),
  required: field(goList(goString)),
};

const EXTENSIONS: Readonly<Record<string, GoField>> = {
  externalDocs: pointerField(externalDocs),
  example: pointerField(goRaw),
  nullable: field(goBool),
  "x-kubernetes-preserve-unknown-fields": pointerField(goBool),
  "x-kubernetes-embedded-resource": field(goBool),
  "x-kubernetes-int-or-string": field(goBool),
  "x-kubernetes-list-map-keys": field(goList(goString)),
  "x-kubernetes-list-type": pointerField(goString),
  "x-kubernetes-map-type": pointerField(goString),
  "x-kubernetes-validations": field(named(goList(validationRule), "v1.ValidationRules")),
};

/** A schema. Without `x-kubernetes-property-names` that keyword is unknown, as in every released Kubernetes. */
function schemaShape(hasPropertyNames: boolean): GoStruct {
  const schemaProps: GoStruct = goStruct("v1.JSONSchemaProps", () => {
    const fields = { ...PLAIN_KEYWORDS, ...innerKeywords(schemaProps), ...EXTENSIONS };
    return hasPropertyNames ? { ...fields, [PROPERTY_NAMES]: pointerField(schemaProps) } : fields;
  });
  return schemaProps;
}

const PROPERTY_NAMES = "x-kubernetes-property-names";

function innerKeywords(schemaProps: GoStruct): Record<string, GoField> {
  const schemaOrBool = schemaOrBoolShape(schemaProps);
  return {
    items: pointerField(schemaOrListShape(schemaProps)),
    allOf: field(goList(schemaProps)),
    oneOf: field(goList(schemaProps)),
    anyOf: field(goList(schemaProps)),
    not: pointerField(schemaProps),
    properties: field(goMap(schemaProps)),
    additionalProperties: pointerField(schemaOrBool),
    patternProperties: field(goMap(schemaProps)),
    dependencies: field(named(goMap(schemaOrNamesShape(schemaProps)), "v1.JSONSchemaDependencies")),
    additionalItems: pointerField(schemaOrBool),
    definitions: field(named(goMap(schemaProps), "v1.JSONSchemaDefinitions")),
  };
}

function schemaOrBoolShape(schemaProps: GoStruct): GoShape {
  return {
    kind: "custom",
    go: "v1.JSONSchemaPropsOrBool",
    decode: (value, options) => {
      if (isObject(value)) return decodeGo(value, schemaProps, options);
      return typeof value === "boolean" ? decoded(value) : { ...decoded(null), error: schemaOrBoolExpected() };
    },
  };
}

/** Whatever is neither a schema nor a list of them counts as given but empty, which is written as null. */
function schemaOrListShape(schemaProps: GoStruct): GoShape {
  return {
    kind: "custom",
    go: "v1.JSONSchemaPropsOrArray",
    decode: (value, options) => {
      const either = decodeEither(value, options, { schema: schemaProps, list: goList(schemaProps), otherwise: value });
      const isEmpty = isArray(either.value) ? either.value.length === 0 : !isObject(either.value);
      return isEmpty && options.keepEmpty !== true ? { ...either, value: null } : either;
    },
  };
}

function schemaOrNamesShape(schemaProps: GoStruct): GoShape {
  return {
    kind: "custom",
    go: "v1.JSONSchemaPropsOrStringArray",
    decode: (value, options) =>
      decodeEither(value, options, { schema: schemaProps, list: goList(goString), otherwise: null }),
  };
}

interface Alternatives {
  readonly schema: GoStruct;
  readonly list: GoShape;
  readonly otherwise: JsonValue;
}

function decodeEither(
  value: JsonValue,
  options: GoDecodeOptions,
  { schema, list, otherwise }: Alternatives,
): GoDecoded {
  if (isObject(value)) return decodeGo(value, schema, options);
  return isArray(value) ? decodeGo(value, list, options) : decoded(otherwise);
}

const names = goStruct("v1.CustomResourceDefinitionNames", () => ({
  plural: alwaysField(goString),
  singular: field(goString),
  shortNames: field(goList(goString)),
  kind: alwaysField(goString),
  listKind: field(goString),
  categories: field(goList(goString)),
}));

const service = goStruct("v1.ServiceReference", () => ({
  namespace: alwaysField(goString),
  name: alwaysField(goString),
  path: pointerField(goString),
  port: pointerField(goInt32),
}));

const clientConfig = goStruct("v1.WebhookClientConfig", () => ({
  url: pointerField(goString),
  service: pointerField(service),
  caBundle: field(goBytes),
}));

const webhook = goStruct("v1.WebhookConversion", () => ({
  clientConfig: pointerField(clientConfig),
  conversionReviewVersions: alwaysField(goList(goString)),
}));

const conversion = goStruct("v1.CustomResourceConversion", () => ({
  strategy: alwaysField(namedString("v1.ConversionStrategyType")),
  webhook: pointerField(webhook),
}));

const column = goStruct("v1.CustomResourceColumnDefinition", () => ({
  name: alwaysField(goString),
  type: alwaysField(goString),
  format: field(goString),
  description: field(goString),
  priority: field(goInt32),
  jsonPath: alwaysField(goString),
}));

const scale = goStruct("v1.CustomResourceSubresourceScale", () => ({
  specReplicasPath: alwaysField(goString),
  statusReplicasPath: alwaysField(goString),
  labelSelectorPath: pointerField(goString),
}));

const nothing: Readonly<Record<string, GoField>> = {};

const subresources = goStruct("v1.CustomResourceSubresources", () => ({
  status: pointerField(goStruct("v1.CustomResourceSubresourceStatus", () => nothing)),
  scale: pointerField(scale),
}));

const versionShape = (schema: GoStruct): GoStruct =>
  goStruct("v1.CustomResourceDefinitionVersion", () => ({
    name: alwaysField(goString),
    served: alwaysField(goBool),
    storage: alwaysField(goBool),
    deprecated: field(goBool),
    deprecationWarning: pointerField(goString),
    schema: pointerField(goStruct("v1.CustomResourceValidation", () => ({ openAPIV3Schema: pointerField(schema) }))),
    subresources: pointerField(subresources),
    additionalPrinterColumns: field(goList(column)),
    selectableFields: field(goList(goStruct("v1.SelectableField", () => ({ jsonPath: alwaysField(goString) })))),
  }));

const specShape = (version: GoStruct): GoStruct =>
  goStruct("v1.CustomResourceDefinitionSpec", () => ({
    group: alwaysField(goString),
    names: alwaysField(names),
    scope: alwaysField(namedString("v1.ResourceScope")),
    versions: alwaysField(goList(version)),
    conversion: pointerField(conversion),
    preserveUnknownFields: field(goBool),
  }));

const condition = goStruct("v1.CustomResourceDefinitionCondition", () => ({
  type: alwaysField(namedString("v1.CustomResourceDefinitionConditionType")),
  status: alwaysField(namedString("v1.ConditionStatus")),
  lastTransitionTime: alwaysField(goTime),
  reason: field(goString),
  message: field(goString),
  observedGeneration: field(goInt64),
}));

const definitionStatus = goStruct("v1.CustomResourceDefinitionStatus", () => ({
  conditions: alwaysField(goList(condition)),
  acceptedNames: alwaysField(names),
  storedVersions: alwaysField(goList(goString)),
  observedGeneration: field(goInt64),
}));

const typeMetaField: GoField = { ...field(goString), embedded: ["TypeMeta"] };

function shapeOf(schema: GoStruct): GoStruct {
  const spec = specShape(versionShape(schema));
  return goStruct("v1.CustomResourceDefinition", () => ({
    kind: typeMetaField,
    apiVersion: typeMetaField,
    metadata: alwaysField(objectMeta),
    spec: alwaysField(spec),
    status: alwaysField(definitionStatus),
  }));
}

export const definitionShape: GoStruct = shapeOf(schemaShape(true));

/** With the gate `CRDPropertyNameSchemas` off. */
export const definitionShapeWithoutKeys: GoStruct = shapeOf(schemaShape(false));

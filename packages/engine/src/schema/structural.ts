/**
 * The OpenAPI v3 schema of a custom resource, decoded once into plain readonly data.
 *
 * One type serves both the schema as its author wrote it and the schema once accepted. The members under
 * `unsupported` exist only so that `crd` can refuse them; in an accepted, structural schema it is undefined and every
 * algorithm of this folder may ignore it. Inside `allOf`, `anyOf`, `oneOf` and `not` the same type stands for upstream's
 * nested value validations.
 *
 * Absent texts are "" and absent lists are empty: upstream does not distinguish them, except that an absent `required`,
 * `properties`, `x-kubernetes-list-map-keys` or `x-kubernetes-validations` is identical to that of `EMPTY_SCHEMA`, and
 * an empty one is not.
 */
import type { JsonValue } from "../value/json.ts";

export interface Structural {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly nullable: boolean;
  /** A JSON null counts as no default. */
  readonly default: JsonValue | undefined;
  readonly example: JsonValue | undefined;
  readonly externalDocs: ExternalDocs | undefined;

  readonly items: Structural | undefined;
  /** In the order the author wrote them. */
  readonly properties: ReadonlyMap<string, Structural>;
  readonly additionalProperties: AdditionalProperties | undefined;

  readonly format: string;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  /** Undefined if the keyword is absent; an empty list accepts everything, as upstream's does. */
  readonly enum: readonly JsonValue[] | undefined;
  readonly allOf: readonly Structural[];
  readonly anyOf: readonly Structural[];
  readonly oneOf: readonly Structural[];
  readonly not: Structural | undefined;

  /** `false` is refused when a CRD is accepted, so algorithms may test for true. */
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly validations: readonly ValidationRule[];
  /** `x-kubernetes-property-names`: what the keys of a map must satisfy. */
  readonly propertyNames: Structural | undefined;

  readonly unsupported: UnsupportedKeywords | undefined;
}

/** `additionalProperties: true` and `false` have no schema. */
export interface AdditionalProperties {
  readonly allows: boolean;
  readonly schema: Structural | undefined;
}

export interface ExternalDocs {
  readonly description: string;
  readonly url: string;
}

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/** Keywords that decode but that no custom resource schema may use. */
export interface UnsupportedKeywords {
  readonly id: string;
  readonly schema: string;
  readonly ref: string | undefined;
  /** Set where `items` is given but is not one schema. */
  readonly itemsList: readonly Structural[] | undefined;
  readonly additionalItems: AdditionalProperties | undefined;
  readonly patternProperties: ReadonlyMap<string, Structural>;
  readonly definitions: ReadonlyMap<string, Structural>;
  /** Refused even when empty. */
  readonly dependencies: ReadonlyMap<string, Dependency> | undefined;
}

export interface Dependency {
  readonly schema: Structural | undefined;
  readonly properties: readonly string[];
}

const NO_PROPERTIES: ReadonlyMap<string, Structural> = new Map();

/** The schema that says nothing. Also the shape every schema has, so that engines see one hidden class. */
export const EMPTY_SCHEMA: Structural = {
  type: "",
  title: "",
  description: "",
  nullable: false,
  default: undefined,
  example: undefined,
  externalDocs: undefined,
  items: undefined,
  properties: NO_PROPERTIES,
  additionalProperties: undefined,
  format: "",
  maximum: undefined,
  exclusiveMaximum: false,
  minimum: undefined,
  exclusiveMinimum: false,
  multipleOf: undefined,
  maxLength: undefined,
  minLength: undefined,
  pattern: "",
  maxItems: undefined,
  minItems: undefined,
  uniqueItems: false,
  maxProperties: undefined,
  minProperties: undefined,
  required: [],
  enum: undefined,
  allOf: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
  preserveUnknownFields: undefined,
  embeddedResource: false,
  intOrString: false,
  listType: undefined,
  listMapKeys: [],
  mapType: undefined,
  validations: [],
  propertyNames: undefined,
  unsupported: undefined,
};

export function newSchema(parts: Partial<Structural>): Structural {
  return { ...EMPTY_SCHEMA, ...parts };
}

/** The schema of a member: its property, else the schema of additional properties. */
export function memberSchema(schema: Structural, name: string): Structural | undefined {
  return schema.properties.get(name) ?? schema.additionalProperties?.schema;
}

/** The fields every resource has and that no schema removes from one. */
export function isMetaField(name: string): boolean {
  return name === "apiVersion" || name === "kind" || name === "metadata";
}

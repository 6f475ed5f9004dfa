/**
 * Declared types: the types of data for the checker and its size limits for the cost estimator, by schema.
 *
 * A node without a declared type (typeless data that is only preserved, lists and maps of such) is left out of its
 * parent: expressions cannot reach it. `nullable` changes nothing, so comparing a nullable string with null does not
 * compile. Follows apiserver pkg/cel/common/schemas.go and pkg/cel/types.go.
 */
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
  TIMESTAMP,
  type Type,
} from "@portcullis/cel";
import { byteLength } from "@portcullis/gostd/utf8";
import type { Structural } from "../schema/structural.ts";
import { since } from "../value/server-version.ts";
import { escapeName } from "./escaping.ts";
import {
  DATE_SIZE,
  MAX_DATE_TIME_SIZE,
  MAX_DURATION_SIZE,
  MAX_REQUEST_SIZE_BYTES,
  MIN_BOOL_SIZE,
  MIN_CONTAINER_SIZE,
  MIN_DATE_TIME_SIZE,
  MIN_DURATION_SIZE,
  MIN_NUMBER_SIZE,
  MIN_STRING_SIZE,
} from "./limits.ts";
import { withResourceFields } from "./resource-fields.ts";

/** A CEL type with the sizes that cost estimation needs. */
export interface DeclType {
  readonly type: Type;
  /** The maximum number of characters, bytes, items or entries; 0 for values without a size. */
  readonly maxElements: bigint;
  /** The minimum number of bytes in JSON. */
  readonly minSerializedSize: number;
  /** Of an object: declared types by escaped name. */
  readonly fields: ReadonlyMap<string, DeclType> | undefined;
  /** Of a map. */
  readonly key: DeclType | undefined;
  /** Of a list or map. */
  readonly element: DeclType | undefined;
}

/** How a schema becomes a declared type. */
export interface DeclTypeOptions {
  /** True for a custom resource itself: kind, apiVersion, metadata.name and metadata.generateName are declared. */
  readonly resourceRoot: boolean;
  /** `x-kubernetes-property-names` limits the size of map keys. */
  readonly propertyNames?: boolean | undefined;
}

/** The declared type of a schema, or undefined if expressions cannot read the data. */
export function schemaDeclType(schema: Structural, options: DeclTypeOptions): DeclType | undefined {
  if (schema.intOrString) return scalar(DYN, MIN_NUMBER_SIZE, intOrStringBound(schema));
  switch (schema.type) {
    case "array":
      return listType(schema, options);
    case "object":
      return objectOrMapType(options.resourceRoot ? withResourceFields(schema) : schema, options);
    case "string":
      return stringType(schema);
    case "boolean":
      return BOOL_DECL;
    case "number":
      return DOUBLE_DECL;
    case "integer":
      return INT_DECL;
    default:
      return undefined;
  }
}

/**
 * The same type with its objects named by their position: `name`, `name.field`, `name.@elem`, `name.@idx`.
 * Until then every object is called "object".
 */
export function assignTypeName(declared: DeclType, name: string): DeclType {
  const { fields, key, element } = declared;
  if (fields !== undefined) {
    const named = new Map<string, DeclType>();
    for (const [field, type] of fields) named.set(field, assignTypeName(type, `${name}.${field}`));
    return { ...declared, type: objectType(name), fields: named };
  }
  if (element === undefined) return declared;
  const named = assignTypeName(element, key === undefined ? `${name}.@idx` : `${name}.@elem`);
  if (named === element) return declared;
  return { ...declared, type: containerType(key, named), element: named };
}

function containerType(key: DeclType | undefined, element: DeclType): Type {
  return key === undefined ? listOf(element.type) : mapOf(key.type, element.type);
}

function scalar(type: Type, minSerializedSize: number, maxElements: bigint): DeclType {
  return { type, maxElements, minSerializedSize, fields: undefined, key: undefined, element: undefined };
}

const BOOL_DECL = scalar(BOOL, MIN_BOOL_SIZE, 0n);
const DOUBLE_DECL = scalar(DOUBLE, MIN_NUMBER_SIZE, 0n);
const INT_DECL = scalar(INT, MIN_NUMBER_SIZE, 0n);
// Keys without a schema count as empty, so expressions on them are estimated as free. Stored CRDs rely on it.
const UNBOUNDED_KEY_DECL = scalar(STRING, MIN_STRING_SIZE, 0n);

const LONGEST_STRING = BigInt(MAX_REQUEST_SIZE_BYTES - 2);

function nestedDeclType(schema: Structural, options: DeclTypeOptions): DeclType | undefined {
  return schemaDeclType(schema, { ...options, resourceRoot: schema.embeddedResource });
}

function listType({ items, maxItems }: Structural, options: DeclTypeOptions): DeclType | undefined {
  const element = items && nestedDeclType(items, options);
  if (element === undefined) return undefined;
  const maxElements = maxItems === undefined ? fittingIn(element.minSerializedSize + 1) : atLeastZero(maxItems);
  return container(undefined, element, maxElements);
}

function objectOrMapType(schema: Structural, options: DeclTypeOptions): DeclType | undefined {
  const values = schema.additionalProperties?.schema;
  if (values === undefined) return fieldsType(schema, options);
  const element = nestedDeclType(values, options);
  if (element === undefined) return undefined;
  const { maxProperties } = schema;
  // Two quotation marks and a character or two of key, a colon and a comma.
  const maxElements =
    maxProperties === undefined ? fittingIn(element.minSerializedSize + 6) : atLeastZero(maxProperties);
  return container(options.propertyNames === true ? keyType(schema) : UNBOUNDED_KEY_DECL, element, maxElements);
}

function container(key: DeclType | undefined, element: DeclType, maxElements: bigint): DeclType {
  const type = containerType(key, element);
  return { type, maxElements, minSerializedSize: MIN_CONTAINER_SIZE, fields: undefined, key, element };
}

/** Always a string, whatever the format: map keys must be strings. */
function keyType({ propertyNames }: Structural): DeclType {
  if (propertyNames === undefined) return UNBOUNDED_KEY_DECL;
  return scalar(STRING, MIN_STRING_SIZE, FORMAT_BOUNDS.get(propertyNames.format) ?? enumerableBound(propertyNames));
}

function fieldsType(schema: Structural, options: DeclTypeOptions): DeclType {
  const fields = new Map<string, DeclType>();
  const required = new Set(schema.required);
  let minSerializedSize = MIN_CONTAINER_SIZE;
  for (const [name, property] of schema.properties) {
    const declared = nestedDeclType(property, options);
    if (declared === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, declared);
    // The server sets defaults, so the request need not contain the value.
    const sent = required.has(name) && (property.default === undefined || property.default === null);
    if (sent) minSerializedSize += byteLength(name) + declared.minSerializedSize + 4;
  }
  const type = objectType("object");
  return { type, maxElements: 0n, minSerializedSize, fields, key: undefined, element: undefined };
}

const FORMAT_BOUNDS: ReadonlyMap<string, bigint> = new Map([
  ["duration", BigInt(MAX_DURATION_SIZE)],
  ["date", BigInt(DATE_SIZE)],
  ["date-time", BigInt(MAX_DATE_TIME_SIZE)],
]);

const DURATION_DECL = scalar(DURATION, MIN_DURATION_SIZE, BigInt(MAX_DURATION_SIZE));
const DATE_DECL = scalar(TIMESTAMP, DATE_SIZE, BigInt(DATE_SIZE));
const DATE_TIME_DECL = scalar(TIMESTAMP, MIN_DATE_TIME_SIZE, BigInt(MAX_DATE_TIME_SIZE));

function stringType(schema: Structural): DeclType {
  switch (schema.format) {
    case "duration":
      return DURATION_DECL;
    case "date":
      return DATE_DECL;
    case "date-time":
      return DATE_TIME_DECL;
    case "byte":
      return scalar(BYTES, MIN_STRING_SIZE, byteBound(schema));
    default:
      return scalar(STRING, MIN_STRING_SIZE, enumerableBound(schema));
  }
}

/** Before 1.34 the bound of a number or string was ignored. */
function intOrStringBound(schema: Structural): bigint {
  return since("1.34") ? stringBound(schema) : LONGEST_STRING;
}

function byteBound({ maxLength }: Structural): bigint {
  return maxLength === undefined ? LONGEST_STRING : atLeastZero(maxLength);
}

function enumerableBound(schema: Structural): bigint {
  const allowed = schema.enum ?? [];
  if (schema.maxLength !== undefined || allowed.length === 0) return stringBound(schema);
  return BigInt(
    allowed.reduce((most: number, value) => Math.max(most, typeof value === "string" ? byteLength(value) : 0), 0),
  );
}

/** In bytes, up to four per character. Wraps as upstream's int64 does. */
function stringBound({ maxLength }: Structural): bigint {
  return maxLength === undefined ? LONGEST_STRING : BigInt.asIntN(64, atLeastZero(maxLength) * 4n);
}

function atLeastZero(bound: number): bigint {
  return bound < 0 ? 0n : BigInt(bound);
}

/** How many elements of a size fit into a request, less its brackets. */
function fittingIn(elementSize: number): bigint {
  return BigInt(Math.trunc((MAX_REQUEST_SIZE_BYTES - 2) / elementSize));
}

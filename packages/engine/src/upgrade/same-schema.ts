/** Whether two schemas differ only in documentation: then every answer about one holds for the other. */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import type { Structural } from "../schema/structural.ts";
import { deepEqual } from "../value/equal.ts";
import type { JsonValue } from "../value/json.ts";

export function isSameResource(one: CustomResource, other: CustomResource): boolean {
  return (
    one.group === other.group &&
    one.version === other.version &&
    one.kind === other.kind &&
    one.plural === other.plural &&
    one.namespaced === other.namespaced &&
    one.preserveUnknownFields === other.preserveUnknownFields &&
    one.hasStatus === other.hasStatus &&
    isSameScale(one.scale, other.scale) &&
    isSameOptional(one.schema, other.schema)
  );
}

function isSameScale(one: CustomResource["scale"], other: CustomResource["scale"]): boolean {
  return (
    one?.specReplicasPath === other?.specReplicasPath &&
    one?.statusReplicasPath === other?.statusReplicasPath &&
    one?.labelSelectorPath === other?.labelSelectorPath
  );
}

function isSameSchema(one: Structural, other: Structural): boolean {
  return one === other || KEYWORDS.every((keyword) => COMPARED[keyword](one, other));
}

type Compare = (one: Structural, other: Structural) => boolean;

/** Every keyword must define how it is compared, so that none is forgotten. */
const COMPARED: Readonly<Record<keyof Structural, Compare>> = {
  type: same("type"),
  title: () => true,
  description: () => true,
  nullable: same("nullable"),
  default: (one, other) => isSameValue(one.default, other.default),
  example: () => true,
  externalDocs: () => true,
  items: child("items"),
  properties: (one, other) => isSameMap(one.properties, other.properties),
  additionalProperties: (one, other) =>
    one.additionalProperties?.allows === other.additionalProperties?.allows &&
    isSameOptional(one.additionalProperties?.schema, other.additionalProperties?.schema),
  format: same("format"),
  maximum: same("maximum"),
  exclusiveMaximum: same("exclusiveMaximum"),
  minimum: same("minimum"),
  exclusiveMinimum: same("exclusiveMinimum"),
  multipleOf: same("multipleOf"),
  maxLength: same("maxLength"),
  minLength: same("minLength"),
  pattern: same("pattern"),
  maxItems: same("maxItems"),
  minItems: same("minItems"),
  uniqueItems: same("uniqueItems"),
  maxProperties: same("maxProperties"),
  minProperties: same("minProperties"),
  required: texts("required"),
  enum: (one, other) =>
    (one.enum === undefined) === (other.enum === undefined) && isSameList(one.enum ?? [], other.enum ?? [], deepEqual),
  allOf: children("allOf"),
  anyOf: children("anyOf"),
  oneOf: children("oneOf"),
  not: child("not"),
  preserveUnknownFields: same("preserveUnknownFields"),
  embeddedResource: same("embeddedResource"),
  intOrString: same("intOrString"),
  listType: same("listType"),
  listMapKeys: texts("listMapKeys"),
  mapType: same("mapType"),
  validations: isSameRules,
  propertyNames: child("propertyNames"),
  unsupported: (one, other) => one.unsupported === undefined && other.unsupported === undefined,
};

const KEYWORDS = Object.keys(COMPARED) as (keyof Structural)[];

function same(keyword: keyof Structural): Compare {
  return (one, other) => one[keyword] === other[keyword];
}

function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && deepEqual(one, other));
}

function texts(keyword: "required" | "listMapKeys"): Compare {
  return (one, other) => isSameList(one[keyword], other[keyword], (left, right) => left === right);
}

function child(keyword: "items" | "not" | "propertyNames"): Compare {
  return (one, other) => isSameOptional(one[keyword], other[keyword]);
}

function children(keyword: "allOf" | "anyOf" | "oneOf"): Compare {
  return (one, other) => isSameList(one[keyword], other[keyword], isSameSchema);
}

/** Messages are part of an answer. */
function isSameRules({ validations: one }: Structural, { validations: other }: Structural): boolean {
  return isSameList(
    one,
    other,
    (left, right) =>
      left.rule === right.rule &&
      left.message === right.message &&
      left.messageExpression === right.messageExpression &&
      left.reason === right.reason &&
      left.fieldPath === right.fieldPath &&
      left.optionalOldSelf === right.optionalOldSelf,
  );
}

function isSameOptional(one: Structural | undefined, other: Structural | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && isSameSchema(one, other));
}

/** In the same order: which object is found for a change depends on it. */
function isSameMap(one: ReadonlyMap<string, Structural>, other: ReadonlyMap<string, Structural>): boolean {
  return isSameList(
    [...one],
    [...other],
    ([name, left], [otherName, right]) => name === otherName && isSameSchema(left, right),
  );
}

function isSameList<T>(one: readonly T[], other: readonly T[], isSame: (left: T, right: T) => boolean): boolean {
  return one.length === other.length && one.every((each, index) => isSame(each, other[index] as T));
}

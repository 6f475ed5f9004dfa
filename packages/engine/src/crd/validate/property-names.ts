/**
 * `x-kubernetes-property-names`: a schema for the keys of a map (KEP-5667).
 *
 * It belongs on a map, next to `additionalProperties`, and may say only what can be said of a string. Inside it rules
 * see the key as `self`; the key has no old value.
 */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import type { Structural } from "../../schema/structural.ts";
import { append } from "../../value/append.ts";
import * as messages from "../messages.ts";
import { usedKeywords } from "./schema-walk.ts";

/** What is wrong with the key schema of one node. */
export function validatePropertyNames(schema: Structural, path: FieldPath): FieldError[] {
  const { propertyNames } = schema;
  if (propertyNames === undefined) return [];
  const at = path.child("x-kubernetes-property-names");
  return [
    ...checkMap(schema, path, at),
    ...checkKeySchema(propertyNames, at, true),
    ...checkKeyBranches(propertyNames, at),
  ];
}

function checkMap(schema: Structural, path: FieldPath, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { type, additionalProperties } = schema;
  if (type !== "object") {
    const detail = messages.objectForPropertyNames();
    const typePath = path.child("type");
    errors.push(type === "" ? required(typePath, detail, ORIGIN) : invalid(typePath, type, detail, ORIGIN));
  }
  const mapPath = path.child("additionalProperties");
  if (additionalProperties === undefined) {
    errors.push(required(mapPath, messages.mapForPropertyNames(), ORIGIN));
  } else if (!additionalProperties.allows) {
    errors.push(invalid(mapPath, false, messages.closedPropertyNames(), ORIGIN));
  }
  if (schema.properties.size > 0) errors.push(forbidden(at, messages.noPropertiesWithNames(), ORIGIN));
  return errors;
}

const ORIGIN = "propertyNames";

function checkKeySchema(schema: Structural, path: FieldPath, isRoot: boolean): FieldError[] {
  const errors = isRoot ? checkStringType(schema, path.child("type")) : [];
  for (const keyword of usedKeywords(schema)) {
    if (keyword === "unsupported" || (isRoot ? ALLOWED : ALLOWED_IN_BRANCHES).has(keyword)) continue;
    const name = JSON_NAMES.get(keyword) ?? keyword;
    errors.push(forbidden(path.child(name), messages.notInPropertyNames(), ORIGIN));
  }
  return errors;
}

function checkStringType({ type }: Structural, path: FieldPath): FieldError[] {
  if (type === "string") return [];
  if (type === "") return [required(path, messages.stringPropertyNames(), ORIGIN)];
  return [notSupported(path, type, ["string"], ORIGIN)];
}

/** A branch of a combinator may not speak of anything but strings either. */
function checkKeyBranches(schema: Structural, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (branch: Structural, at: FieldPath): void => {
    append(errors, [...checkKeySchema(branch, at, false), ...checkKeyBranches(branch, at)]);
  };
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, branch] of schema[keyword].entries()) check(branch, path.child(keyword).index(index));
  }
  if (schema.not !== undefined) check(schema.not, path.child("not"));
  return errors;
}

type Keyword = keyof Structural;

// biome-ignore format: a table
const STRING_KEYWORDS: readonly Keyword[] = [
  "example", "externalDocs", "format", "pattern", "minLength", "maxLength", "enum", "allOf", "anyOf", "oneOf", "not",
];

const ALLOWED: ReadonlySet<Keyword> = new Set<Keyword>([
  ...STRING_KEYWORDS,
  "type",
  "title",
  "description",
  "default",
  "validations",
]);

/** With those that no branch of any schema may use, which is reported elsewhere. */
// biome-ignore format: a table
const ALLOWED_IN_BRANCHES: ReadonlySet<Keyword> = new Set<Keyword>([
  ...ALLOWED, "additionalProperties", "nullable", "preserveUnknownFields", "embeddedResource", "intOrString",
  "listMapKeys", "listType", "mapType", "propertyNames",
]);

const JSON_NAMES: ReadonlyMap<Keyword, string> = new Map<Keyword, string>([
  ["preserveUnknownFields", "x-kubernetes-preserve-unknown-fields"],
  ["embeddedResource", "x-kubernetes-embedded-resource"],
  ["intOrString", "x-kubernetes-int-or-string"],
  ["listType", "x-kubernetes-list-type"],
  ["listMapKeys", "x-kubernetes-list-map-keys"],
  ["mapType", "x-kubernetes-map-type"],
  ["validations", "x-kubernetes-validations"],
  ["propertyNames", "x-kubernetes-property-names"],
]);
